"""Ranks and their uncertainty. Oracles: cases by hand, and groups that are simulated equal or apart."""

import numpy as np
import pytest
from scipy.stats import norm, ttest_1samp

from metacog.sdt import InputError
from metacog.sdt.decisions import bootstrap_p
from metacog.sdt.families import (
    BOTH,
    NORMAL,
    PERCENTILE,
    difference_interval,
    difference_p,
    family,
    family_method,
)
from metacog.sdt.ranking import bootstrap_ranks, not_apart, rank_sets


def drawn(estimates, sd=1.0, n=2000, seed=0):
    rng = np.random.default_rng(seed)
    values = np.asarray(estimates, dtype=float)
    return values[:, None] + sd * rng.normal(size=(values.size, n))


def test_groups_far_apart_have_their_ranks_for_certain():
    found = bootstrap_ranks([0.0, 20.0, 10.0], drawn([0.0, 20.0, 10.0]))
    assert found.rank.tolist() == [3, 1, 2]
    assert found.lower.tolist() == found.upper.tolist() == [3, 1, 2]
    assert found.set_lower.tolist() == found.set_upper.tolist() == [3, 1, 2]
    assert found.p_highest.tolist() == [0, 1, 0] and found.p_lowest.tolist() == [1, 0, 0]
    assert found.order_probability == 1 and found.left_out == ()


def test_equal_groups_keep_every_rank():
    found = bootstrap_ranks([0.3, 0.0, 0.1, 0.2], drawn([0.3, 0.0, 0.1, 0.2], seed=1))
    assert found.set_lower.tolist() == [1] * 4 and found.set_upper.tolist() == [4] * 4
    assert 0.02 < found.order_probability < 0.25
    assert found.p_highest.sum() == pytest.approx(1) and found.p_lowest.sum() == pytest.approx(1)


def test_undefined_groups_are_left_out_by_index_and_draws_counted():
    draws = drawn([3.0, np.nan, 0.0], sd=0.1, n=500)
    draws[0, :7] = np.nan
    found = bootstrap_ranks([3.0, np.nan, 0.0], draws)
    assert found.left_out == (1,)
    assert (found.n_draws, found.n_dropped) == (493, 7)
    assert np.isnan(found.rank[1]) and found.rank[[0, 2]].tolist() == [1, 2]
    assert found.set_upper[[0, 2]].tolist() == [1, 2]


def test_ties_share_a_rank_and_do_not_break_the_order():
    draws = np.array([[2.0, 2.1, 1.9], [1.0, 0.9, 1.1], [1.0, 1.1, 0.9]])
    found = bootstrap_ranks([2.0, 1.0, 1.0], draws)
    assert found.rank.tolist() == [1, 2.5, 2.5]
    assert found.order_probability == 1
    assert found.p_lowest.tolist() == pytest.approx([0, 0.5, 0.5])


def test_each_of_groups_that_tie_has_to_keep_its_place_to_the_others():
    """In one draw of two a group of the middle, whichever it is, is not below the first or not above the last."""
    for draws in ([2, 1.5, 2.5, 0], [2, 2.5, 1.5, 0], [2, -1, 1, 0], [2, 1, -1, 0], [2, 2, 1, 0]):
        both = np.stack([draws, [2.0, 1.1, 0.9, 0.0]], axis=1)
        assert bootstrap_ranks([2.0, 1.0, 1.0, 0.0], both).order_probability == 0.5


def test_whole_numbers_without_a_sign_are_ranked_as_others_are():
    counts = np.array([[3, 4, 3], [9, 8, 9], [0, 1, 0]], dtype=np.uint8)
    found = bootstrap_ranks(counts[:, 0], counts)
    assert found.rank.tolist() == found.lower.tolist() == [2, 1, 3] and found.order_probability == 1


def test_the_sets_hold_all_true_ranks_at_once_and_bootstrap_percentiles_do_not():
    """Eight groups, five of them equal: the true rank of an equal group is any of theirs."""
    truth = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 3.0])
    low = np.array([(truth > t).sum() + 1 for t in truth])
    high = np.array([(truth >= t).sum() for t in truth])
    rng = np.random.default_rng(5)
    held, percentile_held, runs = 0, 0, 300
    for _ in range(runs):
        estimates = truth + 0.3 * rng.normal(size=truth.size)
        draws = estimates[:, None] + 0.3 * rng.normal(size=(truth.size, 2000))
        found = bootstrap_ranks(estimates, draws)
        held += bool(((found.set_lower <= low) & (found.set_upper >= high)).all())
        percentile_held += bool(((found.lower <= low) & (found.upper >= high)).all())
    # .95 or more, within 2 binomial errors; the percentiles of ranks are far below it
    assert held / runs > 0.95 - 2 * np.sqrt(0.05 * 0.95 / runs)
    assert percentile_held / runs < 0.5


