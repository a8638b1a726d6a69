"""Confidence gates. Oracles: counts by hand, a loop over thresholds, and the risk-coverage curve."""

import numpy as np
import pytest

from metacog.sdt import selective
from metacog.sdt.checks import InputError
from metacog.sdt.gate import cheapest, gate


def test_counts_by_hand():
    right, sure = [1, 0, 1, 0, 1], [0.9, 0.8, 0.5, 0.5, 0.2]
    found = gate(right, sure, thresholds=[0.0, 0.5, 0.6, 0.95])
    assert found.load.tolist() == pytest.approx([0, 0.2, 0.6, 1])
    assert found.missed_errors.tolist() == [2, 2, 1, 0] and found.missed.tolist() == [1, 1, 0.5, 0]
    assert found.risk[:3].tolist() == pytest.approx([0.4, 0.5, 0.5]) and np.isnan(found.risk[3])
    assert (found.n, found.errors) == (5, 2)


def test_a_loop_over_thresholds_says_the_same():
    rng = np.random.default_rng(3)
    sure, right = rng.integers(0, 11, 200) / 10, rng.integers(0, 2, 200)
    sure[::17] = np.nan
    found = gate(right, sure)
    assert found.load[-1] == 1 and found.missed[-1] == 0
    for k, cut in enumerate(found.threshold):
        through = sure >= cut  # NaN is never let through
        assert found.load[k] == pytest.approx(1 - through.mean())
        assert found.missed_errors[k] == (through & (right == 0)).sum()


def test_risk_is_that_of_the_risk_coverage_curve():
    rng = np.random.default_rng(4)
    sure, right = rng.permutation(100) / 100, rng.integers(0, 2, 100)
    found, curve = gate(right, sure), selective.risk_coverage(right, sure)
    assert found.risk[:-1] == pytest.approx(curve.risk[::-1])


def test_the_cheapest_gate_is_the_best_of_all():
    right, sure = [1, 0, 1, 0, 1], [0.9, 0.8, 0.5, 0.5, 0.2]
    found = gate(right, sure)
    for bar in (0, 0.5, 1):
        loads = [a for a, b in zip(found.load, found.missed, strict=True) if b <= bar]
        assert found.load[cheapest(found, bar)] == min(loads)
    assert gate([1, 1], [0.2, 0.4]).load[cheapest(gate([1, 1], [0.2, 0.4]), 0.0)] == 0
    with pytest.raises(InputError, match="add a higher threshold"):
        cheapest(gate(right, sure, thresholds=[0.1]), 0.0)
    with pytest.raises(InputError, match="between 0 and 1"):
        cheapest(found, 2.0)


def test_no_confidence_at_all_escalates_everything():
    found = gate([1, 0], [np.nan, np.nan])
    assert found.load.tolist() == [1] and found.missed_errors.tolist() == [0]


@pytest.mark.parametrize(
    ("right", "sure", "cuts"),
    [
        ([], [], None),
        ([1], [1, 2], None),
        ([2], [0.5], None),
        ([1], [np.inf], None),
        ([1], [0.5], [1, 1]),
        ([1], [0.5], [np.nan]),
        ([1], [0.5], []),
    ],
)
def test_what_cannot_be_judged_is_refused(right, sure, cuts):
    with pytest.raises(InputError):
        gate(right, sure, thresholds=cuts)
