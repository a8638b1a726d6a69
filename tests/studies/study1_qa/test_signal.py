"""Other signals than NLP in study 1. Oracles: NLP itself under another name, and tables counted by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from simulated_trials import simulate_trials

from metacog.core.config import load_profile
from metacog.sdt.binning import is_coarse, rate, value_edges
from metacog.studies.chapters import declared, results_read
from metacog.studies.packed import collections_read
from metacog.studies.study import Result
from metacog.studies.study1_qa import h1, h3, h4
from metacog.studies.study1_qa.cells import Flag, estimate, fits, flags_in, rate_trials
from metacog.studies.study1_qa.robustness import matched
from metacog.studies.study1_qa.robustness_variants import checked
from metacog.studies.study1_qa.signal import signal_table, which
from metacog.studies.study1_qa.validation import quartile_accuracy
from metacog.trials import NLP, scored, signals_of
from metacog.verdicts.outcomes import of_rule, together

FEW = {"n_resamples": 50, "seed": 3}


@pytest.fixture(scope="module")
def trials():
    """Two models; their confidence is exp(NLP)."""
    models = {"fine": {"ability": 0.3, "noise": 0.5}, "other": {"ability": 0.0, "noise": 1.5}}
    made = simulate_trials(models, n_questions=300)
    return made.assign(tier=1)


def with_signal(trials, model, signal, confidence=lambda c: c):
    mine = trials["model"] == model
    return trials.assign(
        signal=np.where(mine, signal, NLP),
        confidence=np.where(mine, confidence(trials["confidence"]), trials["confidence"]),
        nlp=trials["nlp"].mask(mine),
    )


def fifths(confidence):
    return (confidence * 5).clip(0, 4).round() / 4


def test_trials_without_the_column_are_of_nlp(trials):
    assert scored(trials)["score"].equals(trials["nlp"].rename("score"))
    assert signals_of(trials) == {"fine": NLP, "other": NLP}
    again = scored(trials.assign(signal=NLP))
    assert again["score"].equals(trials["nlp"].rename("score"))


def test_another_signal_takes_the_place_of_nlp_in_every_measure(trials):
    """Confidence that is exp(NLP) orders answers as NLP does: the same ratings but for edges between values."""
    moved = rate_trials(with_signal(trials, "fine", "verbal"))
    plain = rate_trials(trials)
    both = plain.trials["rating"].notna() & moved.trials["rating"].notna()
    assert (plain.trials["rating"].isna() == moved.trials["rating"].isna()).all()
    assert (plain.trials.loc[both, "rating"] == moved.trials.loc[both, "rating"]).mean() > 0.99
    assert not moved.trials["coarse"].any()
    one, two = (estimate(each.cells())["m_ratio"] for each in (plain, moved))
    assert two.to_numpy() == pytest.approx(one.to_numpy(), abs=0.05)
    assert one[1] == two[1]  # the other model's are the same to the last bit


def test_what_is_coarse():
    assert is_coarse([0.0, 0.5, 1.0] * 9, 8) and not is_coarse(np.linspace(0, 1, 8), 8)
    some = list(np.linspace(0, 0.9, 10))
    assert is_coarse([1.0] * 11 + some, 8)  # most of them one
    assert is_coarse([1.0] * 5 + some, 8)  # the two highest of seven edges coincide
    assert not is_coarse([1.0, *some], 8)


def test_a_coarse_signal_has_one_rating_a_value():
    edges = value_edges([0.0, 0.5, 0.5, 1.0], 8)
    assert edges.coarse and edges.empty == (4, 5, 6, 7, 8) and not edges.degenerate
    assert rate([0.0, 0.2, 0.5, 0.9, 1.0], edges.values).tolist() == [1, 1, 2, 3, 3]
    many = (
        [1.0] * 40 + [0.0] * 20 + [round(0.1 * k, 1) for k in range(1, 10)]
    )  # eleven values: three joined pairs
    joined = value_edges(many, 8)
    assert len(joined) == 7 and joined.empty == () and joined.coarse
    assert set(rate(many, joined.values)) == set(range(1, 9))
    assert rate([0.0, 1.0], joined.values).tolist() == [1, 8]
    assert value_edges([0.7], 8).values.size == 0


def test_a_coarse_signal_is_counted_by_value_and_nothing_is_fitted_to_it(trials):
    coarse = with_signal(trials, "other", "agreement", fifths)
    rated = rate_trials(coarse)
    cells = rated.cells()
    assert cells.coarse.tolist() == [False, True]
    at_one = coarse[
        (coarse["model"] == "other") & (coarse["temperature"] == 1) & coarse["confidence"].notna()
    ]
    by_hand = pd.crosstab(at_one["confidence"], at_one["correct"])
    n = len(by_hand)
    assert n < 8
    assert cells.nR_S1[1][:n].tolist() == by_hand[False].tolist()
    assert cells.nR_S2[1][:n].tolist() == by_hand[True].tolist()
    assert cells.nR_S1[1][n:].sum() == cells.nR_S2[1][n:].sum() == 0
    flags = [flags_in(text) for text in cells.frame["flag"]]
    assert Flag.COARSE in flags[1] and Flag.COARSE not in flags[0] and Flag.EMPTY not in flags[1]
    table = estimate(cells)
    assert table.loc[1, ["d_prime", "meta_d", "m_ratio"]].isna().all() and np.isfinite(
        table.loc[0, "m_ratio"]
    )


def test_hypotheses_leave_a_coarse_model_undecided_and_the_other_as_it_was(trials):
    coarse, plain = rate_trials(with_signal(trials, "other", "agreement", fifths)), rate_trials(trials)
    (made, _), (was, _) = (fits(one.cells(), **FEW) for one in (coarse, plain))
    assert made.loc[0, "m_ratio"] == was.loc[0, "m_ratio"]
    assert made.loc[1, ["m_ratio", "m_ratio_lower"]].isna().all()
    intervals = h1.by_scheme(coarse, made, **FEW)
    assert intervals.loc[intervals["model"] == "other", "m_ratio"].isna().all()
    assert "coarse signal" in of_rule(h1.limit(made), "limit").set_index("unit").loc["other", "why"]
    pairs = h4.on_shared_questions(coarse, **FEW)
    assert pairs["flagged"].all() and pairs["paired_p"].isna().all()
    ranges = h3.over_temperatures(coarse, h3.FIXED, **FEW)[1].set_index("model")["meta_d_range"]
    assert np.isnan(ranges["other"]) and np.isfinite(ranges["fine"])
    checks = checked(with_signal(trials, "other", "agreement", fifths), **FEW)
    assert checks[0].loc[checks[0]["model"] == "other", "m_ratio"].isna().all()
    domains, models, _ = matched(coarse, n_seeds=2, n_resamples=20)
    assert set(domains["model"]) <= {"fine"} and models.empty


def test_a_coarse_signal_has_no_quartiles(trials):
    rated = rate_trials(with_signal(trials, "other", "agreement", fifths))
    rows = quartile_accuracy(rated.cells()).set_index("model")
    assert rows.loc["other", ["q1", "q4"]].isna().all() and np.isfinite(rows.loc["fine", "q1"])
    assert rows.loc["other", "monotone"] is None


def test_a_run_of_coarse_models_alone_still_has_all_its_tables(trials):
    only = trials[trials["model"] == "other"]
    coarse = with_signal(only, "other", "verbal", fifths)
    domains, models, told = matched(rate_trials(coarse), n_seeds=2, n_resamples=20)
    assert domains.empty and models.empty and told["holds"].isna().all()
    assert together(h1.limit(fits(rate_trials(coarse).cells(), **FEW)[0]), "limit") is None


def test_pages_say_which_signal_it_is_and_that_signals_are_compared(trials):
    plain = which(Result(table=signal_table(scored(trials))))
    assert "(the papers' NLP) in every model" in plain and "published" not in plain
    mixed = scored(with_signal(trials, "other", "agreement", fifths))
    words = which(Result(table=signal_table(mixed)))
    assert (
        "(the papers' NLP) in fine" in words
        and "published values are of NLP" in words
        and "too coarse" in words
    )
    lost = scored(with_signal(trials, "other", "verbal", lambda c: c.where(c > 0.3)))
    assert "left out" in which(Result(table=signal_table(lost)))


def test_every_page_that_rests_on_open_answers_says_what_their_confidence_is():
    """Oracle: the chapters' own code. A model that gives no log-probabilities has another signal than the paper's."""
    own = [load_profile("smoke")]
    resting = {
        page.name: page.source.read_text(encoding="utf-8")
        for page in declared()
        if page.name.startswith("study1-") and collections_read(results_read(page.source), own)
    }
    assert len(resting) > 4
    assert [name for name, code in resting.items() if 'run.result("signal").text("which")' not in code] == []
