r"""How far raters who judge the same items agree: pairwise agreement, Krippendorff's and Cronbach's alpha.

A table of judgements has **items as rows and raters as columns**; a cell may be missing. Judgements are
labels without order (nominal).

Pairwise agreement is the share of pairs of judgements of one item that are equal. Krippendorff's alpha takes
off what chance would give: with :math:`n_{ic}` judgements of item i that say c, :math:`m_i` judgements of it
in all, and :math:`n_c`, :math:`n` the sums over the items with :math:`m_i \ge 2`,

.. math::
    \alpha = 1 - \frac{D_o}{D_e}, \quad
    D_o = 1 - \frac1n \sum_i \sum_c \frac{n_{ic}(n_{ic} - 1)}{m_i - 1}, \quad
    D_e = 1 - \frac{\sum_c n_c (n_c - 1)}{n (n - 1)}

(Krippendorff 2011, *Computing Krippendorff's alpha-reliability*, nominal data, any number of observers,
missing data; the inner sums are the diagonal of his coincidence matrix). It is 0/0, and NaN here, where all
judgements are of one category: without variation nothing is known about telling items apart, though the
raters agree throughout.

Cronbach's alpha (1951, Psychometrika 16, 297-334, eq. 2) takes the **raters for the parts of a test** and the
items for what is measured: with k raters, :math:`s_j^2` the variance of rater j's judgements over items and
:math:`s_t^2` that of their sums,

.. math:: \alpha_C = \frac{k}{k - 1} \Bigl(1 - \frac{\sum_j s_j^2}{s_t^2}\Bigr).

It is the reliability of the raters' sum, so it grows with their number, where Krippendorff's is that of one
judgement. It uses the items that all raters judged. For the consistency of the *items* of a test taken by
people, hand it the transposed table.

Intervals are BCa bootstraps over items (Efron 1987, Journal of the American Statistical Association 82,
171-185; for nominal alpha the bootstrap over items is studied by Zapf et al. 2016, BMC Medical Research
Methodology 16:93). Raters are taken as given. Where few items belong to the rarer category, intervals are too
narrow: :func:`metacog.raters.precision.alpha_precision` says by how much.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.intervals import Interval, bca_tails, percentile_interval, percentile_limits
from metacog.sdt.resampling import weight_chunks

# Tables of judgements: raters who put the same items into categories.


@dataclass(frozen=True)
class Judgements:
    """A checked table of judgements.

    Attributes
    ----------
    codes : array of int, shape ``(n_items, n_raters)``
        Place in ``categories``; -1 is missing. Only items with two judgements or more, and only raters who
        judged one of them.
    categories : tuple
        The labels, sorted.
    n_unpaired : int
        Items left out, since fewer than two raters judged them.
    raters : array of int
        Columns of the given table that are left.
    """

    codes: NDArray[np.int64]
    categories: tuple[Any, ...]
    n_unpaired: int
    raters: NDArray[np.int64]


def judgements(ratings: ArrayLike) -> Judgements:
    """Check a table of judgements.

    Parameters
    ----------
    ratings : array_like or DataFrame, shape ``(n_items, n_raters)``
        Labels: all numbers (or booleans) or all text. None and NaN are missing.

    Raises
    ------
    InputError
        A table that is not of two dimensions, holds no judgement, labels of mixed type or an infinite number;
        one rater only; no item with two judgements.
    """
    try:
        table = np.asarray(ratings, dtype=object)
    except ValueError:
        table = np.empty(0)
    if table.ndim != 2:
        raise InputError("judgements are a table with items as rows and raters as columns")
    given = ~np.asarray(pd.isna(table), dtype=bool)
    if not given.any():
        raise InputError("the table holds no judgement: all cells are missing")
    if given.any(axis=0).sum() < 2:
        raise InputError("one rater only: agreement takes two who judge the same items")
    paired = given.sum(axis=1) >= 2
    if not paired.any():
        raise InputError("no item was judged by two raters: let raters share some items")
    _check_labels(table[given])
    table, given = table[paired], given[paired]
    categories = tuple(sorted(set(table[given])))
    place = {label: code for code, label in enumerate(categories)}
    codes = np.full(table.shape, -1, dtype=np.int64)
    codes[given] = [place[label] for label in table[given]]
    raters = np.flatnonzero(given.any(axis=0))
    return Judgements(codes[:, raters], categories, int((~paired).sum()), raters)


def _check_labels(labels: NDArray[Any]) -> None:
    kinds = {"number" if isinstance(x, numbers.Real | np.bool_) else type(x).__name__ for x in labels}
    if len(kinds) > 1:
        raise InputError(f"judgements mix {' and '.join(sorted(kinds))}: use one set of labels")
    if kinds == {"number"} and not np.isfinite(labels.astype(float)).all():
        raise InputError("a judgement is infinite: leave the cell empty where there is none")
    if not kinds <= {"number", "str"}:
        raise InputError(f"judgements must be numbers or text, not {kinds.pop()}")


#: From sums over items, shape ``(..., M)``, to values, shape ``(...)``.
Coefficient = Callable[[FloatArray], FloatArray]

ONE_CATEGORY = "all judgements are of one category: alpha is 0/0"
ONE_ITEM = "one item: no interval over items"
NO_WIDTH = "all resamples are alike, so the interval has no width; it does not say how sure the value is"
NOT_NUMBERS = "Cronbach's alpha takes numbers or two categories"
NOT_COMPLETE = "no item was judged by all raters"
NO_VARIATION = "the sum over raters is the same for all items judged by all: Cronbach's alpha is undefined"


@dataclass(frozen=True)
class RaterReliability:
    """Agreement of raters, each coefficient with its interval.

    Attributes
    ----------
    agreement, alpha, cronbach : Interval
        Pairwise agreement, Krippendorff's and Cronbach's alpha. What is undefined is NaN, with the reason in
        ``reason``; so are the ends of an interval that cannot be computed.
    n_items, n_raters, n_judgements : int
        In use: items with two judgements or more.
    n_unpaired, n_complete : int
        Items left out for want of a second judgement, and items judged by all raters.
    categories : tuple
    """

    agreement: Interval
    alpha: Interval
    cronbach: Interval
    n_items: int
    n_raters: int
    n_judgements: int
    n_unpaired: int
    n_complete: int
    categories: tuple[Any, ...]


def pairwise_agreement(ratings: ArrayLike) -> float:
    """Share of the pairs of judgements of one item that are equal, over all pairs of raters and all items.

    Parameters
    ----------
    ratings : array_like or DataFrame, shape ``(n_items, n_raters)``

    Returns
    -------
    float

    Notes
    -----
    Every pair of raters counts with the items that both judged. Raises as
    `metacog.raters.reliability`.

    Examples
    --------
    >>> from metacog.raters import pairwise_agreement
    >>> ratings = [[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]] * 5  # 20 items, 3 raters
    >>> print(f"{pairwise_agreement(ratings):.3f}")
    0.667
    """
    return float(agreement_of(item_sums(judgements(ratings).codes).sum(axis=0)))


def krippendorff_alpha(ratings: ArrayLike) -> float:
    """Krippendorff's alpha of nominal data; NaN where all judgements are of one category.

    Parameters
    ----------
    ratings : array_like or DataFrame, shape ``(n_items, n_raters)``

    Returns
    -------
    float

    Notes
    -----
    See the module's notes. Raises as `metacog.raters.reliability`.

    References
    ----------
    Krippendorff (2011), nominal data: 1 - observed/expected disagreement.

    Examples
    --------
    >>> from metacog.raters import krippendorff_alpha
    >>> ratings = [[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]] * 5  # 20 items, 3 raters
    >>> print(f"{krippendorff_alpha(ratings):.3f}")
    0.344
    """
    return float(alpha_of(item_sums(judgements(ratings).codes).sum(axis=0)))


def cronbach_alpha(ratings: ArrayLike) -> float:
    """Cronbach's alpha over the items that all raters judged, the raters as parts of the test.

    Parameters
    ----------
    ratings : array_like or DataFrame, shape ``(n_items, n_raters)``

    Returns
    -------
    float

    Notes
    -----
    Two categories count as 0 and 1; more must be numbers. NaN where the table allows none: other labels, no
    item judged by all, sums without variation. Raises as `metacog.raters.reliability`.

    References
    ----------
    Cronbach (1951), eq. 2: k/(k - 1) (1 - sum of the raters' variances/variance of their sums).

    Examples
    --------
    >>> from metacog.raters import cronbach_alpha
    >>> ratings = [[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]] * 5  # 20 items, 3 raters
    >>> print(f"{cronbach_alpha(ratings):.3f}")
    0.600
    """
    parts, _ = _cronbach_parts(judgements(ratings))
    return float("nan") if parts is None else float(cronbach_of(parts.sum(axis=0)))


def rater_pairs(ratings: ArrayLike) -> list[tuple[int, int, int, float]]:
    """Agreement of each pair of raters: both columns, items that both judged, share judged alike.

    Parameters
    ----------
    ratings : array_like or DataFrame, shape ``(n_items, n_raters)``
    """
    made = judgements(ratings)
    found = []
    for a, b in combinations(range(made.codes.shape[1]), 2):
        both = (made.codes[:, a] >= 0) & (made.codes[:, b] >= 0)
        same = float((made.codes[both, a] == made.codes[both, b]).mean()) if both.any() else math.nan
        found.append((int(made.raters[a]), int(made.raters[b]), int(both.sum()), same))
    return found


def rater_reliability(
    ratings: ArrayLike, *, n_resamples: int = 2000, seed: int = 42, level: float = 0.95
) -> RaterReliability:
    """All three coefficients with bootstrap intervals over items.

    Parameters
    ----------
    ratings : array_like or DataFrame, shape ``(n_items, n_raters)``
        See `metacog.raters.reliability`.
    n_resamples, seed, level
        Of the bootstrap. Resamples in which a coefficient is undefined are left out of its interval and
        counted; the interval is then one given that it is defined.

    Returns
    -------
    RaterReliability

    Raises
    ------
    InputError
        As there; fewer than two resamples, or a level outside (0, 1).

    References
    ----------
    Krippendorff (2011); Cronbach (1951); Efron (1987) for the intervals.

    Examples
    --------
    >>> from metacog.raters import rater_reliability
    >>> ratings = [[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]] * 5  # 20 items, 3 raters
    >>> found = rater_reliability(ratings, n_resamples=500)
    >>> print(f"alpha {found.alpha.estimate:.2f} [{found.alpha.lower:.2f}, {found.alpha.upper:.2f}]")
    alpha 0.34 [0.08, 0.66]
    """
    if n_resamples < 2 or not 0 < level < 1:
        raise InputError("an interval needs at least two resamples and a level between 0 and 1")
    made = judgements(ratings)
    items = item_sums(made.codes)
    parts, why = _cronbach_parts(made)
    if parts is None:
        parts = np.zeros((len(items), 3))
    of: dict[str, tuple[FloatArray, Coefficient]] = {
        "agreement": (items, agreement_of),
        "alpha": (items, alpha_of),
        "cronbach": (parts, cronbach_of),
    }
    drawn: dict[str, list[FloatArray]] = {name: [] for name in of}
    for weights in weight_chunks(len(items), n_resamples, seed, sum(items.shape) + parts.shape[1]):
        for name, (added, coefficient) in of.items():
            drawn[name].append(coefficient(weights @ added))

    def interval(name: str, undefined: str) -> Interval:
        return _interval(np.concatenate(drawn[name]), *of[name], level, undefined)

    return RaterReliability(
        agreement=interval("agreement", ""),
        alpha=interval("alpha", ONE_CATEGORY),
        cronbach=interval("cronbach", why or NO_VARIATION),
        n_items=made.codes.shape[0],
        n_raters=made.codes.shape[1],
        n_judgements=int((made.codes >= 0).sum()),
        n_unpaired=made.n_unpaired,
        n_complete=int((made.codes >= 0).all(axis=1).sum()),
        categories=made.categories,
    )


def _interval(
    draws: FloatArray, added: FloatArray, coefficient: Coefficient, level: float, undefined: str
) -> Interval:
    """BCa interval, or one without ends that says why."""
    value = float(coefficient(added.sum(axis=0)))
    why = undefined if math.isnan(value) else ONE_ITEM if len(added) < 2 else ""
    if not why and np.isfinite(draws).sum() >= 2:
        made = percentile_interval(draws, value, level=level)
        if made.lower == made.upper:
            return replace(made, reason=NO_WIDTH)
        lower, upper, method = item_limits(made.draws, added, coefficient, level=level)
        return replace(made, lower=lower, upper=upper, method=method)
    reason = why or "no usable resample"
    return Interval(value, math.nan, math.nan, level, method="none", n_dropped=len(draws), reason=reason)


def item_limits(
    draws: FloatArray, added: FloatArray, coefficient: Coefficient, *, level: float = 0.95
) -> tuple[float, float, str]:
    """Ends of a BCa interval of a coefficient over items, and how they were made.

    ``added`` ``(n_items, M)`` is what each item adds; the coefficient is a function of the sums. The
    acceleration is from the jackknife over items (Efron 1987). Where leaving out an item leaves one category,
    or all draws lie to one side of the estimate, the ends are percentiles.
    """
    kept = draws[np.isfinite(draws)]
    whole = added.sum(axis=0)
    without = coefficient(whole - added)
    tails = np.full(2, np.nan)
    if kept.size >= 2 and np.isfinite(without).all():
        influence = without.mean() - without
        tails = bca_tails(
            kept, round(float(coefficient(whole)), 12), influence, np.ones(len(added)), level=level
        )
    if np.isfinite(tails).all():
        low, high = np.quantile(kept, tails)
        return float(low), float(high), "bca"
    return *percentile_limits(kept, level=level), "percentile"


def item_sums(codes: NDArray[np.int64]) -> FloatArray:
    """What each item adds, shape ``(..., n_items, 3 + C)``: equal pairs, pairs, coincident equals, counts.

    Everything below is a function of the sums of these, so a resample is a weighted sum.
    """
    each = [(codes == c).sum(axis=-1) for c in range(int(codes.max()) + 1)]  # judgements of each category
    counts = np.stack(each, axis=-1).astype(np.float64)
    m = counts.sum(axis=-1)
    equal = (counts * (counts - 1)).sum(axis=-1)
    kept = [equal / 2, m * (m - 1) / 2, equal / np.maximum(m - 1, 1)]
    return np.concatenate([np.stack(kept, axis=-1), counts], axis=-1)


def agreement_of(sums: FloatArray) -> FloatArray:
    """Pairwise agreement from sums over items, shape ``(..., 3 + C)``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def alpha_of(sums: FloatArray) -> FloatArray:
    """Krippendorff's alpha from sums over items, shape ``(..., 3 + C)``."""
    counts = sums[..., 3:]
    n = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = 1 - sums[..., 2] / n
        expected = (n * n - (counts**2).sum(axis=-1)) / (n * (n - 1))
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def _cronbach_parts(made: Judgements) -> tuple[FloatArray | None, str]:
    """What each item adds to Cronbach's alpha, shape ``(n_items, 3 + k)``, or why there is none."""
    two = len(made.categories) <= 2
    if not two and isinstance(made.categories[0], str):
        return None, NOT_NUMBERS
    complete = np.asarray((made.codes >= 0).all(axis=1))
    if not complete.any():
        return None, NOT_COMPLETE
    scale = np.arange(len(made.categories)) if two else np.asarray(made.categories)
    values = scale.astype(np.float64)[made.codes]
    values = (values - values[complete].mean(axis=0)) * np.expand_dims(complete, 1)
    total = values.sum(axis=1)
    sides = [complete.astype(np.float64), (values**2).sum(axis=1), total**2]
    return np.column_stack([*sides, values]), ""


def cronbach_of(sums: FloatArray) -> FloatArray:
    """Cronbach's alpha from sums over items: number, squares, squared totals, then each rater's sum."""
    n, within, total, by_rater = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3:]
    k = by_rater.shape[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        within = within - (by_rater**2).sum(axis=-1) / n
        spread = total - by_rater.sum(axis=-1) ** 2 / n
        defined = spread > 1e-10 * (sums[..., 1] + total)
        return np.where(defined, k / (k - 1) * (1 - within / spread), np.nan)
