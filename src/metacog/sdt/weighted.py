"""Weighted sums of independent shares, such as a mean over strata of differences of shares.

An interval by inverting the score test, with a correction for skewness, and an exact test within strata.
Both are made for small groups: a stratum may have a single trial of one kind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from metacog.sdt.checks import FloatArray, InputError, check_level
from metacog.sdt.intervals import Interval

#: Bisections of the multiplier: the ends are exact to about 1e-12.
_STEPS = 64

#: Largest inverse hyperbolic sine of the multiplier: beyond it a tilted share is 0 or 1 to 1e-6.
_FARTHEST = 16.0


def weighted_shares(hits: ArrayLike, n: ArrayLike, weights: ArrayLike, *, level: float = 0.95) -> Interval:
    """A weighted sum of independent shares with a score interval.

    Parameters
    ----------
    hits, n : arrays, shape ``(k,)``
        Successes and trials of each group.
    weights : array, shape ``(k,)``
        For a mean over s strata of differences of two shares: 1/s for the one group, -1/s for the other.
    level : float

    Returns
    -------
    Interval
        Undefined (NaN) where a group has no trial, or there is no group.

    Raises
    ------
    InputError
        Arrays of different shape, or more successes than trials.

    References
    ----------
    Gart & Nam (1990), Biometrics 46, 637-643, for the score interval with its correction for skewness.

    Examples
    --------
    >>> from metacog.sdt import weighted_shares
    >>> hits, n = [18, 12], [20, 20]
    >>> found = weighted_shares(hits, n, weights=[0.5, 0.5])
    >>> print(f"{found.estimate:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    0.75 [0.61, 0.86]
    """
    x, size, w = (np.asarray(v, dtype=np.float64) for v in (hits, n, weights))
    if not x.ndim == 1 or not x.shape == size.shape == w.shape:
        raise InputError("successes, trials and weights must be lists of one length")
    if x.size == 0 or (size == 0).any():
        return Interval(np.nan, np.nan, np.nan, level)
    estimate, lower, upper = weighted_share_limits(x, size, w, level=level)
    return Interval(float(estimate), float(lower), float(upper), level)


def weighted_share_limits(
    hits: ArrayLike, n: ArrayLike, weights: ArrayLike, *, level: float = 0.95
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The same for many tables ``(..., k)`` at once: estimates, lower ends, upper ends.

    For each value d of the sum the shares p are those of greatest likelihood that give it: with d = sum_i w_i
    p_i they solve x_i - n_i p_i = lambda w_i p_i (1 - p_i), one quadratic for each group, and d falls as lambda
    rises (Martin Andres, Alvarez Hernandez & Herranz Tejedor 2011, Stat. Methods Med. Res. 20, 369-387). An end
    of the interval is the d at which (estimate - d)/sqrt(V) = +/-z + g (z^2 - 1)/6, where V and g are the
    variance and skewness of the estimate at those shares (Gart & Nam 1990, Biometrics 46, 637-643). The
    skewness is held within -/+3/z, beyond which that expansion is not monotone in z.
    """
    x, size, w = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (hits, n, weights)))
    if (size <= 0).any() or (x < 0).any() or (x > size).any():
        raise InputError("every group needs a trial, and successes lie between 0 and the trials")
    check_level(level)
    z = float(ndtri((1 + level) / 2))
    estimate = (w * x / size).sum(axis=-1)
    lower, upper = (_end(x, size, w, estimate, side * z) for side in (1, -1))
    return estimate, np.minimum(lower, estimate), np.maximum(upper, estimate)


def _end(x: FloatArray, n: FloatArray, w: FloatArray, estimate: FloatArray, z: float) -> FloatArray:
    """Where the corrected score statistic is ``z``: the lower end for a positive one."""
    low = np.full(estimate.shape, -_FARTHEST)
    high = -low
    for _ in range(_STEPS):
        middle = (low + high) / 2
        below = _statistic(x, n, w, estimate, np.sinh(middle), z)[0] < z
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return _statistic(x, n, w, estimate, np.sinh((low + high) / 2), z)[1]


def _statistic(
    x: FloatArray, n: FloatArray, w: FloatArray, estimate: FloatArray, multiplier: FloatArray, z: float
) -> tuple[FloatArray, FloatArray]:
    """The corrected statistic at a multiplier, and the value of the sum there."""
    p = tilted(x, n, multiplier[..., None] * w)
    value, spread = (w * p).sum(axis=-1), p * (1 - p)
    variance = (w**2 * spread / n).sum(axis=-1)
    third = (w**3 * spread * (1 - 2 * p) / n**2).sum(axis=-1)
    away = estimate - value
    with np.errstate(divide="ignore", invalid="ignore"):
        skewness = np.where(variance > 0, third / variance**1.5, 0.0)
        score = np.where(variance > 0, away / np.sqrt(variance), 0.0)
    sure = np.where(np.abs(away) > 1e-12, np.copysign(np.inf, away), 0.0)
    score = np.where(variance > 0, score, sure)
    return score - np.clip(skewness, -3 / abs(z), 3 / abs(z)) * (z**2 - 1) / 6, value


