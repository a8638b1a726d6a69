"""The interval of meta-I2r: bootstrap draws, studentised by the delta method."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from metacog.sdt.checks import FloatArray, InputError, as_tables
from metacog.sdt.information_bits import (
    LN2,
)
from metacog.sdt.intervals import Interval, centred, percentile_limits

#: Standard errors up to this are 0 but for rounding: of a table without any relation 1e-17 can be left.
_ZERO_SE = 1e-12


def meta_i2r_interval(
    estimate: float,
    plugin_draws: ArrayLike,
    *,
    level: float = 0.95,
    se: float | None = None,
    draw_se: ArrayLike | None = None,
) -> Interval:
    """Interval of a corrected meta-I2r from bootstrap draws of the plug-in value: its size, not a test.

    Parameters
    ----------
    estimate : float
        meta-I2r, corrected.
    plugin_draws : array, shape ``(B,)``
        Uncorrected meta-I2r of resampled tables (of trials, or of whole questions where they repeat);
        draws that are not finite are left out.
    level : float
    se, draw_se : float and array, shape ``(B,)``, optional
        Standard errors of the observed table and of each resampled one (:func:`meta_i2r_se`, or
        `clustered_meta_i2r_se`). Both or neither.

    Returns
    -------
    Interval
        Percentile limits of the `studentised` draws, or without standard errors of draws moved so
        that their mean is the estimate (`metacog.sdt.intervals.centred`); NaN with fewer than two.

    Notes
    -----
    A resample's plug-in value carries the bias twice, once from the data and once from resampling;
    taking the null's mean off once leaves the interval too high, so draws are moved by what resampling
    adds. Moved draws alone are too narrow where a class is small: at accuracy .1, n = 300 and a true
    value of .12 or .28 they cover .91-.92, studentised .93-.94 (``data/simulations/interval_coverage.csv``).
    Whether meta-I2r is above 0 is asked of the permutation test: near 0 the lower end of either
    interval hardly ever exceeds 0.

    References
    ----------
    Efron & Tibshirani (1993), ch. 12: estimate - se (draw - mean draw)/draw_se.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import meta_i2r, meta_i2r_interval, meta_i2r_se
    >>> wrong = [12, 9, 6, 3]  # incorrect answers, lowest rating first
    >>> right = [8, 16, 25, 41]
    >>> rng = np.random.default_rng(1)
    >>> cells = rng.multinomial(120, np.array(wrong + right) / 120, size=2000)  # resampled tables
    >>> draws = meta_i2r(cells[:, :4], cells[:, 4:], correction="none")
    >>> low, high = meta_i2r_interval(
    ...     float(meta_i2r(wrong, right)),
    ...     draws,
    ...     se=float(meta_i2r_se(wrong, right)),
    ...     draw_se=meta_i2r_se(cells[:, :4], cells[:, 4:]),
    ... )
    >>> print(f"[{low:.2f}, {high:.2f}]")
    [0.01, 0.32]
    """
    if (se is None) != (draw_se is None):
        raise InputError("pass se and draw_se together, or neither")
    if se is None or draw_se is None:
        draws = centred(plugin_draws, estimate)
    else:
        draws = studentised(plugin_draws, draw_se, estimate, se)
    return Interval(estimate, *percentile_limits(draws, level=level), level)


def studentised(plugin_draws: ArrayLike, draw_se: ArrayLike, estimate: float, se: float) -> FloatArray:
    """Draws whose percentiles are the bootstrap-t interval (Efron & Tibshirani 1993, ch. 12).

    estimate - se (draw - mean draw)/draw_se, NaN where a draw or its standard error is undefined or 0.
    """
    x, errors = np.asarray(plugin_draws, dtype=np.float64), np.asarray(draw_se, dtype=np.float64)
    good = np.isfinite(x) & np.isfinite(errors) & (errors > _ZERO_SE)
    if not good.any():
        return np.full(x.shape, np.nan)
    moved = x - x[good].mean()
    return np.where(good, estimate - se * moved / np.where(good, errors, 1.0), np.nan)


def meta_i2r_se(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Standard error of the plug-in meta-I2r of independent trials, batched; NaN where a class is empty.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(..., L)``

    Returns
    -------
    array, shape ``(...)``
        sqrt(mean squared influence / n). 0 for a table without any relation, where the first order
        vanishes.

    References
    ----------
    None printed: the delta method, from the influence of a trial on I/H (Dayan 2023).

    Examples
    --------
    >>> from metacog.sdt import meta_i2r_se
    >>> wrong = [12, 9, 6, 3]  # incorrect answers, lowest rating first
    >>> right = [8, 16, 25, 41]
    >>> print(f"{meta_i2r_se(wrong, right):.3f}")
    0.065
    """
    return _spread(nR_S1, nR_S2, bits=False)


