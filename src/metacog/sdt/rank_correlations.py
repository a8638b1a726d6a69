"""Spearman's rho of few pairs with many ties: a permutation p, and an interval where there can be one.

Where one column hardly varies, resamples that lose its odd value have no correlation, and a percentile
interval of the others is far too short: whoever drops them finds a relation that is not there. So p comes
from the permutation null, which is exact whatever the ties, and an interval is given only where enough pairs
leave the commonest value and nearly all resamples have a correlation.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from metacog.sdt.checks import FloatArray, InputError, as_lists, average_ranks
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import permutation_p

#: Arrangements that are all gone through; where there are more, as many are drawn.
MOST_ARRANGEMENTS = 10_000

#: Pairs that have to leave the commonest value of each column, for an interval.
FEWEST_AWAY = 5

#: Share of resamples that may lack a correlation, for an interval.
MOST_UNDEFINED = 0.05

CONSTANT = "one of the two never varies"


@dataclass(frozen=True)
class RankCorrelation:
    """Spearman's rho with a permutation p and, where there can be one, an interval.

    Attributes
    ----------
    rho : float
        NaN where a column does not vary, or of fewer than three pairs.
    lower, upper : float
        Percentile interval over resampled pairs; NaN where ``why`` says something.
    p_value : float
        Two-sided, of no relation; NaN where ``rho`` is.
    exact : bool
        Whether ``p_value`` goes through all arrangements.
    n : int
    away : int
        Pairs that leave the commonest value, in the column where they are fewer.
    undefined : int
        Resamples in which a column did not vary.
    why : str
        Why there is no interval; empty where there is one.
    """

    rho: float
    lower: float
    upper: float
    p_value: float
    exact: bool
    n: int
    away: int
    undefined: int
    why: str


def rank_correlation(
    x: ArrayLike, y: ArrayLike, *, n_resamples: int = 10_000, seed: int | None = 42, level: float = 0.95
) -> RankCorrelation:
    """Spearman's rho of pairs, with ties sharing their mean rank.

    Parameters
    ----------
    x, y : arrays, shape (n,)
        Without missing values.
    n_resamples : int
        Resamples of pairs for the interval.
    seed : int or None
    level : float

    Returns
    -------
    RankCorrelation

    Raises
    ------
    InputError
        Lists of different lengths, or a missing value.

    Notes
    -----
    p as `correlation_test` of the ranks. There is no interval where fewer than `FEWEST_AWAY`
    pairs leave the commonest value of a column, or more than `MOST_UNDEFINED` of the resamples have
    no correlation.

    References
    ----------
    Spearman (1904).

    Examples
    --------
    >>> from metacog.sdt import rank_correlation
    >>> found = rank_correlation([1, 2, 3, 4, 5, 6, 7], [2, 1, 4, 3, 5, 7, 6], n_resamples=500)
    >>> print(f"{found.rho:.2f} [{found.lower:.2f}, {found.upper:.2f}], p {found.p_value:.3f}")
    0.89 [0.40, 1.00], p 0.012
    """
    a, b = _pairs(x, y)
    n, nan = int(a.size), float("nan")
    away = min(n - int(np.unique(v, return_counts=True)[1].max()) for v in (a, b)) if n else 0
    if n < 3 or away == 0:
        why = CONSTANT if n >= 3 else "fewer than three pairs"
        return RankCorrelation(nan, nan, nan, nan, True, n, away, n_resamples if n >= 3 else 0, why)
    rho = float(spearman(a, b))
    p, exact = correlation_test(average_ranks(a), average_ranks(b), seed=seed)
    rows = np.random.default_rng(seed).integers(0, n, (n_resamples, n))
    draws = spearman(a[rows], b[rows])
    undefined = int((~np.isfinite(draws)).sum())
    why = ""
    if away < FEWEST_AWAY:
        why = f"only {away} of {n} leave the commonest value"
    elif undefined > MOST_UNDEFINED * n_resamples:
        why = f"undefined in {100 * undefined / n_resamples:.0f} % of resamples"
    lower, upper = (nan, nan) if why else percentile_limits(draws, level=level)
    return RankCorrelation(rho, lower, upper, p, exact, n, away, undefined, why)


def spearman(x: ArrayLike, y: ArrayLike) -> FloatArray:
    """Spearman's rho of rows, shape (..., n); NaN where either does not vary."""
    a, b = (average_ranks(np.asarray(v, dtype=np.float64), axis=-1) for v in (x, y))
    a, b = (ranks - ranks.mean(axis=-1, keepdims=True) for ranks in (a, b))
    size = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    blank = np.full(size.shape, np.nan)
    return np.asarray(np.divide((a * b).sum(axis=-1), size, out=blank, where=size > 0))


def correlation_test(
    x: ArrayLike, y: ArrayLike, *, most: int = MOST_ARRANGEMENTS, seed: int | None = 42
) -> tuple[float, bool]:
    """Two-sided permutation p of Pearson's correlation (of ranks, Spearman's), and whether it is exact.

    The arrangements of the column that has fewer different ones are all gone through where there are no more
    than ``most``; otherwise as many random ones are drawn, and p is (1 + extreme)/(1 + drawn). Exact under
    independence, with any ties (Fisher 1935; Phipson & Smyth 2010 for drawn arrangements). NaN where a column
    does not vary.
    """
    a, b = _pairs(x, y)
    if a.size < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan"), True
    if _n_arrangements(a) < _n_arrangements(b):
        a, b = b, a
    a = a - a.mean()
    observed = float(a @ b)
    if _n_arrangements(b) <= most:
        null = _arrangements(b) @ a
        slack = 1e-9 * float(np.abs(null).max())
        return float(np.mean(np.abs(null) >= abs(observed) - slack)), True
    rng = np.random.default_rng(seed)
    null = rng.permuted(np.tile(b, (most, 1)), axis=1) @ a
    return permutation_p(observed, null, centre=0.0).p_value, False


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    a, b = as_lists(x, y)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError("leave out pairs with a missing value before a permutation test")
    return a, b


def _n_arrangements(values: FloatArray) -> int:
    """In how many different orders the values can stand."""
    left, found = int(values.size), 1
    for times in np.unique(values, return_counts=True)[1]:
        found *= comb(left, int(times))
        left -= int(times)
    return found


def _arrangements(values: FloatArray) -> FloatArray:
    """Every different order of the values, shape (m, n)."""
    levels, times = np.unique(values, return_counts=True)
    by_count = np.argsort(-times, kind="stable")
    orders = np.full((1, values.size), np.nan)
    for level, count in zip(levels[by_count], times[by_count], strict=True):
        places = np.nonzero(np.isnan(orders))[1].reshape(len(orders), -1)
        chosen = np.array(list(combinations(range(places.shape[1]), int(count))))
        taken = places[:, chosen]  # orders x choices x count
        orders = np.repeat(orders, len(chosen), axis=0)
        np.put_along_axis(orders, taken.reshape(-1, int(count)), level, axis=1)
    return orders
