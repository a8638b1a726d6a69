"""Z-tests, adjusted p-values and ROPE decisions. Oracles: scipy's normal, statsmodels, cases by hand."""

import numpy as np
import pytest
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests

from metacog.sdt import InputError, Practical, adjust_p, rope_decision
from metacog.sdt.decisions import (
    bonferroni_z,
    bootstrap_p,
    equivalence_p,
    holm,
    log_ratio_decision,
    quotient,
    z_test,
)


def test_bonferroni_size_by_scipy():
    assert bonferroni_z() == pytest.approx(norm.ppf(0.975), abs=1e-12)
    assert bonferroni_z(m=27) == pytest.approx(norm.isf(0.05 / 54), abs=1e-12)
    assert round(bonferroni_z(m=27), 2) == 3.11
    with pytest.raises(InputError):
        bonferroni_z(m=0)


@pytest.mark.parametrize(
    ("method", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")]
)
def test_adjusted_p_values_are_those_of_statsmodels(method, theirs):
    for p in ([0.01, 0.04, 0.03, 0.005], [0.2], np.round(np.random.default_rng(1).random(60) ** 3, 3)):
        assert adjust_p(p, method=method) == pytest.approx(multipletests(p, method=theirs)[1], abs=1e-15)
    with pytest.raises(InputError, match="p_values"):
        adjust_p([0.5, 1.2], method=method)


def test_z_test_by_hand():
    test = z_test(-0.3, 0.1, m=27)
    assert (test.z, test.rejected) == (pytest.approx(-3.0), False)
    assert test.p_value == pytest.approx(2 * norm.sf(3), rel=1e-12)
    assert z_test(-0.3, 0.1).rejected
    assert test.interval().ends == pytest.approx((-0.3 - 0.1 * test.critical, -0.3 + 0.1 * test.critical))
    with pytest.raises(InputError):
        z_test(0.1, 0.0)


@pytest.mark.parametrize(
    ("interval", "reported"),
    [
        ((0.11, 0.3), Practical.SIGNIFICANT),
        ((-0.4, -0.101), Practical.SIGNIFICANT),
        ((-0.1, 0.1), Practical.NEGLIGIBLE),
        ((0.01, 0.05), Practical.NEGLIGIBLE),
        ((0.05, 0.15), Practical.INCONCLUSIVE),
        ((0.1, 0.3), Practical.INCONCLUSIVE),
        ((-0.2, 0.2), Practical.INCONCLUSIVE),
    ],
)
def test_rope_by_hand(interval, reported):
    assert rope_decision(*interval, -0.1, 0.1) is reported


def test_rope_refuses_ends_that_fall():
    with pytest.raises(InputError):
        rope_decision(0.2, 0.1, -0.1, 0.1)
    with pytest.raises(InputError):
        rope_decision(0.1, 0.2, 0.1, -0.1)
    with pytest.raises(InputError):
        rope_decision(float("nan"), 0.2, -0.1, 0.1)


def test_log_ratio_of_lognormal_draws():
    """Oracle: log of the draws is normal with mean log 0.8 and sd 0.02."""
    logs = norm.ppf((np.arange(20_000) + 0.5) / 20_000, np.log(0.8), 0.02)
    found = log_ratio_decision(np.exp(logs), 0.05)
    assert found.mean == pytest.approx(np.log(0.8), abs=1e-6)
    assert (found.lower, found.upper) == pytest.approx(
        tuple(norm.ppf([0.025, 0.975], np.log(0.8), 0.02)), abs=1e-4
    )
    assert found.decision is Practical.SIGNIFICANT and found.excludes_zero
    assert log_ratio_decision(np.exp(logs), 0.2).decision is Practical.INCONCLUSIVE
    assert log_ratio_decision(np.exp(logs), 0.3).decision is Practical.NEGLIGIBLE


def test_draws_that_are_no_ratio_are_counted_and_stop_the_decision():
    draws = np.full(1000, 2.0)
    draws[:10] = np.nan
    found = log_ratio_decision(draws, 0.05)
    assert found.share_undefined == pytest.approx(0.01) and found.decision is Practical.SIGNIFICANT
    draws[10] = np.nan
    found = log_ratio_decision(draws, 0.05)
    assert found.share_undefined == pytest.approx(0.011)
    assert found.decision is None and found.excludes_zero is None and np.isnan(found.mean)


def test_a_ratio_about_zero_is_told_from_one():
    """World: confidence that tells nothing; left out, the draws at or below 0 would leave no decision."""
    draws = norm.ppf((np.arange(2_000) + 0.5) / 2_000, 0.0, 0.13)
    found = log_ratio_decision(draws, 0.05)
    assert found.decision is Practical.SIGNIFICANT and found.excludes_zero and found.share_undefined == 0
    assert found.lower == -np.inf and found.upper == pytest.approx(np.log(1.96 * 0.13), abs=0.01)
    assert np.isnan(found.mean)
    unsure = log_ratio_decision(draws * 10, 0.05)
    assert unsure.decision is Practical.INCONCLUSIVE and not unsure.excludes_zero
    assert log_ratio_decision(np.full(10, -1.0), 0.05).decision is Practical.SIGNIFICANT


def test_two_ratios_are_compared_where_one_of_them_is_positive():
    found = quotient([1.0, -1.0, 1.0, -1.0, np.nan], [2.0, 2.0, -2.0, -2.0, 1.0])
    np.testing.assert_array_equal(found, [0.5, 0.0, np.inf, np.nan, np.nan])
    one, zero = np.full(1000, 0.8), norm.ppf((np.arange(1000) + 0.5) / 1000, 0.0, 0.1)
    both = log_ratio_decision(quotient(one, zero), 0.05), log_ratio_decision(quotient(zero, one), 0.05)
    assert [each.decision for each in both] == [Practical.SIGNIFICANT] * 2  # whichever comes first
    assert both[0].lower == pytest.approx(-both[1].upper, abs=0.01) and both[0].upper == np.inf


def test_holm_against_the_definition():
    # Holm (1979): p sorted, times (m - rank), made monotone
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    assert np.isnan(holm([np.nan, 0.5])[0]) and holm([np.nan, 0.5])[1] == 0.5
    assert holm([]).size == 0


def test_bootstrap_p_counts_tails():
    assert bootstrap_p(np.r_[-1.0, np.ones(98)]) == pytest.approx(2 * 2 / 100)
    assert bootstrap_p(np.ones(99)) == pytest.approx(2 / 100)
    assert np.isnan(bootstrap_p([np.nan]))


def test_equivalence_counts_draws_beyond_either_bound():
    draws = np.r_[np.zeros(97), 0.5, np.nan]
    assert equivalence_p(draws, 0.3) == pytest.approx(2 / 99)
    assert np.isnan(equivalence_p([0.1, np.nan], 0.3))
