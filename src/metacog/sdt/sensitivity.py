"""Does what is added to every cell of a table make the result?

A small constant in every cell (Hautus 1995: 0.5) keeps rates off 0 and 1. It should not matter. In a
table with empty ratings, or with next to nothing on one side of the middle cut, the constant is what
d' and M-ratio are made of: a table is *sensitive* to padding when either moves by more than its own
standard error as the constant goes from 0.1 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from metacog.sdt.bootstrap import _BLOCK
from metacog.sdt.checks import FloatArray, check_batch, check_s
from metacog.sdt.meta_d import fit_meta_d_batch

#: Constants between which d' and M-ratio are compared.
ENDS = (0.1, 1.0)


@dataclass(frozen=True)
class Padding:
    """What padding does to many tables; arrays of shape ``(B,)``.

    Attributes
    ----------
    d_prime_move, m_ratio_move : arrays
        Largest minus smallest value over the constants 0.1 and 1; infinite where one is undefined.
    d_prime_se, m_ratio_se : arrays
        Jackknife standard errors over trials, at the constant in use.
    empty : int array
        Ratings that hold no trial at all.
    thinnest : array
        The smallest of four counts: S1 and S2 trials below and above the middle cut, which d' rests on.
    """

    d_prime_move: FloatArray
    m_ratio_move: FloatArray
    d_prime_se: FloatArray
    m_ratio_se: FloatArray
    empty: NDArray[np.int64]
    thinnest: FloatArray

    @property
    def sensitive(self) -> NDArray[np.bool_]:
        """Tables in which d' or M-ratio moves by more than its standard error."""
        return ~((self.d_prime_move <= self.d_prime_se) & (self.m_ratio_move <= self.m_ratio_se))


def padding(nR_S1: ArrayLike, nR_S2: ArrayLike, *, pad: float = 0.5, s: ArrayLike = 1.0) -> Padding:
    """Fit tables with several constants, and leave out each trial once for the standard errors.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (B, 2K), K >= 1
        Raw counts. With one rating a side (K = 1) there is no M-ratio, and d' alone decides.
    pad : float
        The constant that the analysis adds.
    s : float or array, shape (B,)
        sd(S1)/sd(S2).

    Returns
    -------
    Padding
        ``sensitive`` marks the tables whose values are made of what is added.

    Raises
    ------
    InputError
        Bad shapes or counts.

    Notes
    -----
    The jackknife (Efron & Tibshirani 1993, ch. 11) needs one fit per cell: all trials of a cell give the
    same table without them. se^2 = (N - 1)/N sum_i (x_(i) - mean)^2 over the N trials.

    Examples
    --------
    >>> from metacog.sdt import padding
    >>> nR_S1 = [[36, 24, 17, 20, 10, 12, 9, 2], [20, 5, 0, 0, 0, 0, 1, 0]]
    >>> nR_S2 = [[1, 4, 10, 11, 19, 18, 28, 39], [0, 1, 0, 0, 0, 0, 5, 20]]
    >>> found = padding(nR_S1, nR_S2)
    >>> found.sensitive  # the second table's values are made of what is added to it
    array([False,  True])
    >>> found.empty
    array([0, 4])
    """
    a, b = check_batch(nR_S1, nR_S2, min_ratings=1)
    slopes = check_s(s, len(a))
    ends = [_fit(a, b, slopes, one) for one in ENDS]
    both = (a.sum(axis=1) > 0) & (b.sum(axis=1) > 0)
    moves = [np.where(both, np.abs(high - low), np.inf) for low, high in zip(*ends, strict=True)]
    step = max(1, _BLOCK // (2 * a.shape[1]))
    errors = np.concatenate(
        [
            _errors(a[i : i + step], b[i : i + step], pad, slopes[i : i + step])
            for i in range(0, len(a) or 1, step)
        ]
    )
    half = a.shape[1] // 2
    sides = np.stack([x[:, part].sum(axis=1) for x in (a, b) for part in (slice(half), slice(half, None))])
    return Padding(
        np.where(np.isfinite(moves[0]), moves[0], np.inf),
        np.where(np.isfinite(moves[1]), moves[1], np.inf),
        errors[:, 0],
        errors[:, 1],
        ((a + b) == 0).sum(axis=1),
        sides.min(axis=0),
    )


def _fit(a: FloatArray, b: FloatArray, s: FloatArray, pad: float) -> tuple[FloatArray, FloatArray]:
    if a.shape[1] == 2:  # decisions alone
        hit, alarm = ((x[:, 1] + pad) / (x.sum(axis=1) + 2 * pad) for x in (b, a))
        return np.sqrt(2 / (1 + s**2)) * (ndtri(hit) - s * ndtri(alarm)), np.zeros(len(a))
    fits = fit_meta_d_batch(a + pad, b + pad, s=s, undefined="flag")
    return fits.d_prime, np.where(fits.converged, fits.m_ratio, np.nan)


def _errors(a: FloatArray, b: FloatArray, pad: float, s: FloatArray) -> FloatArray:
    """Jackknife standard errors of d' and M-ratio of tables, shape ``(B, 2)``."""
    cells = np.concatenate([a, b], axis=1)
    table, cell = np.nonzero(cells >= 1)
    times = cells[table, cell]
    n = np.bincount(table, times, minlength=len(cells))
    fewer = cells[table]
    fewer[np.arange(table.size), cell] -= 1
    found = []
    for x in _fit(fewer[:, : a.shape[1]], fewer[:, a.shape[1] :], s[table], pad):
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.bincount(table, times * x, minlength=len(cells)) / n
            spread = np.bincount(table, times * (x - mean[table]) ** 2, minlength=len(cells))
            found.append(np.where(n < 2, np.nan, np.sqrt((n - 1) / n * spread)))
    return np.stack(found, axis=1)
