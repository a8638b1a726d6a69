"""Columns of a smooth probability model of several signals: splines of normal scores, and products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from .tables import FloatArray

#: Quantiles of the normal scores at which the natural cubic splines have their knots.
KNOTS = (0.03, 0.27, 0.5, 0.73, 0.97)
#: Columns of one signal that have splines and products of their own; a wider one is summed up by its mean.
MOST_SEPARATE = 4
#: Prior standard deviations of coefficients, in log-odds: of a straight line, and of bends and products.
LINE_SD, BEND_SD = 2.0, 1.0


@dataclass(frozen=True)
class Columns:
    """Columns of nested models: the first ``ends[j]`` belong to the model of the first j signals.

    Attributes
    ----------
    values : array, shape ``(n, p)``
        The constant first.
    penalty : array, shape ``(p,)``
    ends : tuple of int, length 1 + number of signals
    """

    values: FloatArray
    penalty: FloatArray
    ends: tuple[int, ...]


def normal_scores(signal: FloatArray) -> FloatArray:
    """Van der Waerden's scores: mid-ranks as normal quantiles, standardised; columns without spread dropped.

    Parameters
    ----------
    signal : array, shape ``(n, k)``

    Returns
    -------
    array, shape ``(n, k')``
        Information does not depend on a strictly rising change of scale, so the order is all that is kept.
    """
    varies = signal[:, np.ptp(signal, axis=0) > 0]
    return _standard(ndtri((rankdata(varies, axis=0) - 0.5) / len(signal)))


def nested_columns(signals: list[FloatArray]) -> Columns:
    """Columns of the models of the first, the first two, ... signals.

    Parameters
    ----------
    signals : list of arrays, shape ``(n, k)``

    Returns
    -------
    Columns

    Notes
    -----
    Every column of a signal has a line and, from three distinct values on, a natural cubic spline in its
    normal scores (three bends with five knots); products of pairs of columns come with the later signal. A
    signal of more than :data:`MOST_SEPARATE` columns has a line for each, but bends and products of their mean.
    """
    n = len(signals[0])
    values, sds, ends = [np.ones((n, 1))], [np.inf], [1]
    before: list[FloatArray] = []
    for signal in signals:
        scores = normal_scores(signal)
        separate = (
            scores if scores.shape[1] <= MOST_SEPARATE else _standard(scores.mean(axis=1, keepdims=True))
        )
        bends = [_bends(column) for column in separate.T]
        mine = list(separate.T)
        products = [a * b for i, a in enumerate(mine) for b in before + mine[:i]]
        curved = [*bends, *(_standard(product[:, None]) for product in products)]
        added = [scores, *curved]
        values += added
        sds += [LINE_SD] * scores.shape[1] + [BEND_SD] * sum(c.shape[1] for c in curved)
        ends.append(ends[-1] + sum(c.shape[1] for c in added))
        before += mine
    return Columns(np.hstack(values), 1 / np.asarray(sds) ** 2, tuple(ends))


def _bends(score: FloatArray) -> FloatArray:
    """What a natural cubic spline has beyond a line, shape ``(n, 0 to 3)`` (Hastie et al. 2009, eq. 5.4)."""
    knots = np.unique(np.quantile(score, KNOTS))
    if np.unique(score).size < 3 or knots.size < 3:
        return np.empty((score.size, 0))
    last = knots[-1]

    def cut(knot: float) -> FloatArray:
        above = np.maximum(score - knot, 0.0) ** 3 - np.maximum(score - last, 0.0) ** 3
        return np.asarray(above / (last - knot))

    raw = np.stack([cut(knot) - cut(knots[-2]) for knot in knots[:-2]], axis=1)
    line = np.stack([np.ones_like(score), score], axis=1)
    return _standard(raw - line @ np.linalg.lstsq(line, raw, rcond=None)[0])


def _standard(columns: FloatArray) -> FloatArray:
    """Mean 0 and standard deviation 1; a column without spread is left out."""
    centred = columns - columns.mean(axis=0)
    sd = centred.std(axis=0)
    kept = sd > 1e-9
    return np.asarray(centred[:, kept] / sd[kept])
