"""What must hold before the hypotheses. Oracles: the published table 5 and counting by hand."""

import numpy as np
import pytest

from metacog.studies.study1_qa.cells import cells_from_counts, rate_trials
from metacog.studies.study1_qa.validation import quartile_accuracy, validate_study


@pytest.fixture(scope="module")
def cells(published):
    return cells_from_counts(published("counts_T1"))


def test_quartiles_reproduce_table_5(cells, published):
    ours = quartile_accuracy(cells).set_index(["model", "dataset"])
    theirs = published("v1_table5_monotonicity").set_index(["model", "dataset"])
    for q in ("q1", "q2", "q3", "q4"):
        # some values end in an exact half at the fourth digit: either rounding is right
        assert (ours[q] - theirs[q]).abs().max() <= 0.0005 + 1e-9
    assert ours["monotone"].all()


def test_validation_tables_count_what_is_there(trials):
    result = validate_study(rate_trials(trials))
    one = trials[(trials["temperature"] == 1.0) & (trials["model"] == "alpha")]
    x = one[one["nlp"].notna()]
    top = x[x["nlp"] >= x["nlp"].quantile(0.75)]
    row = result.quartiles.set_index("model").loc["alpha"]
    assert row["q4"] == pytest.approx(top["correct"].mean(), abs=1e-12)
    answers = result.answers.set_index(["model", "temperature"]).loc[("alpha", 1.0)]
    assert answers["truncated"] == pytest.approx(one["truncated"].mean())
    assert answers["empty"] == pytest.approx(one["nlp"].isna().mean())
    np.testing.assert_allclose(result.matches[["exact", "none", "empty"]].sum(axis=1), 1)
    assert [v.passed for v in result.verdicts] == [True, True]
    classes = result.minimums[["n_correct", "n_incorrect"]]
    assert (result.minimums["fewest"] == classes.min(axis=1)).all()
    assert set(result.flags["check"]) == {"many truncated answers"}  # the simulation truncates a seventh


def test_validation_flags_what_is_wrong(smoke_trials):
    result = validate_study(rate_trials(smoke_trials), verdicts=False)
    assert {"too few of a class"} <= set(result.flags["check"]) and result.verdicts == ()
    backwards = smoke_trials.assign(correct=smoke_trials["nlp"] < smoke_trials["nlp"].median())
    judged = validate_study(rate_trials(backwards))
    assert "accuracy does not rise" in set(judged.flags["check"]) and judged.verdicts[0].passed is False
