"""Statistics digit by digit: resamples drawn as another program draws them, and limits cut as there."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from metacog.sdt.checks import FloatArray


def cohens_d(a: ArrayLike, b: ArrayLike) -> float:
    """Difference of two means, A minus B, over the pooled standard deviation (Cohen 1988).

    NaN where a group has fewer than two values or neither varies.
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.size < 2 or y.size < 2:
        return float("nan")
    pooled = ((x.size - 1) * x.var(ddof=1) + (y.size - 1) * y.var(ddof=1)) / (x.size + y.size - 2)
    return float((x.mean() - y.mean()) / np.sqrt(pooled)) if pooled > 0 else float("nan")


def bootstrap_cohens_d(
    a: Sequence[float], b: Sequence[float], *, n_resamples: int = 10_000, seed: int = 42
) -> FloatArray:
    """Cohen's d of resampled groups, sorted.

    Draws come from Python's own generator, group A before group B in each resample, value by value: the
    same seed gives the same draws on every system, and those of other programs that draw so. Resamples in
    which a group holds one value only are skipped.

    Returns
    -------
    array, shape ``(at most n_resamples,)``
    """
    source = random.Random(seed)
    found = []
    for _ in range(n_resamples):
        one = [source.choice(a) for _ in range(len(a))]
        other = [source.choice(b) for _ in range(len(b))]
        if len(set(one)) > 1 and len(set(other)) > 1:
            found.append(_d_of_lists(one, other))
    return np.sort(np.asarray(found, dtype=np.float64))


def _d_of_lists(a: Sequence[float], b: Sequence[float]) -> float:
    """Cohen's d of short lists: numpy's overhead would be most of the time."""
    n, m = len(a), len(b)
    mean_a, mean_b = sum(a) / n, sum(b) / m
    spread = sum((v - mean_a) ** 2 for v in a) + sum((v - mean_b) ** 2 for v in b)
    return (mean_a - mean_b) / (spread / (n + m - 2)) ** 0.5


def order_limits(draws: ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Percentile limits without interpolation: draws ``floor(B a)`` and ``floor(B (1 - a)) - 1`` from below.

    Where a printed interval is to be met digit by digit; elsewhere
    :func:`metacog.sdt.intervals.percentile_limits`.
    """
    values = np.sort(np.asarray(draws, dtype=np.float64))
    if values.size < 2:
        return float("nan"), float("nan")
    first = int((1 - level) / 2 * values.size)
    last = int((1 + level) / 2 * values.size) - 1
    return float(values[first]), float(values[last])
