"""Item discrimination: does who gets an item right do better on the other items?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import InputError
from .intervals import percentile_limits
from .resampling import chunks
from .tables import FloatArray

#: Respondents without which a correlation over them is a matter of its sign alone.
FEWEST_RESPONDENTS = 3
_STILL = 1e-12  # variance that rounding may leave in a column that does not vary


@dataclass(frozen=True)
class ItemDiscrimination:
    """Corrected item-total correlations with bootstrap intervals over respondents.

    Attributes
    ----------
    r : array, shape (items,)
        NaN for an item on which all respondents score the same, or whose others add up to the same.
    lower, upper : arrays, shape (items,)
        Percentile interval; NaN where more than half of the resamples leave the item undefined.
    undefined : array of int, shape (items,)
        Resamples in which the item was undefined.
    mean, mean_lower, mean_upper : float
        Mean over the items that are defined, in the data and in each resample.
    n_defined, n_respondents : int
    """

    r: FloatArray
    lower: FloatArray
    upper: FloatArray
    undefined: NDArray[np.int64]
    mean: float
    mean_lower: float
    mean_upper: float
    n_defined: int
    n_respondents: int


def item_rest(scores: ArrayLike) -> FloatArray:
    """Pearson's correlation, over respondents, of each item with the sum of the others.

    The item itself is left out of the sum, for it correlates with itself (the corrected item-total
    correlation; Henrysson 1963, Psychometrika 28, 211-218).

    Parameters
    ----------
    scores : array_like, shape (..., respondents, items)

    Returns
    -------
    array, shape (..., items)
        NaN where the item or the sum of the others does not vary.
    """
    x = np.asarray(scores, dtype=np.float64)
    rest = x.sum(axis=-1, keepdims=True) - x
    x, rest = x - x.mean(axis=-2, keepdims=True), rest - rest.mean(axis=-2, keepdims=True)
    of_item, others = (x**2).sum(axis=-2), (rest**2).sum(axis=-2)
    varies = (of_item > _STILL) & (others > _STILL)
    blank = np.full(of_item.shape, np.nan)
    return np.clip(
        np.divide((x * rest).sum(axis=-2), np.sqrt(of_item * others), out=blank, where=varies), -1, 1
    )


def item_discrimination(
    scores: ArrayLike, *, n_resamples: int = 10_000, seed: int = 42, level: float = 0.95
) -> ItemDiscrimination:
    """Item-rest correlations of a table of scores, respondents drawn again for the intervals.

    Parameters
    ----------
    scores : array_like, shape (respondents, items)
        Points of each respondent on each item, 0/1 or partial credit.
    n_resamples : int
    seed : int or None
    level : float

    Raises
    ------
    InputError
        Fewer than three respondents (of two, every correlation is 1 or -1) or two items, or a missing score.

    Notes
    -----
    A resample of few respondents holds fewer different ones, and correlations of fewer points are larger
    in size: with less than ten or so the intervals are rough. An item on which all respondents score the
    same has no discrimination in any resample.
    """
    x = np.asarray(scores, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] < 2:
        raise InputError("item discrimination needs a table of respondents by items, of two items or more")
    if len(x) < FEWEST_RESPONDENTS:
        raise InputError(
            f"item discrimination needs at least {FEWEST_RESPONDENTS} respondents, got {len(x)}: of two, "
            "every correlation is 1 or -1 whatever they answered"
        )
    if not np.isfinite(x).all():
        raise InputError("item discrimination: a score is missing; leave that item or respondent out")
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    draws = np.concatenate(
        [item_rest(x[rng.integers(0, len(x), (size, len(x)))]) for size in chunks(n_resamples, x.size)]
    )
    r = item_rest(x)
    known = np.isfinite(draws)
    ends = [_limits(column[ok], n_resamples, level) for column, ok in zip(draws.T, known.T, strict=True)]
    means = _row_means(draws)
    low, high = _limits(means[np.isfinite(means)], n_resamples, level)
    return ItemDiscrimination(
        r=r,
        lower=np.array([a for a, _ in ends]),
        upper=np.array([b for _, b in ends]),
        undefined=(~known).sum(axis=0),
        mean=float(_row_means(r[None])[0]),
        mean_lower=low,
        mean_upper=high,
        n_defined=int(np.isfinite(r).sum()),
        n_respondents=len(x),
    )


def _row_means(rows: FloatArray) -> FloatArray:
    """Mean of what is defined in each row; NaN where nothing is."""
    known = np.isfinite(rows)
    n = known.sum(axis=1)
    total = np.where(known, rows, 0.0).sum(axis=1)
    return np.divide(total, n, out=np.full(n.shape, np.nan), where=n > 0)


def _limits(draws: FloatArray, n_resamples: int, level: float) -> tuple[float, float]:
    if 2 * draws.size <= n_resamples:
        return float("nan"), float("nan")
    return percentile_limits(draws, level=level)