def meta_i_se(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Standard error of the plug-in meta-I in bits, as of :func:`meta_i2r_se`; that of accuracy is part of it."""
    return _spread(nR_S1, nR_S2, bits=True)


def _spread(nR_S1: ArrayLike, nR_S2: ArrayLike, *, bits: bool) -> FloatArray:
    wrong, right = as_tables(nR_S1, nR_S2)
    of_wrong, of_right = influence(wrong, right, bits=bits)
    n = (wrong + right).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.sqrt((wrong * of_wrong**2 + right * of_right**2).sum(axis=-1)) / n


def clustered_meta_i2r_se(
    cells: FloatArray, per_unit: Any, weights: ArrayLike, *, bits: bool = False
) -> FloatArray:
    """Standard error of the plug-in meta-I2r when whole units are drawn; with ``bits`` that of meta-I.

    sqrt(sum over units of squared summed influence)/n, times sqrt(U/(U - 1)), of tables ``(B, 2 L)``
    (incorrect, then correct), what each unit adds to a table ``(U, 2 L)``, and how often each is in each table
    ``(B, U)``.
    """
    half = cells.shape[-1] // 2
    of_each = np.concatenate(influence(cells[:, :half], cells[:, half:], bits=bits), axis=-1)
    summed = np.asarray(per_unit @ of_each.T).T  # (B, U)
    drawn = np.asarray(weights, dtype=np.float64)
    units = max(drawn.shape[1], 2)
    with np.errstate(invalid="ignore"):
        spread = np.sqrt((drawn * summed**2).sum(axis=-1)) / cells.sum(axis=-1)
    return np.asarray(spread * np.sqrt(units / (units - 1)))


def influence(nR_S1: FloatArray, nR_S2: FloatArray, *, bits: bool = False) -> tuple[FloatArray, FloatArray]:
    """What one more trial in each cell does to the plug-in meta-I2r, times n: two arrays ``(..., L)``.

    With U = I/H: (log(p(a, r)/(p(a) p(r))) - I - U (-log p(a) - H))/H, whose mean over the table is 0; of
    meta-I itself, with ``bits``, log2(p(a, r)/(p(a) p(r))) - I. Empty cells have 0.
    """
    n = (nR_S1 + nR_S2).sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        joint = nR_S1 / n, nR_S2 / n
        rating = joint[0] + joint[1]
        share = [j.sum(axis=-1, keepdims=True) for j in joint]
        entropy = -sum(xlogy(s, s) for s in share)
        logs = [
            np.where(j > 0, np.log(np.where(j > 0, j, 1.0)) - np.log(np.where(j > 0, rating * s, 1.0)), 0.0)
            for j, s in zip(joint, share, strict=True)
        ]
        known = sum((j * i).sum(axis=-1, keepdims=True) for j, i in zip(joint, logs, strict=True))
        part, unit = (0.0, LN2) if bits else (known / entropy, entropy)
        found = [
            np.where(j > 0, (i - known + part * (np.log(s) + entropy)) / unit, 0.0)
            for j, i, s in zip(joint, logs, share, strict=True)
        ]
    empty = (share[0] <= 0) | (share[1] <= 0)
    return np.where(empty, np.nan, found[0]), np.where(empty, np.nan, found[1])