def tilted(x: FloatArray, n: FloatArray, tilt: FloatArray) -> FloatArray:
    """The share p in 0 to 1 with x - n p = tilt p (1 - p): x/n without tilt, less with a positive one."""
    b = n + tilt
    root = np.sqrt(np.maximum(b**2 - 4 * tilt * x, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(b > 0, 2 * x / (b + root), (b - root) / (2 * tilt))
    return np.clip(p, 0.0, 1.0)


@dataclass(frozen=True)
class StratifiedTest:
    """Exact p-values of a weighted sum of differences of shares.

    Attributes
    ----------
    observed : float
        The weighted sum, in shares.
    greater, two_sided : float
        Chance of a sum as large, and of one as far from 0, when trials change groups within strata.
    """

    observed: float
    greater: float
    two_sided: float


def stratified_permutation(
    hits_a: ArrayLike, n_a: ArrayLike, hits_b: ArrayLike, n_b: ArrayLike, *, weights: ArrayLike | None = None
) -> StratifiedTest:
    """Exact permutation test of a mean of differences of shares, trials changing groups within strata.

    Parameters
    ----------
    hits_a, n_a, hits_b, n_b : arrays, shape ``(s,)``
        Successes and trials of both groups in each stratum.
    weights : array, shape ``(s,)``, optional
        1/s each without it.

    Returns
    -------
    StratifiedTest

    Raises
    ------
    InputError
        No stratum, a group without a trial, or more successes than trials.

    Notes
    -----
    Given both margins the successes of group B are hypergeometric in each stratum, independently. All
    outcomes of one half of the strata are set against those of the other, so the p-values are exact.

    Examples
    --------
    >>> from metacog.sdt import stratified_permutation
    >>> found = stratified_permutation([9, 5], [10, 10], [4, 2], [10, 10])
    >>> print(f"{found.observed:.2f}, p {found.two_sided:.3f}")
    0.40, p 0.020
    """
    a, n, b, m = (np.asarray(v, dtype=np.float64) for v in (hits_a, n_a, hits_b, n_b))
    if a.ndim != 1 or a.size == 0 or not a.shape == n.shape == b.shape == m.shape:
        raise InputError("successes and trials must be lists of one length, with at least one stratum")
    if (np.minimum(n, m) <= 0).any() or (np.minimum(a, b) < 0).any() or (a > n).any() or (b > m).any():
        raise InputError("every group needs a trial, and successes lie between 0 and the trials")
    w = np.full(a.size, 1 / a.size) if weights is None else np.asarray(weights, dtype=np.float64)
    parts = sorted(
        (_outcomes(int(a[s]), int(n[s]), int(b[s]), int(m[s]), float(w[s])) for s in range(a.size)),
        key=lambda part: part[0].size,
    )
    few, many = _joined(parts[::2]), _joined(parts[1::2])
    observed = float((w * (a / n - b / m)).sum())
    order = np.argsort(many[0], kind="stable")
    values, mass = many[0][order], many[1][order]
    upto = np.concatenate([[0.0], np.cumsum(mass)])
    slack = 1e-9

    def beyond(limit: float) -> float:
        return float((few[1] * (upto[-1] - upto[np.searchsorted(values, limit - few[0] - slack)])).sum())

    def below(limit: float) -> float:
        return float((few[1] * upto[np.searchsorted(values, limit - few[0] + slack, side="right")]).sum())

    far = abs(observed)
    two = beyond(far) + below(-far) if far > slack else 1.0
    return StratifiedTest(observed, min(1.0, beyond(observed)), min(1.0, two))


def _outcomes(a: int, n: int, b: int, m: int, weight: float) -> tuple[FloatArray, FloatArray]:
    """Values of one stratum's weighted difference given its margins, and their chances."""
    from scipy.stats import hypergeom  # here, so that importing the package stays quick

    hits = a + b
    of_b = np.arange(max(0, hits - n), min(hits, m) + 1)
    return weight * ((hits - of_b) / n - of_b / m), hypergeom.pmf(of_b, n + m, hits, m)


def _joined(parts: list[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    value, mass = np.zeros(1), np.ones(1)
    for v, p in parts:
        value, mass = (value[:, None] + v).ravel(), (mass[:, None] * p).ravel()
    return value, mass
