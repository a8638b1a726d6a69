"""Spearman's rho of few, tied pairs. Oracles: all n! orders, scipy, and simulation."""

import math
import sys
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from metacog.sdt.checks import InputError
from metacog.sdt.rank_correlations import CONSTANT, FEWEST_AWAY, correlation_test, rank_correlation, spearman

FEW = {"n_resamples": 400, "seed": 1}


def by_all_orders(x, y):
    """Share of all n! orders of y whose correlation with x lies as far from 0."""
    null = np.array([np.corrcoef(x, order)[0, 1] for order in permutations(y)])
    return float(np.mean(np.abs(null) >= abs(np.corrcoef(x, y)[0, 1]) - 1e-12))


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1, 2, 3, 4, 5, 6], [1, 3, 2, 6, 4, 5]),
        ([1, 1, 1, 2, 2, 3, 3], [0, 0, 1, 1, 1, 0, 2]),
        ([5, 5, 5, 5, 5, 5, 1], [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_p_is_the_share_of_all_orders_ties_included(x, y):
    p, exact = correlation_test(x, y)
    assert exact and p == pytest.approx(by_all_orders(x, y), abs=1e-12)
    assert correlation_test(y, x)[0] == pytest.approx(p)  # whichever column is arranged
    drawn, all_ = correlation_test(x, y, most=6)
    assert not all_ and 0 < drawn <= 1


def test_all_arrangements_are_gone_through_up_to_the_most():
    """Two pairs of equal values stand in 4! / (2! 2!) = 6 orders."""
    pairs, values = [0, 0, 1, 1], [1, 2, 3, 5]
    assert correlation_test(pairs, values, most=6)[1] and not correlation_test(pairs, values, most=5)[1]


def test_many_arrangements_are_drawn_and_come_near_the_exact_p():
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 2, 16).astype(float), rng.normal(size=16)
    exact, all_ = correlation_test(x, y, most=20_000)
    drawn, some = correlation_test(x, y, most=4_000)
    assert all_ and not some
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 4_000))


def test_rho_is_scipys_and_pairs_that_never_vary_have_none():
    rng = np.random.default_rng(2)
    x, y = rng.integers(1, 11, 24).astype(float), rng.integers(0, 9, 24) / 8
    found = rank_correlation(x, y, **FEW)
    assert found.rho == pytest.approx(stats.spearmanr(x, y).statistic) == float(spearman(x, y))
    assert found.why == "" and found.lower < found.rho < found.upper and not found.exact
    flat = rank_correlation(np.full(24, 5.0), y, **FEW)
    assert (
        math.isnan(flat.rho) and math.isnan(flat.p_value) and flat.why == CONSTANT and flat.undefined == 400
    )
    assert rank_correlation([1.0, 2.0], [1.0, 2.0], **FEW).why == "fewer than three pairs"
    with pytest.raises(InputError, match="one length"):
        rank_correlation([1, 2, 3], [1, 2])
    with pytest.raises(InputError, match="missing value"):
        rank_correlation([1, 2, math.nan], [1, 2, 3])


@pytest.mark.parametrize("odd", range(1, FEWEST_AWAY + 1))
def test_no_interval_where_few_pairs_leave_the_commonest_value(odd):
    x = np.r_[np.full(24 - odd, 100.0), np.arange(odd)]
    found = rank_correlation(x, np.arange(24.0), **FEW)
    assert found.away == odd and math.isfinite(found.p_value)
    assert math.isnan(found.lower) == (odd < FEWEST_AWAY) == bool(found.why)


def test_no_interval_where_resamples_lack_a_correlation(monkeypatch):
    monkeypatch.setattr(sys.modules[rank_correlation.__module__], "FEWEST_AWAY", 1)
    x = np.r_[np.full(10, 100.0), 2, 3]
    found = rank_correlation(x, np.arange(12.0), **FEW)
    assert found.undefined > 0.05 * 400 and math.isnan(found.lower) and "% of resamples" in found.why


@pytest.mark.parametrize(("n", "odd"), [(11, 1), (12, 1), (24, 1), (12, 3), (24, 6)])
def test_no_relation_is_found_in_at_most_one_of_twenty(n, odd):
    """Simulation: confidence with a few odd values, and another figure without any relation to it."""
    rng, runs, hits, ends = np.random.default_rng(n + odd), 300, 0, 0
    for run in range(runs):
        x = rng.permutation(np.r_[np.full(n - odd, 100.0), rng.integers(0, 60, odd)])
        found = rank_correlation(x, rng.integers(0, 9, n) / 8, n_resamples=200, seed=run)
        hits += found.p_value <= 0.05
        ends += found.lower > 0
    two_errors = 2 * math.sqrt(0.05 * 0.95 / runs)
    assert hits / runs <= 0.05 + two_errors
    assert ends / runs <= 0.05 + two_errors
