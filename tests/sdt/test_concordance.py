"""Kendall's tau-b. Oracles: scipy's exact p and permutation test, the definition by hand, coverage."""

import numpy as np
import pytest
from scipy import stats

from metacog.sdt import InputError
from metacog.sdt.kendall_tau import kendall, tau_interval


def test_by_hand_with_ties():
    """Six pairs: four in the same order, one in the opposite one, one tied in x: 3 / sqrt(5 * 6)."""
    found = kendall([1, 1, 2, 3], [1, 2, 4, 3])
    assert found.tau == pytest.approx(3 / np.sqrt(5 * 6)) and found.exact
    assert np.isnan(found.lower)  # four pairs are too few


@pytest.mark.parametrize("n", [5, 6, 8])
def test_p_without_ties_is_scipys_exact_one(n):
    rng = np.random.default_rng(n)
    for _ in range(4):
        x, y = rng.permutation(n), rng.permutation(n)
        assert kendall(x, y).p_value == pytest.approx(
            stats.kendalltau(x, y, method="exact").pvalue, abs=1e-12
        )


def test_p_with_ties_counts_every_order():
    x, y = np.array([1, 1, 2, 3, 3, 4]), np.array([2, 1, 2, 3, 5, 5])

    def size(permuted):
        return abs(stats.kendalltau(permuted, y).statistic)

    theirs = stats.permutation_test(
        (x,), size, permutation_type="pairings", alternative="greater", n_resamples=np.inf
    )
    assert kendall(x, y).p_value == pytest.approx(theirs.pvalue, abs=1e-12)


def test_more_pairs_take_scipys_p():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 30))
    found = kendall(x, y)
    assert not found.exact and found.p_value == pytest.approx(stats.kendalltau(x, y).pvalue)


def test_what_is_unknown_is_nan():
    still = kendall([1, 1, 1, 1], [1, 2, 3, 4])
    assert np.isnan(still.tau) and np.isnan(still.p_value)
    whole = kendall(range(8), range(8))
    assert (
        whole.tau == pytest.approx(1) and np.isnan(whole.lower) and whole.p_value == pytest.approx(2 / 40320)
    )


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ([1, 2], [1, 2], "three pairs"),
        ([1, 2, 3], [1, 2], "one length"),
        ([1, 2, np.nan], [1, 2, 3], "missing value"),
    ],
)
def test_bad_input_is_refused(x, y, words):
    with pytest.raises(InputError, match=words):
        kendall(x, y)


def test_the_interval_is_fiellers_by_hand():
    """At n = 104 the standard error of atanh tau is sqrt(0.00437)."""
    half = 1.959964 * np.sqrt(0.00437)
    assert tau_interval(0.0, 104).ends == pytest.approx((-np.tanh(half), np.tanh(half)), abs=1e-6)
    middle = np.tanh(0.6744898 * np.sqrt(0.00437))
    assert tau_interval(0.0, 104, level=0.5).ends == pytest.approx((-middle, middle), abs=1e-6)
    with pytest.raises(InputError, match="five pairs"):
        tau_interval(0.1, 4)
