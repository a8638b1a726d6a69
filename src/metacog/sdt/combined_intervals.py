"""Differences of shares, and sums of estimates, with intervals from the intervals of their parts.

Both methods square and add how far each part's own limits lie from its estimate, so that asymmetric parts
give an asymmetric whole, and a share of 0 or 1 does not claim certainty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from metacog.sdt.checks import InputError, check_level
from metacog.sdt.intervals import Interval, wilson


def difference_of_shares(
    hits_a: float, n_a: float, hits_b: float, n_b: float, *, level: float = 0.95
) -> Interval:
    """Difference of two independent shares, A minus B, by Newcombe's hybrid score interval.

    Parameters
    ----------
    hits_a, n_a, hits_b, n_b : float
        Successes and trials of each group.
    level : float

    Returns
    -------
    Interval
        In shares, -1 to 1; undefined (NaN) where a group has no trial.

    Raises
    ------
    InputError
        Negative counts, or more successes than trials.

    Notes
    -----
    Newcombe (1998, Stat. Med. 17, 873-890, method 10): with Wilson's limits (l, u) of each share,
    lower = d - sqrt((p_a - l_a)^2 + (u_b - p_b)^2), upper = d + sqrt((u_a - p_a)^2 + (p_b - l_b)^2).

    Examples
    --------
    >>> from metacog.sdt import difference_of_shares
    >>> found = difference_of_shares(45, 60, 30, 60)
    >>> print(f"{found.estimate:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    0.25 [0.08, 0.40]
    """
    for hits, n in ((hits_a, n_a), (hits_b, n_b)):
        if not 0 <= hits <= n:
            raise InputError(f"{hits:g} of {n:g} is no share: successes lie between 0 and the trials")
    if n_a == 0 or n_b == 0:
        return Interval(np.nan, np.nan, np.nan, level)
    check_level(level)
    shares = np.array([hits_a / n_a, hits_b / n_b])
    lower, upper = wilson(shares, np.array([n_a, n_b]), z=float(ndtri((1 + level) / 2)))
    return combined(shares, lower, upper, [1.0, -1.0], level=level)


def combined(
    estimates: ArrayLike, lower: ArrayLike, upper: ArrayLike, weights: ArrayLike, *, level: float = 0.95
) -> Interval:
    """A weighted sum of independent estimates with an interval made from theirs (MOVER), all of one ``level``.

    Method of variance estimates recovery (Zou & Donner 2008, Stat. Med. 27, 1693-1702): a part of positive
    weight w lends w (x - l) to the lower end and w (u - x) to the upper, a negative one the other way round;
    each end is the square root of the sum of their squares away.
    """
    x, low, high, w = (np.asarray(v, dtype=np.float64) for v in (estimates, lower, upper, weights))
    if not x.ndim == 1 or not x.shape == low.shape == high.shape == w.shape:
        raise InputError("estimates, limits and weights must be lists of one length")
    if not np.isfinite([x, low, high]).all() or x.size == 0:
        return Interval(np.nan, np.nan, np.nan, level)
    if (low > x).any() or (high < x).any():
        raise InputError("every estimate must lie within its own limits")
    below, above = np.where(w >= 0, x - low, high - x), np.where(w >= 0, high - x, x - low)
    whole = float(w @ x)
    return Interval(
        whole,
        whole - float(np.sqrt(((w * below) ** 2).sum())),
        whole + float(np.sqrt(((w * above) ** 2).sum())),
        level,
    )
