"""Abstaining. Oracles: published tables, sdt, hand counts."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import permutation_test, spearmanr

from metacog.sdt import accuracy_coverage
from metacog.studies.study1_qa.cells import exact_spearman
from metacog.studies.study1_qa.selective import (
    by_coverage,
    by_temperature,
    figures,
    judge,
    selective_from_cells,
    with_print,
)
from metacog.verdicts.outcomes import together


def test_exact_spearman_against_scipy():
    x, y = [0.861, 0.843, 0.838, 0.752], [0.852, 1.0475, 0.983, 1.0478]
    rho, p = exact_spearman(x, y)
    test = permutation_test(
        (x,), lambda a: spearmanr(a, y).statistic, permutation_type="pairings", n_resamples=np.inf
    )
    assert rho == pytest.approx(-0.8) and p == pytest.approx(test.pvalue)
    assert all(np.isnan(exact_spearman([1.0], [2.0])))


def test_a_gain_whose_interval_holds_zero_is_undecided():
    row = {"model": "a", "dataset": "bank", "coverage": 0.5, "accuracy": 0.5, "gain": 0.01}
    table = pd.DataFrame(
        [{**row, "gain_lower": low, "gain_upper": high} for low, high in ((0.1, 0.2), (-0.1, 0.2))]
    )
    assert together(judge(table), "half") is None
    assert together(judge(table.assign(gain_upper=[0.2, -0.05])), "half") is False
    assert together(judge(table.head(1)), "half") is True


def test_selective_prediction_reproduces_the_published_halves(cells, published):
    table = selective_from_cells(cells)
    half = table[(table["coverage"] == 0.5) & (table["dataset"] == "triviaqa")].set_index("model")["accuracy"]
    for row in published("v1_selective_prediction").itertuples():
        assert half[row.model] == pytest.approx(row.accuracy_at_50pct_coverage, abs=0.0005)


def test_the_two_models_that_are_printed_are_named_with_what_they_start_from(cells):
    half = with_print(
        selective_from_cells(cells.select(cells.frame["dataset"] == "triviaqa"), coverages=(0.5, 1.0))
    )
    half = half[half["coverage"] == 0.5].assign(of_all=half["accuracy"] - half["gain"])
    said = figures(SimpleNamespace(comparison=half))
    shares = {name: round(value, 1) for name, value in said.items() if not isinstance(value, str)}
    assert (shares["first_printed"], shares["second_printed"]) == (77.4, 70.7)
    assert (shares["first_of_all"], shares["second_of_all"]) == (60.0, 42.7)
    assert (round(said["first_gain"]), round(said["second_gain"])) == (17, 28)


def test_selective_prediction_from_trials(trials):
    table = by_coverage(trials, n_resamples=500)
    one = trials[(trials["temperature"] == 1.0) & (trials["model"] == "beta") & trials["nlp"].notna()]
    own = table[table["model"] == "beta"].set_index("coverage")
    for share in (0.25, 0.5, 0.75):
        expected = float(accuracy_coverage(one["correct"], one["nlp"], share))
        assert own.loc[share, "accuracy"] == pytest.approx(expected, abs=1e-12)
    p, n = one["correct"].mean(), len(one)
    width = own.loc[1.0, "accuracy_upper"] - own.loc[1.0, "accuracy_lower"]
    assert width == pytest.approx(2 * 1.96 * np.sqrt(p * (1 - p) / n), rel=0.12)
    assert together(judge(table), "half") is True


def test_the_gain_at_the_lowest_temperature_stands_next_to_that_at_one(trials):
    def at_half(rows, **options):
        table = by_coverage(rows, n_resamples=50, **options)
        return table[table["coverage"] == 0.5]

    lowest = trials["temperature"].min()
    halves = by_temperature(trials, at_half(trials), n_resamples=50, seed=42)
    assert list(halves["temperature"]) == [lowest, 1.0] * 2 and halves["model"].is_monotonic_increasing
    cool = at_half(trials[trials["temperature"] == lowest].assign(temperature=1.0))
    shared = ["model", "accuracy", "gain", "gain_lower", "gain_upper"]
    first = halves.loc[halves["temperature"] == lowest, shared].reset_index(drop=True)
    pd.testing.assert_frame_equal(first, cool[shared].reset_index(drop=True))
    one = trials[trials["temperature"] == 1.0]
    assert list(by_temperature(one, at_half(one), n_resamples=50, seed=42)["temperature"]) == [1.0, 1.0]
