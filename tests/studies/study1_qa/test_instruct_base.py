"""Instruct against base. Oracles: published tables, planted differences."""

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.studies.study1_qa.cells import rate_trials
from metacog.studies.study1_qa.instruct_base import (
    NUMBERS,
    TITLES,
    compare_counts,
    compare_trials,
    find_pairs,
)


def test_pairs_come_from_base_of():
    base_of = {"small": "small-instruct", "small-instruct": "", "other": "missing"}
    assert find_pairs(["small", "small-instruct", "other"], base_of) == [("small-instruct", "small")]
    assert find_pairs(["small"], base_of) == []


def test_instruct_and_base_from_counts(cells):
    result = compare_counts(cells, n_resamples=500)
    table = result.set_index("measure")
    assert table.loc["accuracy", "difference"] == pytest.approx(0.5434 - 0.4284)
    assert table.loc["z-ROC slope", "upper"] < 0
    with pytest.raises(MetacogError, match="0 cells for nobody"):
        compare_counts(cells, "nobody")


def test_instruct_and_base_from_trials_pairs_questions(trials):
    twin = trials[trials["model"] == "alpha"].assign(model="twin")
    rated = rate_trials(pd.concat([trials, twin], ignore_index=True))
    same = compare_trials(rated, "alpha", "twin", n_resamples=50)
    assert same[["difference", "lower", "upper"]].eq(0).all(axis=None)
    apart = compare_trials(rated, "alpha", "beta", n_resamples=400).set_index("measure")
    assert apart.loc["AUROC2", "lower"] > 0  # alpha's confidence is the less noisy one
    with pytest.raises(MetacogError, match="no trial of nobody at T = 1"):
        compare_trials(rated, "alpha", "nobody")


def test_a_pair_of_which_one_has_no_confidence_is_not_compared(trials):
    silent = trials["model"] == "beta"
    rated = rate_trials(trials.assign(nlp=trials["nlp"].mask(silent)))
    pair = compare_trials(rated, "alpha", "beta", n_resamples=50)
    assert pair[list(NUMBERS)].isna().all(axis=None) and len(pair) == len(TITLES)
