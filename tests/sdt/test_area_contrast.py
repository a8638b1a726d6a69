"""Oracles: DeLong's paired test for two signals on one set of answers, all pairs by weight, simulated coverage."""

import warnings

import numpy as np
import pytest

from metacog.sdt import InputError, auroc2, delong_paired
from metacog.sdt.area_contrasts import area_contrast, areas_and_moves


def test_a_difference_on_the_same_answers_is_delongs():
    rng = np.random.default_rng(1)
    strength = rng.normal(size=600)
    right = rng.random(600) < 1 / (1 + np.exp(-strength))
    a, b = strength + rng.normal(size=600), strength + 2 * rng.normal(size=600)
    found, theirs = area_contrast([right, right], [a, b], [1, -1]), delong_paired(right, a, b)
    assert found.value == pytest.approx(theirs.difference, abs=1e-12)
    assert found.se == pytest.approx(theirs.se, rel=5e-3)
    assert found.areas == pytest.approx((auroc2(right, a), auroc2(right, b)))


def test_thin_and_empty_classes_have_no_interval():
    right = np.zeros(50, dtype=bool)
    score = np.arange(50.0)
    empty = area_contrast([right, right], [score, score], [1, -1])
    assert np.isnan(empty.value) and "one class" in empty.why
    right[:3] = True
    thin = area_contrast([right, right], [score, -score], [1, -1])
    assert np.isfinite(thin.value) and np.isnan(thin.lower) and "fewer than 10" in thin.why


def weighted_area(right, score, weight):
    """AUROC2 of items that count by their weight, over all pairs."""
    known = np.isfinite(right) & np.isfinite(score)
    pairs = np.outer(weight, weight)[np.ix_(known & (right == 1), known & (right == 0))]
    gap = np.subtract.outer(score[known & (right == 1)], score[known & (right == 0)])
    return (pairs * ((gap > 0) + 0.5 * (gap == 0))).sum() / pairs.sum()


@pytest.mark.parametrize("complete", [True, False])
def test_moves_are_the_derivative_by_the_weight_of_an_item(complete):
    rng = np.random.default_rng(4)
    right, score = rng.integers(0, 2, (4, 25)).astype(float), rng.integers(0, 6, 25).astype(float)
    right[2], right[3, :3] = 1.0, np.nan
    if not complete:
        score[[1, 7]] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        areas, moves = areas_and_moves(right, score)
    assert np.isnan(areas[2]) and not moves[2].any()
    for k in (0, 1, 3):
        assert areas[k] == pytest.approx(weighted_area(right[k], score, np.ones(25)))
        slopes = [
            (weighted_area(right[k], score, 1 + step) - weighted_area(right[k], score, 1 - step)) / 2e-5
            for step in 1e-5 * np.eye(25)
        ]
        assert moves[k] == pytest.approx(np.array(slopes), abs=1e-9)


def test_arrays_must_be_of_the_same_questions():
    with pytest.raises(InputError, match="3 trials where correct has 2"):
        area_contrast([[0, 1], [0, 1, 1]], [[0.1, 0.2], [0.1, 0.2, 0.3]], [1, -1])
    with pytest.raises(InputError, match="as many"):
        area_contrast([[0, 1]], [], [1])
