r"""Shares and rating tables as they would be at other weights: of strata, of accuracy, of ratings.

A table of wrong and right answers over L ratings holds three things that can change apart from each other:

* **accuracy**, the share of right answers;
* the **use** of the ratings, the share of answers that each is given to;
* the **worth** of the ratings: the odds of being right at one rating over the odds at another.

Raking (iterative proportional fitting, Deming & Stephan 1940) changes the first two and keeps the third. With
two classes it has one unknown: with log odds :math:`\alpha_j` at rating j, the raked table has
:math:`\alpha_j + t` for the t at which :math:`\sum_j u_j \sigma(\alpha_j + t)` is the accuracy wanted, u being
the use. So a measure can be had *at equal accuracy and equal use* of two tables, and a difference of two
tables parts into three that add up to it (Shapley 1953: each switched from one table to the other in every
order, averaged).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from metacog.sdt.checks import FloatArray, InputError, as_tables

#: What a table consists of, and in which order the parts are given.
PARTS = ("accuracy", "use", "worth")

#: Halvings of the range that the shift of the log odds is searched in: to some 1e-13.
_HALVINGS = 60

_FARTHEST_ODDS = 60.0

#: How near the accuracy wanted must be reached.
_NEAR = 1e-9

#: A measure of tables: wrong and right shares of shape ``(B, L)`` to ``(B,)``.
Statistic = Callable[[FloatArray, FloatArray], FloatArray]


def shares(nR_S1: ArrayLike, nR_S2: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Accuracy ``(...)`` and use of the ratings ``(..., L)``, which sums to 1, of tables."""
    wrong, right = as_tables(nR_S1, nR_S2)
    total = (wrong + right).sum(axis=-1)
    if (total <= 0).any():
        raise InputError("a table holds no answers; leave it out")
    return right.sum(axis=-1) / total, (wrong + right) / total[..., None]


def with_margins(
    nR_S1: ArrayLike, nR_S2: ArrayLike, accuracy: ArrayLike, use: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Shares of wrong and right in tables whose ratings are worth what they were, at another accuracy and another use.

    NaN where a rating is to be used that holds no answer, and where ratings that hold one class only cannot
    give the accuracy.
    """
    wrong, right = as_tables(nR_S1, nR_S2)
    level = np.asarray(accuracy, dtype=np.float64)
    wanted = np.broadcast_to(np.asarray(use, dtype=np.float64), wrong.shape)
    if (level <= 0).any() or (level >= 1).any():
        raise InputError("the accuracy wanted must lie between 0 and 1")
    if (wanted < 0).any() or not np.allclose(wanted.sum(axis=-1), 1):
        raise InputError("the use of the ratings must be shares that sum to 1")
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.log(right) - np.log(wrong)
    empty = np.isnan(odds)
    odds = np.where(empty, 0.0, odds)
    finite = np.where(np.isfinite(odds), np.abs(odds), 0.0).max(axis=-1) + _FARTHEST_ODDS
    low, high = -finite, finite
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        over = (wanted * expit(odds + np.expand_dims(middle, -1))).sum(axis=-1) > level
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    hits = wanted * expit(odds + np.expand_dims((low + high) / 2, -1))
    reached = np.abs(hits.sum(axis=-1) - level) < _NEAR
    good: NDArray[np.bool_] = np.asarray(reached & ~(empty & (wanted > 0)).any(axis=-1))[..., None]
    return np.where(good, wanted - hits, np.nan), np.where(good, hits, np.nan)


def parts_of_change(
    before: tuple[ArrayLike, ArrayLike], after: tuple[ArrayLike, ArrayLike], statistic: Statistic
) -> dict[str, FloatArray]:
    """How far accuracy, the use of the ratings and their worth account for the change of a measure.

    ``(B,)`` each, of tables ``(B, L)``, by :data:`PARTS`; they add up to the measure of ``after`` minus that of
    ``before``. NaN where a table in between is not attainable (:func:`with_margins`).
    """
    tables = [as_tables(*before), as_tables(*after)]
    if tables[0][0].shape != tables[1][0].shape or tables[0][0].ndim != 2:
        raise InputError("both need tables of one shape (B, L)")
    margins = [shares(*table) for table in tables]
    values = {}
    for accuracy in (0, 1):
        for use in (0, 1):
            for worth in (0, 1):
                made = with_margins(*tables[worth], margins[accuracy][0], margins[use][1])
                known = np.isfinite(made[0]).all(axis=-1)
                filled = [np.where(np.expand_dims(known, -1), x, 1.0) for x in made]
                values[accuracy, use, worth] = np.where(known, statistic(*filled), np.nan)
    found = {part: np.zeros(tables[0][0].shape[0]) for part in PARTS}
    orders = list(permutations(range(3)))
    for order in orders:
        at = [0, 0, 0]
        for place in order:
            was = values[at[0], at[1], at[2]]
            at[place] = 1
            found[PARTS[place]] += (values[at[0], at[1], at[2]] - was) / len(orders)
    return found
