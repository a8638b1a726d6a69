"""Oracles: the plain debiased ECE, signals calibrated by construction, and answers at odds with them."""

import numpy as np
import pytest

from metacog.sdt import InputError, ece
from metacog.sdt.calibrated_by_chance import if_calibrated
from metacog.sdt.calibration import debiased_ece, reliability_diagram


def test_the_batch_is_the_debiased_ece_of_each_table():
    rng = np.random.default_rng(0)
    tables, plain = [], []
    for _ in range(20):
        p, y = rng.random(60).round(2), rng.integers(0, 2, 60)
        found = reliability_diagram(y, p)
        parts = np.zeros((3, 10))
        parts[:, (found.lower * 10).round().astype(int)] = found.count * [
            np.ones_like(found.accuracy),
            found.accuracy,
            found.confidence,
        ]
        tables.append(parts)
        plain.append(ece(y, p, debiased=True))
    assert debiased_ece(*np.stack(tables, axis=1)) == pytest.approx(plain)
    assert np.isnan(debiased_ece(np.zeros(3), np.zeros(3), np.zeros(3)))


def test_a_calibrated_signal_is_rejected_in_five_percent():
    """Exact under calibration: of 400 runs 5 % are rejected, two standard errors to either side."""
    rng, rejected, off = np.random.default_rng(1), 0, []
    for seed in range(400):
        p = rng.beta(4, 2, 60)
        found = if_calibrated(rng.random(60) < p, p, n_draws=99, seed=seed)
        rejected += found.p_value <= 0.05
        off.append(found.ece - found.mean)
    error = np.sqrt(0.05 * 0.95 / 400)
    assert abs(rejected / 400 - 0.05) <= 2 * error
    assert abs(np.mean(off)) <= 2 * np.std(off) / 20


def test_overconfidence_is_rejected():
    rng = np.random.default_rng(2)
    p = rng.uniform(0.7, 1.0, 100)
    found = if_calibrated(rng.random(100) < p - 0.3, p)
    assert found.p_value < 0.01 and found.ece > found.upper > found.mean > 0


def test_trials_of_one_question_come_true_together():
    """Each trial four times over: as trials of one question the range of a calibrated signal stays wide."""
    rng = np.random.default_rng(3)
    p = rng.random(40)
    y, copies = rng.random(40) < p, np.tile(p, 4)
    once = if_calibrated(y, p)
    together = if_calibrated(np.tile(y, 4), copies, clusters=np.tile(np.arange(40), 4))
    apart = if_calibrated(np.tile(y, 4), copies)
    assert together.upper > 0.9 * once.upper > apart.upper


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="one label"):
        if_calibrated([1, 0], [0.5, 0.6], clusters=["q"])
    with pytest.raises(InputError, match="level"):
        if_calibrated([1, 0], [0.5, 0.6], level=1.0)
    with pytest.raises(InputError, match="confidence must lie"):
        if_calibrated([1, 0], [50, 60])
