"""Correlations with intervals and p-values, and the reliability of a longer test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtr

from metacog.sdt.checks import InputError, as_lists, average_ranks
from metacog.sdt.intervals import Interval


@dataclass(frozen=True)
class Correlation:
    """A correlation of ``n`` pairs with Fisher's interval.

    ``r`` is NaN below three pairs or where one never varies, the interval also below four.
    """

    r: float
    lower: float
    upper: float
    n: int
    kind: str

    def excludes(self, value: float = 0.0) -> bool:
        """Whether ``value`` lies outside the interval."""
        return bool(np.isfinite(self.lower)) and not self.lower <= value <= self.upper


def correlation(x: ArrayLike, y: ArrayLike, *, kind: str = "pearson", level: float = 0.95) -> Correlation:
    """Pearson's or Spearman's correlation with an interval by Fisher's transformation, pairs with NaN left out.

    atanh(r) is nearly normal with variance 1/(n - 3) (Fisher 1921); for ranks (1 + r^2/2)/(n - 3) (Bonett &
    Wright 2000, Psychometrika 65, 23-28).
    """
    if kind not in ("pearson", "spearman"):
        raise InputError(f"no correlation named {kind!r}; use 'pearson' or 'spearman'")
    a, b = as_lists(x, y)
    both = np.isfinite(a) & np.isfinite(b)
    a, b = a[both], b[both]
    n = int(a.size)
    if n < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return Correlation(np.nan, np.nan, np.nan, n, kind)
    if kind == "spearman":
        a, b = average_ranks(a), average_ranks(b)
    r = float(np.clip(np.corrcoef(a, b)[0, 1], -1, 1))
    if n < 4 or abs(r) == 1:
        return Correlation(r, np.nan, np.nan, n, kind)
    ends = fisher_interval(r, n, level=level, factor=1 + r**2 / 2 if kind == "spearman" else 1.0).ends
    return Correlation(r, *ends, n, kind)


def fisher_interval(r: float, n: int, *, level: float = 0.95, factor: float = 1.0) -> Interval:
    """Interval of a correlation of four pairs or more by Fisher's z: tanh(atanh r -/+ z sqrt(factor/(n - 3))).

    ``factor`` of the variance is 1 for Pearson's r, 1 + rho^2/2 for Spearman's (Bonett & Wright 2000).
    """
    _check(r, n, 4)
    if abs(r) == 1:
        return Interval(r, r, r, level)
    half = float(ndtri(0.5 + level / 2)) * np.sqrt(factor / (n - 3))
    z = np.arctanh(r)
    return Interval(r, float(np.tanh(z - half)), float(np.tanh(z + half)), level)


def correlation_p(r: float, n: int) -> float:
    """Two-sided p of a correlation of three pairs or more by Student's t with n - 2 degrees of freedom."""
    _check(r, n, 3)
    if abs(r) == 1:
        return 0.0
    return float(2 * stdtr(n - 2, -(abs(r) * np.sqrt((n - 2) / (1 - r * r)))))


def _check(r: float, n: int, least: int) -> None:
    if not -1 <= r <= 1:
        raise InputError(f"a correlation lies between -1 and 1, not at {r}")
    if n < least:
        raise InputError(f"at least {least} pairs are needed; got {n}")


def spearman_brown(r: float, *, times: float = 2.0) -> float:
    """Reliability of a test k ``times`` as long as the one whose reliability is ``r``: k r/(1 + (k - 1) r).

    Spearman (1910), Brown (1910); NaN where r <= -1/(k - 1).
    """
    bottom = 1 + (times - 1) * r
    return times * r / bottom if bottom > 0 else float("nan")


def intraclass(values: ArrayLike) -> float:
    """Intraclass correlation of ``(n, k)``: n people, each measured k times; people with a missing value left out.

    (MSB - MSW)/(MSB + (k - 1) MSW) with the mean squares between and within people: one-way random effects, of a single
    measurement (ICC(1,1) of Shrout & Fleiss 1979). NaN below three people or without any variance.
    """
    x = np.asarray(values, dtype=np.float64)
    x = x[np.isfinite(x).all(axis=1)]
    n, k = x.shape
    if n < 3 or k < 2:
        return float("nan")
    means = x.mean(axis=1)
    between = k * means.var(ddof=1)
    within = ((x - means[:, None]) ** 2).sum() / (n * (k - 1))
    total = between + (k - 1) * within
    return float((between - within) / total) if total > 0 else float("nan")