def test_letters_by_hand():
    # 0 > 2, 0 > 3, 1 > 3: {0, 1}, {1, 2}, {2, 3}
    higher = np.zeros((4, 4), dtype=bool)
    higher[0, [2, 3]] = higher[1, 3] = True
    assert not_apart(higher) == [(0, 1), (1, 2), (2, 3)]
    assert not_apart(np.zeros((3, 3), dtype=bool)) == [(0, 1, 2)]
    assert not_apart(np.triu(np.ones((3, 3), dtype=bool), 1)) == [(0,), (1,), (2,)]
    assert [x.tolist() for x in rank_sets(higher)] == [[1, 1, 2, 3], [2, 3, 4, 4]]


class Pair:
    def __init__(self, difference, draws):
        self.difference, self.draws = difference, draws


def test_a_large_family_is_not_held_down_by_the_number_of_draws():
    """435 pairs of 30 models: with percentiles the smallest adjusted p of 2,000 draws would be .43."""
    rng = np.random.default_rng(2)
    pairs = [(str(i), "") for i in range(435)]
    sides = [Pair(0.0, rng.normal(size=2000)) for _ in pairs[1:]]
    made = family(pairs, [Pair(6.0, 6 + rng.normal(size=2000)), *sides])
    assert made.method == NORMAL
    assert made.p_holm[0] < 1e-5 and (made.p_holm[1:] == 1).all()
    assert made.bonferroni_intervals[0].lower > 0
    assert family_method(10, 2000) == BOTH and family_method(11, 2000) == NORMAL


def test_both_ways_to_a_p_agree_where_both_can_be_had():
    x = np.random.default_rng(3).normal(1.8, 1.0, 200_000)
    assert difference_p(x, 1.8, method=NORMAL) == pytest.approx(difference_p(x, 1.8), abs=0.004)
    assert difference_p(np.zeros(50), 0.0, method=NORMAL) == 1.0
    assert difference_p(np.ones(99), 1.0, method=NORMAL) == pytest.approx(0.02)
    # of two draws the deviation is their distance over the root of two: 2 Phi(-1 / 2)
    assert difference_p([0.0, 2 * np.sqrt(2)], 1.0, method=NORMAL) == pytest.approx(2 * norm.cdf(-0.5))
    assert difference_p([1.0], 1.0, method=NORMAL) == 1.0


@pytest.mark.parametrize("n", [8, 60])
def test_few_units_are_judged_by_students_t(n):
    """Oracle: the t-test of a mean, whose bootstrap draws are means of resampled units."""
    rng = np.random.default_rng(n)
    x = rng.normal(0.1, 1.0, n)
    draws = x[rng.integers(0, n, (100_000, n))].mean(axis=1)
    oracle = ttest_1samp(x, 0.0)
    assert difference_p(draws, x.mean(), method=NORMAL, n_units=n) == pytest.approx(oracle.pvalue, rel=0.02)
    made = difference_interval(draws, x.mean(), 0.95, NORMAL, n)
    assert tuple(made) == pytest.approx(tuple(oracle.confidence_interval()), abs=0.01)
    wider = family([("a", "b")], [Pair(x.mean(), draws)], n_units=n)
    percentiles = difference_interval(draws, x.mean(), 0.95, PERCENTILE)
    (both,) = wider.bonferroni_intervals
    assert wider.method == BOTH and both.lower == made.lower < percentiles.lower
    assert both.upper == made.upper > percentiles.upper
    assert wider.p_value[0] == difference_p(draws, x.mean(), method=NORMAL, n_units=n) > bootstrap_p(draws)


def test_each_difference_has_its_own_units():
    draws = np.random.default_rng(5).normal(1.0, 0.4, 4_000)
    pairs, sides = [("a", "b")] * 3, [Pair(1.0, draws)] * 3
    made = family(pairs, sides, n_units=[8, 60, 1])
    alone = [
        family([pair], [side], n_units=n).p_value[0]
        for pair, side, n in zip(pairs, sides, (8, 60, 2), strict=True)
    ]
    assert made.p_value.tolist() == alone and alone[2] > alone[0] > alone[1]


@pytest.mark.parametrize(
    ("estimates", "draws"),
    [([1.0, 2.0], np.zeros((3, 5))), ([np.nan], np.zeros((1, 5))), ([1.0, 2.0], np.full((2, 5), np.nan))],
)
def test_bad_input_is_refused(estimates, draws):
    with pytest.raises(InputError):
        bootstrap_ranks(estimates, draws)
