"""Kendall's tau-b: pairs that two rankings put in the same order, less those in opposite ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from metacog.sdt.checks import FloatArray, InputError, as_lists
from metacog.sdt.correlations import fisher_interval
from metacog.sdt.intervals import Interval

#: Most objects whose orders are all gone through: there are 40,320 of eight.
MOST_EXACT = 8


@dataclass(frozen=True)
class Kendall:
    """Kendall's tau-b of two lists.

    Attributes
    ----------
    tau : float
        NaN where a list does not vary.
    lower, upper : float
        Approximate interval; NaN below five pairs and at 1 or -1.
    p_value : float
        Two-sided, of no association.
    n : int
    exact : bool
        Whether ``p_value`` goes through all orders.
    """

    tau: float
    lower: float
    upper: float
    p_value: float
    n: int
    exact: bool


def kendall(x: ArrayLike, y: ArrayLike, *, level: float = 0.95) -> Kendall:
    """Tau-b with an interval and a p-value.

    Parameters
    ----------
    x, y : arrays, shape (n,)
        Ties count for neither order, and shorten the scale (Kendall 1945, Biometrika 33, 239-251).
    level : float

    Returns
    -------
    Kendall

    Raises
    ------
    InputError
        Lists of different lengths, a missing value, or fewer than three pairs.

    Notes
    -----
    Up to eight pairs (`MOST_EXACT`), p is the share of all n! orders of ``y`` whose tau lies as far from 0 or
    farther, which holds with ties; above, it is scipy's. The interval is that of `tau_interval`.

    Examples
    --------
    >>> from metacog.sdt import kendall
    >>> found = kendall([1, 2, 3, 4, 5, 6, 7], [2, 1, 4, 3, 5, 7, 6])
    >>> print(f"{found.tau:.2f} [{found.lower:.2f}, {found.upper:.2f}], p {found.p_value:.3f}")
    0.71 [0.15, 0.93], p 0.030
    """
    a, b = as_lists(x, y, "Kendall's tau")
    n = int(a.size)
    if n < 3 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError(f"Kendall's tau needs at least three pairs without a missing value, got {n}")
    exact = n <= MOST_EXACT
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return Kendall(np.nan, np.nan, np.nan, np.nan, n, exact)
    from scipy.stats import kendalltau  # here, so that importing the package stays quick

    found = kendalltau(a, b)
    tau = float(np.clip(found.statistic, -1, 1))
    p = _exact_p(a, b) if exact else float(found.pvalue)
    if n < 5 or np.isclose(abs(tau), 1):
        return Kendall(tau, np.nan, np.nan, p, n, exact)
    return Kendall(tau, *tau_interval(tau, n, level=level).ends, p, n, exact)


def tau_interval(tau: float, n: int, *, level: float = 0.95) -> Interval:
    """Interval of a tau of at least five pairs by its Fisher transform: tanh(atanh tau -/+ z sqrt(0.437/(n - 4))).

    Fieller, Hartley & Pearson (1957, Biometrika 44, 470-481) for |tau| below 0.8 (Bonett & Wright 2000). The
    variance is approximate: where few pairs make it disagree with an exact p, that p decides.
    """
    if n < 5:
        raise InputError(f"an interval of tau needs at least five pairs; got {n}")
    return fisher_interval(tau, n, level=level, factor=0.437 * (n - 3) / (n - 4))


def _exact_p(x: FloatArray, y: FloatArray) -> float:
    """Share of all orders of ``y`` with as many concordant minus discordant pairs, either way, as this one."""
    first, second = np.triu_indices(x.size, 1)
    signs = np.sign(x[first] - x[second])
    orders = np.array(list(permutations(range(x.size))))
    net = np.sign(y[orders[:, first]] - y[orders[:, second]]) @ signs
    return float(np.mean(np.abs(net) >= abs(net[0])))  # the first order is the data's own
