"""Correlations without their data. Oracles: scipy, brute force over all orders, and closed forms."""

import itertools

import numpy as np
import pytest
from scipy import stats

from metacog.forensics.resamples import (
    mean_cosine,
    p_range,
    sizes_of_interval,
    sizes_of_p,
    solve_ranking,
    weak_orders,
)
from metacog.sdt import InputError
from metacog.sdt.correlations import correlation_p, fisher_interval


def test_the_number_of_pairs_is_found_again():
    for n in (12, 20, 24):
        low, high = fisher_interval(0.4321, n)
        printed = round(low, 2), round(high, 2)
        found = sizes_of_interval(0.432, *printed, range(6, 41), half_r=0.0005, half_end=0.005)
        assert n in found and len(found) <= 2
        p = round(correlation_p(0.4321, n), 3)
        assert n in sizes_of_p(0.432, p, range(6, 41), half_r=0.0005, half_p=0.0005)
    assert sizes_of_interval(0.9, -0.9, 0.95, range(6, 41), half_r=0.0005, half_end=0.005) == []
    small, large = p_range(0.3, 24, 0.0005)
    assert small < correlation_p(0.3, 24) < large


@pytest.mark.parametrize(("n", "many"), [(1, 1), (3, 13), (4, 75), (6, 4683)])
def test_weak_orders_are_all_there_once(n, many):
    """Fubini's numbers, and brute force."""
    orders = weak_orders(n)
    assert len(np.unique(orders, axis=0)) == len(orders) == many
    if n == 4:
        brute = {
            tuple(stats.rankdata(x, method="dense").astype(int) - 1)
            for x in itertools.product(range(4), repeat=4)
        }
        assert {tuple(map(int, o)) for o in orders} == brute
    with pytest.raises(InputError, match="1 to 8 objects"):
        weak_orders(9)


def test_a_hidden_ranking_is_found_and_an_impossible_one_is_not():
    rng = np.random.default_rng(4)
    scores = rng.integers(40, 90, (4, 7))  # ties happen
    hidden = np.array([3, 1, 1, 5, 9, 2, 6])
    rhos = [round(float(stats.spearmanr(hidden, s).statistic), 3) for s in scores]
    found = solve_ranking(scores, rhos, 0.0005)
    assert any(np.array_equal(row, stats.rankdata(hidden)) for row in found)
    assert solve_ranking(scores, [1.0, -1.0, *rhos[2:]], 0.0005).shape == (0, 7)
    with pytest.raises(InputError, match="a correlation for each"):
        solve_ranking(scores, rhos[:2], 0.0005)


def test_centred_rows_of_one_length_have_a_forced_cosine():
    assert mean_cosine(np.eye(5) - 0.2) == pytest.approx(-1 / 4)
    assert mean_cosine([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]]) == pytest.approx(1 / 3)
    with pytest.raises(InputError, match="no direction"):
        mean_cosine([[0.0, 0.0], [1.0, 0.0]])
