"""Confidence gates. Oracles: counts by hand, a loop over thresholds, and the risk-coverage curve."""

import numpy as np
import pytest

from metacog.sdt import selective, wilson
from metacog.sdt.checks import InputError
from metacog.sdt.gate import TOLD, gate


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


def test_what_is_told_of_a_threshold_by_hand():
    right, sure = [1, 0, 1, 0, 1, 1], [0.9, 0.8, 0.5, 0.5, 0.2, np.nan]
    found = gate(right, sure, thresholds=[0.0, 0.6, 0.85, 0.95])
    told = found.told()
    assert told["answered"].tolist() == pytest.approx([5 / 6, 2 / 6, 1 / 6, 0])
    assert told["caught"].tolist() == [0, 0.5, 1, 1]
    assert told["withheld"].tolist() == [0.25, 0.75, 0.75, 1]
    assert told["right_answered"][:3].tolist() == pytest.approx([0.6, 0.5, 1]) and np.isnan(
        told["right_answered"][3]
    )
    low, high = wilson(3 / 5, 5)
    assert (told["right_answered_lower"][0], told["right_answered_upper"][0]) == pytest.approx((low, high))
    assert {name for name in told if not name.endswith(("_lower", "_upper"))} == {"threshold", *TOLD}
    assert found.picked == 0  # three right decisions there, and at .85: the lowest of both


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
