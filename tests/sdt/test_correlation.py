"""Correlations and Spearman-Brown. Oracles: scipy and closed forms."""

import numpy as np
import pytest
from scipy import stats

from metacog.sdt import InputError
from metacog.sdt.checks import average_ranks
from metacog.sdt.correlations import correlation, correlation_p, fisher_interval, intraclass, spearman_brown

RNG = np.random.default_rng(5)
X = RNG.normal(size=30)
Y = X + RNG.normal(size=30)


def test_pearson_with_fishers_interval_is_scipys():
    found, oracle = correlation(X, Y), stats.pearsonr(X, Y)
    ends = oracle.confidence_interval()
    assert (found.r, found.lower, found.upper) == pytest.approx((oracle.statistic, ends.low, ends.high))


def test_spearman_is_scipys_and_ties_share_their_rank():
    x = np.round(X)
    found = correlation(x, Y, kind="spearman")
    assert found.r == pytest.approx(stats.spearmanr(x, Y).statistic)
    assert found.upper - found.lower > correlation(X, Y).upper - correlation(X, Y).lower


def test_missing_pairs_are_left_out_and_constant_columns_have_none():
    x = np.where(np.arange(30) < 3, np.nan, X)
    assert correlation(x, Y).n == 27 and correlation(x, Y).r == pytest.approx(correlation(X[3:], Y[3:]).r)
    assert np.isnan(correlation(np.ones(5), np.arange(5)).r)
    assert np.isnan(correlation([1, 2], [1, 2]).r) and correlation([1, 2], [1, 2]).n == 2
    three = correlation([1, 2, 3], [1, 3, 2])
    assert three.r == pytest.approx(0.5) and np.isnan(three.lower)  # Fisher's interval needs four
    with pytest.raises(InputError, match="kendall"):
        correlation(X, Y, kind="kendall")


def test_spearman_brown_of_twice_the_length():
    assert spearman_brown(0.5) == pytest.approx(2 / 3)
    assert spearman_brown(0.3, times=4) == pytest.approx(1.2 / 1.9)
    assert np.isnan(spearman_brown(-1.0))


def test_interval_and_p_are_those_of_scipy():
    rng = np.random.default_rng(1)
    x = rng.normal(size=30)
    y = 0.5 * x + rng.normal(size=30)
    theirs = stats.pearsonr(x, y)
    assert correlation_p(theirs.statistic, 30) == pytest.approx(theirs.pvalue, rel=1e-10)
    ends = theirs.confidence_interval(0.9)
    assert fisher_interval(theirs.statistic, 30, level=0.9).ends == pytest.approx(
        (ends.low, ends.high), abs=1e-12
    )


def test_bad_input():
    with pytest.raises(InputError, match="at least 4 pairs"):
        fisher_interval(0.3, 3)
    with pytest.raises(InputError, match="between -1 and 1"):
        correlation_p(1.2, 10)
    assert fisher_interval(1.0, 10).ends == (1.0, 1.0) and correlation_p(-1.0, 10) == 0.0


def test_average_ranks_are_scipys_along_any_axis():
    tied = np.random.default_rng(3).integers(0, 4, (3, 5, 6)).astype(float)
    holed = np.where(tied == 3, np.nan, tied)
    for x in (tied, tied.astype(int), np.asfortranarray(tied), holed, np.zeros((0, 2)), np.array([2.0])):
        for axis in (None, *range(np.ndim(x))):
            np.testing.assert_array_equal(average_ranks(x, axis), stats.rankdata(x, axis=axis))


def test_intraclass_correlation_is_that_of_the_analysis_of_variance():
    """Shrout and Fleiss's own six targets and four judges: ICC(1,1) = .17, and by scipy's F."""
    judged = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    f = stats.f_oneway(*judged).statistic
    assert intraclass(judged) == pytest.approx((f - 1) / (f + 3)) and round(intraclass(judged), 2) == 0.17
    with_hole = np.vstack([judged, [np.nan, 1, 2, 3]])
    assert intraclass(with_hole) == intraclass(judged)
    assert np.isnan(intraclass(judged[:2])) and np.isnan(intraclass(np.ones((5, 2))))


def test_intraclass_correlation_counts_a_change_of_all_as_a_difference():
    assert intraclass(np.column_stack([X, X])) == pytest.approx(1.0)
    assert intraclass(np.column_stack([X, X + 1])) < intraclass(np.column_stack([X, X + 0.1])) < 1
