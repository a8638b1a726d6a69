"""AUROC2 of few answers, and of two sets of them. Oracles: Newcombe's equation, all pairs, and simulation."""

import math

import numpy as np
import pytest
from scipy.stats import norm, t

from metacog.sdt.area_differences import auroc2_score_interval, compare_areas
from metacog.sdt.checks import InputError


def newcombe(area, right, wrong):
    """All areas on a fine grid that the observed one does not rule out."""
    grid = np.linspace(0, 1, 200_001)
    n = (right + wrong) / 2 - 1
    v = grid * (1 - grid) / (right * wrong) * (1 + n * (1 - grid) / (2 - grid) + n * grid / (1 + grid))
    kept = grid[np.abs(area - grid) <= t(right + wrong - 2).ppf(0.975) * np.sqrt(v) + 1e-12]
    return kept.min(), kept.max()


@pytest.mark.parametrize("order", [[0, 0, 1, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1]])
def test_the_interval_is_newcombes_also_at_an_area_of_0_or_1(order):
    found = auroc2_score_interval(order, np.arange(7.0))
    right, wrong = sum(order), 7 - sum(order)
    places = [(i, r) for i, r in enumerate(order)]
    pairs = [(a > b) for a, r in places if r for b, q in places if not q]
    assert found.estimate == pytest.approx(np.mean(pairs))
    wanted = newcombe(found.estimate, right, wrong)
    if found.estimate in (0, 1):  # the grid keeps the end itself
        wanted = (wanted[0], 1.0) if found.estimate else (0.0, wanted[1])
    assert (found.lower, found.upper) == pytest.approx(wanted, abs=2e-5)
    assert found.upper - found.lower > 0.3


def test_tied_confidence_and_one_class_are_refused():
    assert "tied" in auroc2_score_interval([0, 1, 1, 0], [5.0] * 4).reason
    assert "tied" in compare_areas([0, 1, 1, 0], [5.0] * 4, [0, 1, 1], [1.0, 2, 3]).why
    assert "three" in auroc2_score_interval([0, 1], [1.0, 2]).reason
    with pytest.raises(InputError, match="no incorrect"):
        auroc2_score_interval([1, 1, 1], [1.0, 2, 3])
    with pytest.raises(InputError, match="level"):
        auroc2_score_interval([0, 1, 1], [1.0, 2, 3], level=1)


def test_a_difference_turns_with_the_order_and_puts_distances_together():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, 30), rng.integers(0, 2, 15)
    x, y = rng.normal(a), rng.normal(b)
    found, turned = compare_areas(a, x, b, y), compare_areas(b, y, a, x)
    assert found.difference == pytest.approx(found.a.estimate - found.b.estimate)
    assert (turned.lower, turned.upper) == pytest.approx((-found.upper, -found.lower))
    low = math.hypot(found.a.estimate - found.a.lower, found.b.upper - found.b.estimate)
    assert found.lower == pytest.approx(found.difference - low)


@pytest.mark.parametrize("knows", [0.0, 1.0])
@pytest.mark.parametrize("right", [0.3, 0.5])
def test_the_limits_of_a_difference_hold_the_truth(knows, right):
    """Simulation: areas Phi(d/sqrt 2) from normal evidence, 24 and 12 answers."""
    rng, missed, runs = np.random.default_rng([int(knows), int(10 * right)]), 0, 500
    truth = norm.cdf(knows / math.sqrt(2)) - 0.5
    for _ in range(runs):
        a, b = rng.permutation(24) < round(24 * right), rng.permutation(12) < round(12 * right)
        found = compare_areas(a, rng.normal(a * knows), b, rng.normal(size=12))
        missed += not found.lower <= truth <= found.upper
    assert missed / runs <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)
