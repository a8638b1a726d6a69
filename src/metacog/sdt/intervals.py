"""Intervals from draws, their Monte-Carlo error, and seeds.

Percentile and BCa intervals follow Efron & Tibshirani (1993, chs. 13-14). Draws that are not
finite are left out, counted and explained; they are never silently part of an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtr, ndtri

from metacog.sdt.checks import FloatArray, InputError, check_level

Statistic = Callable[[FloatArray, FloatArray], FloatArray]
#: Standard errors to either side of a 95 % interval.
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    """An estimate with an interval, which unpacks into its two ends.

    Attributes
    ----------
    estimate, lower, upper : float
        NaN where they are undefined.
    level : float
        Coverage that the interval aims at.
    se : float
        Standard error, of draws their standard deviation; NaN where the method gives none.
    method : str
        How it was made, such as ``percentile``.
    n_draws, n_dropped : int
        Draws in use and left out; 0 where it is not made from draws.
    reason : str
        Why draws were left out, or why there is no interval.
    draws : array, shape ``(n_draws,)``
    """

    estimate: float
    lower: float
    upper: float
    level: float = 0.95
    se: float = float("nan")
    method: str = ""
    n_draws: int = 0
    n_dropped: int = 0
    reason: str = ""
    draws: FloatArray = field(default_factory=lambda: np.empty(0), repr=False, compare=False)

    def __iter__(self) -> Iterator[float]:
        return iter(self.ends)

    @property
    def ends(self) -> tuple[float, float]:
        """Lower and upper end."""
        return self.lower, self.upper

    @property
    def defined(self) -> bool:
        """Whether there is an estimate."""
        return bool(np.isfinite(self.estimate))

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return 0.5 * (self.upper - self.lower)

    def excludes(self, value: float = 0.0) -> bool:
        """Whether ``value`` lies outside the interval; False where there is none."""
        return value < self.lower or value > self.upper


def spawn_seeds(seed: int | None, n: int) -> list[np.random.SeedSequence]:
    """``n`` independent child seeds, the same for the same ``seed`` whatever order they are used in."""
    return np.random.SeedSequence(seed).spawn(n)


def percentile_limits(draws: ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Percentile interval of the finite draws; NaN with fewer than two."""
    x = np.asarray(draws, dtype=np.float64)
    x = x[np.isfinite(x)]
    if x.size < 2:
        return float("nan"), float("nan")
    low, high = np.quantile(x, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def centred(draws: ArrayLike, estimate: float) -> FloatArray:
    """Draws moved so that their mean is the estimate (bootstrap bias correction).

    A resample's plug-in value carries its bias twice, once from the data and once from resampling; an
    interval of a corrected estimate wants neither.
    """
    x = np.asarray(draws, dtype=np.float64)
    return x - np.nanmean(x) + estimate if np.isfinite(x).any() else x


def percentile_interval(
    draws: ArrayLike, estimate: float, *, level: float = 0.95, limit: float | None = None
) -> Interval:
    """Percentile interval of draws.

    Parameters
    ----------
    draws : array
        Those that are not finite are dropped and counted.
    estimate : float
    level : float
    limit : float, optional
        Draws of this size or larger, of either sign, are dropped too.

    Returns
    -------
    Interval

    Raises
    ------
    InputError
        Fewer than two draws are left, or a level outside (0, 1).

    References
    ----------
    Efron & Tibshirani (1993), ch. 13.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import percentile_interval
    >>> draws = np.random.default_rng(1).normal(0.7, 0.05, 2000)
    >>> found = percentile_interval(draws, 0.7)
    >>> print(f"{found.estimate} [{found.lower:.2f}, {found.upper:.2f}]")
    0.7 [0.60, 0.80]
    """
    check_level(level)
    every = np.asarray(draws, dtype=np.float64).ravel()
    keep = np.isfinite(every)
    far = keep & (np.abs(every) >= (np.inf if limit is None else limit))
    reasons = [] if keep.all() else [f"{int((~keep).sum())} not finite"]
    if far.any():
        reasons.append(f"{int(far.sum())} with absolute value >= {limit:g}")
    values, reason = every[keep & ~far], ", ".join(reasons)
    if values.size < 2:
        raise InputError("fewer than two usable draws: " + (reason or "too few resamples"))
    ends, se = percentile_limits(values, level=level), float(values.std(ddof=1))
    sizes = values.size, every.size - values.size
    return Interval(float(estimate), *ends, level, se, "percentile", *sizes, reason, values)


def bca_tails(
    draws: ArrayLike, estimate: float, influence: ArrayLike, weights: ArrayLike, *, level: float = 0.95
) -> FloatArray:
    """The two probabilities at which a bias-corrected and accelerated interval cuts its finite draws.

    ``influence`` and ``weights``: the mean leave-one-out value minus that without a unit, and for how many
    units it stands (all trials of a cell give the same table). z0 = Phi^-1(#draws < estimate / #draws), ties
    counted as one half; a = sum (m - m_i)^3 / (6 [sum (m - m_i)^2]^1.5), 0 without spread. NaN where all draws
    lie on one side of the estimate or the influence is not finite.
    """
    x, d, w = (np.asarray(v, dtype=np.float64) for v in (draws, influence, weights))
    squares = float(np.sum(w * d**2))
    below = (np.sum(x < estimate) + 0.5 * np.sum(x == estimate)) / x.size
    if not np.isfinite(squares) or below in (0.0, 1.0):
        return np.full(2, np.nan)
    acceleration = float(np.sum(w * d**3)) / (6 * squares**1.5) if squares > 0 else 0.0
    z0 = ndtri(below)
    shifted = z0 + ndtri(np.array([0.5 * (1 - level), 0.5 * (1 + level)]))
    return np.asarray(ndtr(z0 + shifted / (1 - acceleration * shifted)))


def quantile_mc_error(draws: ArrayLike, probability: float) -> float:
    """Monte-Carlo standard error of an empirical quantile of independent draws.

    se = sqrt(p (1 - p) / B) / f(q), the density f at the quantile taken from draws whose ranks
    lie within two binomial standard errors of it (Maritz & Jarrett 1978 in spirit).
    """
    values = np.sort(np.asarray(draws, dtype=np.float64))
    n = values.size
    if n < 20:
        raise InputError(f"need at least 20 draws for a Monte-Carlo error, got {n}")
    spread = np.sqrt(probability * (1 - probability) / n)
    low, high = np.clip([probability - 2 * spread, probability + 2 * spread], 0.5 / n, 1 - 0.5 / n)
    a, b = np.quantile(values, [low, high])
    return float((b - a) / (high - low) * spread)


def wilson(share: ArrayLike, n: ArrayLike, *, z: float = Z95) -> tuple[FloatArray, FloatArray]:
    """Wilson's (1927) score interval of shares of ``n`` independent trials.

    Parameters
    ----------
    share, n : array_like
        Shares in [0, 1] and numbers of trials, of one shape.
    z : float
        Normal quantile; 1.96 for 95 %.

    Returns
    -------
    lower, upper : arrays within [0, 1]

    Examples
    --------
    >>> from metacog.sdt import wilson
    >>> low, high = wilson(0.9, 20)
    >>> print(f"[{low:.2f}, {high:.2f}]")
    [0.70, 0.97]
    """
    p, m = np.asarray(share, dtype=np.float64), np.asarray(n, dtype=np.float64)
    centre = (p + z**2 / (2 * m)) / (1 + z**2 / m)
    half = z * np.sqrt(p * (1 - p) / m + z**2 / (4 * m**2)) / (1 + z**2 / m)
    # Rounding must not leave a share of 0 or 1 outside its own interval.
    return np.clip(centre - half, 0.0, p), np.clip(centre + half, p, 1.0)


def clopper_pearson(share: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Interval of a share of ``n`` independent trials that is never too narrow (Clopper & Pearson 1934).

    Parameters
    ----------
    share, n : float
        ``n`` need not be whole, where trials count as many as they are worth.
    level : float

    Returns
    -------
    lower, upper : float

    Examples
    --------
    >>> from metacog.sdt import clopper_pearson
    >>> low, high = clopper_pearson(0.0, 59)
    >>> print(f"[{low:.3f}, {high:.3f}]")
    [0.000, 0.061]
    """
    check_level(level)
    hits, tail = share * n, (1 - level) / 2
    low = 0.0 if share <= 0 else float(betaincinv(hits, n - hits + 1, tail))
    return low, 1.0 if share >= 1 else float(betaincinv(hits + 1, n - hits, 1 - tail))


def effective_trials(hits: ArrayLike, trials: ArrayLike) -> float:
    """How many independent trials a share of clustered ones is worth (Kish 1965, ch. 6); 0 without trials.

    n/deff, with deff the variance of the share as a ratio over clusters by that of independent trials, never
    below 1; where no trial or every trial hits, deff is the mean number of trials in a cluster weighted by
    trials.
    """
    every, size = np.asarray(hits, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    x, m = every[size > 0], size[size > 0]
    k, n = m.size, float(m.sum())
    if not n or m.max() == 1:
        return n
    p = x.sum() / n
    if p in (0.0, 1.0) or k == 1:
        return float(n / ((m**2).sum() / n))
    variance = k / (k - 1) * ((x - p * m) ** 2).sum() / n**2
    return float(n / max(variance / (p * (1 - p) / n), 1.0))
