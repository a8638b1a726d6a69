"""Oracles: DeLong's paired test for two signals on one set of answers, all pairs by weight, simulated coverage."""

from __future__ import annotations

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


def test_the_interval_covers_where_answers_and_confidence_differ():
    """Two models on the same questions: the truth is the mean over many simulated runs."""
    rng = np.random.default_rng(2)
    values, covered, found = [], 0, []
    for _ in range(400):
        difficulty = rng.normal(size=300)
        right = [difficulty + rng.normal(size=300) > cut for cut in (0.3, 0.8)]
        score = [difficulty + width * rng.normal(size=300) for width in (0.5, 1.5)]
        found.append(area_contrast(right, score, [1, -1]))
        values.append(found[-1].value)
    truth = float(np.mean(values))
    covered = sum(f.lower <= truth <= f.upper for f in found)
    assert 0.92 <= covered / 400 <= 0.98
    assert np.mean([f.se for f in found]) == pytest.approx(np.std(values), rel=0.1)


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
