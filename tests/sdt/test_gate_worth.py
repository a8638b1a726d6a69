"""Oracles: each resample's trials judged by the plain gate, and confidence that knows nothing."""

import numpy as np
import pytest

from metacog.sdt import InputError
from metacog.sdt.gate import cheapest, gate, gate_worth
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import cluster_weights


def by_hand(right, sure, bar, first):
    """Both halves judged by the other's threshold, with the plain gate."""
    through = slipped = 0
    for own in (first, ~first):
        other = gate(right[~own], sure[~own])
        threshold = other.threshold[cheapest(other, bar)]
        passes = own & (sure >= threshold)  # NaN is never let through
        through, slipped = through + passes.sum(), slipped + (passes & (right == 0)).sum()
    return 1 - slipped / (right == 0).sum() - (1 - through / right.size)


@pytest.mark.parametrize("bar", [1.0, 0.5, 0.2, 0.0])
def test_worth_and_draws_are_those_of_the_plain_gate(bar):
    rng = np.random.default_rng(1)
    right, sure = rng.integers(0, 2, 40).astype(float), rng.integers(0, 6, 40) / 5
    sure[[3, 17]] = np.nan
    first = np.zeros(40, dtype=bool)
    first[np.random.default_rng(7).permutation(40)[:20]] = True
    found = gate_worth(right, sure, bar, n_resamples=30, seed=7)
    assert found.worth == pytest.approx(by_hand(right, sure, bar, first))
    assert found.worth == pytest.approx(1 - found.missed - found.load)
    drawn = []
    for w in cluster_weights(40, 30, np.random.default_rng(7)).astype(int):
        again = np.repeat(np.arange(40), w)
        drawn.append(by_hand(right[again], sure[again], bar, first[again]))
    assert (found.lower, found.upper) == pytest.approx(percentile_limits(drawn))


@pytest.mark.parametrize("accuracy", [0.1, 0.5, 0.9])
def test_random_confidence_is_worth_nothing_on_the_other_half(accuracy):
    """Picked and judged on the same answers it seems worth something; 95 % intervals, two errors allowed."""
    rng, runs, clear, same, held = np.random.default_rng(3), 200, 0, [], []
    for seed in range(runs):
        right, sure = (rng.random(60) < accuracy).astype(float), rng.integers(0, 8, 60) / 8
        right[:2] = 0, 1
        found = gate_worth(right, sure, 0.2, n_resamples=200, seed=seed)
        own = gate(right, sure)
        at = cheapest(own, 0.2)
        clear, held = clear + (found.lower > 0), [*held, found.worth]
        same.append(1 - own.missed[at] - own.load[at])
    error = np.std(held) / np.sqrt(runs)
    assert clear / runs <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)
    assert abs(np.mean(held)) <= 2.5 * error and np.mean(same) > np.mean(held)


def test_confidence_that_knows_is_worth_its_errors():
    """Sure only when right: everything wrong is escalated and nothing else."""
    right = np.arange(60) % 3 != 0
    found = gate_worth(right, np.where(right, 0.9, 0.1), 0.0, n_resamples=100)
    assert (found.load, found.missed) == pytest.approx((1 / 3, 0.0)) and found.lower > 0.5


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="between 0 and 1"):
        gate_worth([1, 0], [0.1, 0.2], 1.5)
    with pytest.raises(InputError, match="two clusters"):
        gate_worth([1, 0], [0.1, 0.2], 0.5, clusters=["q", "q"])
    with pytest.raises(InputError, match="same trials"):
        gate_worth([1, 0], [0.1], 0.5)
