"""What must hold before the hypotheses. Oracles: the published table 5 and counting by hand."""

import pytest

from metacog.studies.study1_qa.cells import rate_trials
from metacog.studies.study1_qa.h2 import domain_cells
from metacog.studies.study1_qa.validation import answer_table, domain_minimums, quartile_accuracy
from metacog.trials import scored


def test_quartiles_reproduce_table_5(cells, published):
    ours = quartile_accuracy(cells).set_index(["model", "dataset"])
    theirs = published("v1_table5_monotonicity").set_index(["model", "dataset"])
    for q in ("q1", "q2", "q3", "q4"):
        # some values end in an exact half at the fourth digit: either rounding is right
        assert (ours[q] - theirs[q]).abs().max() <= 0.0005 + 1e-9
    assert ours["monotone"].all()


def test_validation_tables_count_what_is_there(trials):
    one = trials[(trials["temperature"] == 1.0) & (trials["model"] == "alpha")]
    x = one[one["nlp"].notna()]
    top = x[x["nlp"] >= x["nlp"].quantile(0.75)]
    row = quartile_accuracy(rate_trials(trials).cells()).set_index("model").loc["alpha"]
    assert row["q4"] == pytest.approx(top["correct"].mean(), abs=1e-12) and row["monotone"]
    answers = answer_table(scored(trials)).set_index(["model", "temperature"]).loc[("alpha", 1.0)]
    assert answers["truncated"] == pytest.approx(one["truncated"].mean())
    assert answers["empty"] == pytest.approx(one["nlp"].isna().mean())
    cells = domain_cells(rate_trials(trials))
    minimums = domain_minimums(cells)
    assert (minimums["fewest"] == cells.frame[["n_correct", "n_incorrect"]].min(axis=1)).all()
    assert minimums["enough"].all()


def test_small_subjects_and_confidence_the_wrong_way_round_show(smoke_trials):
    assert not domain_minimums(domain_cells(rate_trials(smoke_trials)))["enough"].all()
    backwards = smoke_trials.assign(correct=smoke_trials["nlp"] < smoke_trials["nlp"].median())
    assert not quartile_accuracy(rate_trials(backwards).cells())["monotone"].any()
