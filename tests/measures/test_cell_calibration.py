"""ECE with its interval. Oracle: answers drawn from the stated probabilities."""

import numpy as np
import pytest

from metacog.measures.cell import Cell
from metacog.measures.estimates import calibration_error, measure
from metacog.sdt import ece


def cell_of(correct, stated):
    rating = np.minimum((4 * stated).astype(np.int64), 3)
    return Cell(correct, stated, rating, 4, stated, np.arange(correct.size))


def test_the_interval_contains_0_for_a_calibrated_signal():
    """Of 100 intervals 95 contain 0, two standard errors allowed."""
    rng, held = np.random.default_rng(5), 0
    for _ in range(100):
        stated = rng.beta(4, 2, 60)
        cell = cell_of(rng.random(60) < stated, stated)
        weights = np.concatenate([np.ones((1, 60)), rng.multinomial(60, np.full(60, 1 / 60), 60)])
        made = calibration_error(cell, weights)
        low, high = made.bounds["ece_debiased"]
        held += low <= 0 <= high
        assert low <= made.values["ece_debiased"] <= high
    assert held / 100 >= 0.95 - 2 * np.sqrt(0.95 * 0.05 / 100)


def test_a_measured_cell_takes_further_estimators():
    rng = np.random.default_rng(1)
    stated = rng.random(80)
    correct = rng.random(80) < stated
    made = measure(cell_of(correct, stated), n_resamples=50, estimators=[calibration_error])
    assert made.values["ece_debiased"] == pytest.approx(ece(correct, stated, debiased=True))
    assert made.defined("ece_calibrated") and len(made.draws["ece_debiased"]) == 50
    few = measure(cell_of(np.arange(80) < 5, stated), n_resamples=50, estimators=[calibration_error])
    assert "ece_calibrated" not in few.values
