"""An observer of two choices whose confidence uses all of its evidence, and who gives each rating as often as somebody.

Evidence is normal around -d'/2 and d'/2 with standard deviation 1. Beyond the criterion c the answer is "S2", and
confidence is the distance from it. Counts have the shape ``(..., 2, 2, K)``: stimulus, response, and confidence,
lowest first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from metacog.sdt.checks import FloatArray

#: Standard deviations beyond both means within which all evidence lies.
_FAR = 10


def ideal_cuts(d_prime: ArrayLike, c: ArrayLike, counts: ArrayLike) -> FloatArray:
    """Distances from the criterion at which each rating ends, ``(..., 2, K)`` by response; the last is all evidence.

    ``counts`` say how often each rating is given with each response.
    """
    x, far = np.asarray(counts, dtype=np.float64), _farthest(d_prime, c)
    used, shown = x.sum(axis=-3), x.sum(axis=(-2, -1))[..., None, None]
    total = used.sum(axis=-1, keepdims=True)
    wanted = np.cumsum(used, axis=-1) / np.where(total > 0, total, 1)
    wanted *= (shown * _within(far, d_prime, c)).sum(axis=-3)
    low, high = np.zeros(wanted.shape), np.broadcast_to(far, wanted.shape)
    for _ in range(45):
        cut = (low + high) / 2
        over = (shown * _within(cut, d_prime, c)).sum(axis=-3) > wanted
        low, high = np.where(over, low, cut), np.where(over, cut, high)
    return np.asarray(high)


def ideal_counts(d_prime: ArrayLike, c: ArrayLike, counts: ArrayLike) -> FloatArray:
    """Expected counts of that observer, for as many trials of each stimulus."""
    x = np.asarray(counts, dtype=np.float64)
    within = _within(ideal_cuts(d_prime, c, x), d_prime, c)
    shares = np.maximum(np.diff(within, prepend=0.0), 0.0)  # rounding of a rating that nobody gave
    return np.asarray(x.sum(axis=(-2, -1))[..., None, None] * shares)


def _farthest(d_prime: ArrayLike, c: ArrayLike) -> FloatArray:
    return np.asarray(np.abs(np.asarray(d_prime)) / 2 + np.abs(np.asarray(c)) + _FAR)[..., None, None]


def _within(cut: FloatArray, d_prime: ArrayLike, c: ArrayLike) -> FloatArray:
    """How often evidence of each stimulus leads to each response and lies less than a cut ``(..., 2, K)`` from c."""
    side = np.array([-1.0, 1.0])
    mean = side * np.asarray(d_prime)[..., None] / 2 - np.asarray(c)[..., None]
    beyond = (side * mean[..., None])[..., None]  # stimulus, response
    return np.asarray(ndtr(cut[..., None, :, :] - beyond) - ndtr(-beyond))
