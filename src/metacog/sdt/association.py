"""How far two columns go together, how far two groups lie apart, and how sure that is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from ._checks import InputError
from ._tables import FloatArray
from .correlation import fisher_interval


@dataclass(frozen=True)
class Correlation:
    """A correlation with Fisher's interval.

    Attributes
    ----------
    r, lower, upper : float
        NaN where it is undefined: fewer than four pairs for the interval, a constant column for all.
    n : int
    kind : {'pearson', 'spearman'}
    """

    r: float
    lower: float
    upper: float
    n: int
    kind: str

    def excludes(self, value: float = 0.0) -> bool:
        """Whether ``value`` lies outside the interval."""
        return bool(np.isfinite(self.lower)) and not self.lower <= value <= self.upper


def correlation(x: ArrayLike, y: ArrayLike, kind: str = "pearson", level: float = 0.95) -> Correlation:
    """Pearson's or Spearman's correlation with an interval by Fisher's transformation.

    Pairs of which one is NaN are left out. Fewer than three pairs, or values that do not vary, have no
    correlation (NaN).

    Parameters
    ----------
    x, y : arrays, shape ``(n,)``
    kind : {'pearson', 'spearman'}
        Spearman's is Pearson's of the ranks, ties sharing their mean rank.
    level : float

    Raises
    ------
    InputError
        Different lengths, or an unknown kind.

    Notes
    -----
    atanh(r) is nearly normal with variance 1/(n - 3) (Fisher 1921); for ranks (1 + r^2/2)/(n - 3)
    (Bonett & Wright 2000, Psychometrika 65, 23-28).
    """
    if kind not in ("pearson", "spearman"):
        raise InputError(f"no correlation named {kind!r}; use 'pearson' or 'spearman'")
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError("a correlation needs two lists of one length")
    both = np.isfinite(a) & np.isfinite(b)
    a, b = a[both], b[both]
    n = int(a.size)
    if n < 3:
        return Correlation(np.nan, np.nan, np.nan, n, kind)
    if kind == "spearman":
        a, b = rankdata(a), rankdata(b)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return Correlation(np.nan, np.nan, np.nan, n, kind)
    r = float(np.clip(np.corrcoef(a, b)[0, 1], -1, 1))
    if n < 4 or abs(r) == 1:
        return Correlation(r, np.nan, np.nan, n, kind)
    ends = fisher_interval(r, n, level, 1 + r**2 / 2 if kind == "spearman" else 1.0)
    return Correlation(r, *ends, n, kind)


def spearman_brown(r: float, times: float = 2.0) -> float:
    """Reliability of a test ``times`` as long as the one whose reliability is ``r``.

    k r/(1 + (k - 1) r) (Spearman 1910; Brown 1910); NaN where r <= -1/(k - 1).
    """
    bottom = 1 + (times - 1) * r
    return times * r / bottom if bottom > 0 else float("nan")


def cohens_d(a: ArrayLike, b: ArrayLike) -> float:
    """Difference of two means, A less B, over the pooled standard deviation (Cohen 1988).

    NaN where a group has fewer than two values or neither varies.
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.size < 2 or y.size < 2:
        return float("nan")
    pooled = ((x.size - 1) * x.var(ddof=1) + (y.size - 1) * y.var(ddof=1)) / (x.size + y.size - 2)
    return float((x.mean() - y.mean()) / np.sqrt(pooled)) if pooled > 0 else float("nan")


def bootstrap_cohens_d(
    a: Sequence[float], b: Sequence[float], n_resamples: int = 10_000, seed: int = 42
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


def order_limits(draws: ArrayLike, level: float = 0.95) -> tuple[float, float]:
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
