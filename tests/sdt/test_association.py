"""Correlations, Spearman-Brown and Cohen's d. Oracles: scipy, closed forms, and an independent bootstrap."""

import random

import numpy as np
import pytest
from scipy import stats

from metacog.sdt import InputError
from metacog.sdt.association import (
    bootstrap_cohens_d,
    cohens_d,
    correlation,
    order_limits,
    spearman_brown,
)

RNG = np.random.default_rng(5)
X = RNG.normal(size=30)
Y = X + RNG.normal(size=30)


def test_pearson_with_fishers_interval_is_scipys():
    found, oracle = correlation(X, Y), stats.pearsonr(X, Y)
    ends = oracle.confidence_interval()
    assert (found.r, found.lower, found.upper) == pytest.approx((oracle.statistic, ends.low, ends.high))


def test_spearman_is_scipys_and_ties_share_their_rank():
    x = np.round(X)
    found = correlation(x, Y, "spearman")
    assert found.r == pytest.approx(stats.spearmanr(x, Y).statistic)
    assert found.upper - found.lower > correlation(X, Y).upper - correlation(X, Y).lower


def test_missing_pairs_are_left_out_and_constant_columns_have_none():
    x = np.where(np.arange(30) < 3, np.nan, X)
    assert correlation(x, Y).n == 27 and correlation(x, Y).r == pytest.approx(correlation(X[3:], Y[3:]).r)
    assert np.isnan(correlation(np.ones(5), np.arange(5)).r)
    assert np.isnan(correlation([1, 2], [1, 2]).r) and correlation([1, 2], [1, 2]).n == 2
    with pytest.raises(InputError, match="kendall"):
        correlation(X, Y, "kendall")


def test_spearman_brown_of_twice_the_length():
    assert spearman_brown(0.5) == pytest.approx(2 / 3)
    assert spearman_brown(0.3, 4) == pytest.approx(1.2 / 1.9)
    assert np.isnan(spearman_brown(-1.0))


def test_cohens_d_is_the_t_statistic_scaled():
    a, b = X[:10], Y[10:24] + 1
    t = stats.ttest_ind(a, b).statistic
    assert cohens_d(a, b) == pytest.approx(t * np.sqrt(1 / 10 + 1 / 14))
    assert np.isnan(cohens_d([1.0], b)) and np.isnan(cohens_d([1.0, 1.0], [2.0, 2.0]))


def test_the_bootstrap_draws_a_before_b_and_skips_resamples_without_spread():
    a, b = [1.0, 2.0], [5.0, 7.0, 8.0]
    source, wanted = random.Random(7), []
    for _ in range(200):
        one = [source.choice(a) for _ in a]
        other = [source.choice(b) for _ in b]
        if min(np.ptp(one), np.ptp(other)) > 0:
            wanted.append(cohens_d(one, other))
    found = bootstrap_cohens_d(a, b, 200, 7)
    assert found == pytest.approx(np.sort(wanted)) and len(found) < 200


def test_limits_without_interpolation_are_draws():
    assert order_limits(np.arange(1000)[::-1]) == (25.0, 974.0)
    assert np.isnan(order_limits([1.0])).all()
