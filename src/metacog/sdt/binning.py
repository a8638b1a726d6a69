"""Ratings: edges, bins and the counts that every estimator starts from.

A rating is 1 ... n_bins. By default a value on an edge goes up (``x >= edge``);
``closed="right"`` sends it down (``x > edge`` goes up).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError

if TYPE_CHECKING:
    import pandas as pd

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Edges:
    """Inner bin edges, lowest first; usable wherever an array is.

    Attributes
    ----------
    values : array, shape ``(n_bins - 1,)``
    n_bins : int
    degenerate : bool
        True when edges coincide, or an outer bin can hold no value, so that some rating is never
        given: ties in the data leave fewer than ``n_bins`` real levels.
    empty : tuple of int
        Ratings that none of the values that made the edges receives.
    coarse : bool
        True where each value, or group of neighbours, has a rating of its own (`value_edges`); there
        may then be fewer edges than ``n_bins - 1``, and the ratings above them are not used.
    """

    values: FloatArray
    n_bins: int
    degenerate: bool
    empty: tuple[int, ...]
    coarse: bool = False

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> NDArray:
        return np.array(self.values, dtype=dtype)

    def __len__(self) -> int:
        return int(self.values.size)


@dataclass(frozen=True)
class Counts:
    """Trials by rating, lowest rating first.

    Attributes
    ----------
    nR_S1, nR_S2 : int arrays, shape ``(n_bins,)``
        Incorrect and correct trials.
    n_bins : int
    n_empty : int
        Ratings that no trial carries.
    """

    nR_S1: IntArray
    nR_S2: IntArray
    n_bins: int
    n_empty: int


@dataclass(frozen=True)
class GroupCounts:
    """Counts ``(G, n_bins)`` of the groups of a trial table, a row of ``groups`` each."""

    groups: pd.DataFrame
    nR_S1: IntArray
    nR_S2: IntArray
    n_dropped: int


def _values(x: ArrayLike, name: str = "values") -> FloatArray:
    try:
        values = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise MetacogError(f"{name} must be numbers; drop trials without one first") from error
    if values.ndim != 1 or values.size == 0:
        raise MetacogError(f"{name} must be a non-empty one-dimensional array, got shape {values.shape}")
    if not np.isfinite(values).all():
        raise MetacogError(f"{name} hold NaN or infinite values; drop those trials first")
    return values


def _edges(values: FloatArray, inner: FloatArray, n_bins: int, closed: str) -> Edges:
    ratings = _rate(values, inner, closed)
    empty = tuple(int(r) for r in np.flatnonzero(np.bincount(ratings, minlength=n_bins + 1)[1:] == 0) + 1)
    repeated = bool((np.diff(inner) <= 0).any())
    outer = bool({1, n_bins} & set(empty))
    return Edges(inner, n_bins, repeated or outer, empty)


def _check_bins(n_bins: int) -> None:
    if int(n_bins) != n_bins or n_bins < 2:
        raise MetacogError(f"n_bins must be a whole number of at least 2, got {n_bins}")


def quantile_edges(x: ArrayLike, n_bins: int, *, closed: str = "left") -> Edges:
    """Edges at the inner quantiles 1/n_bins ... (n_bins - 1)/n_bins (linear interpolation).

    Parameters
    ----------
    x : array, shape ``(n,)``
    n_bins : int
        8 gives the 12.5, 25 ... 87.5 % quantiles.
    closed : {'left', 'right'}

    Returns
    -------
    Edges
        They count as an array. ``degenerate`` says that ties leave fewer levels than ``n_bins``.

    Raises
    ------
    MetacogError
        Empty or missing values, fewer than two bins.

    Examples
    --------
    >>> from metacog.sdt import quantile_edges
    >>> edges = quantile_edges([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], n_bins=4)
    >>> edges.values
    array([0.275, 0.45 , 0.625])
    >>> edges.degenerate
    False
    >>> quantile_edges([0.9, 0.9, 0.9, 0.9, 0.5, 0.1], n_bins=4).degenerate  # ties
    True
    """
    _check_bins(n_bins)
    values = _values(x)
    return _edges(values, np.quantile(values, np.arange(1, n_bins) / n_bins), n_bins, closed)


def equal_width_edges(x: ArrayLike, n_bins: int, *, closed: str = "left") -> Edges:
    """Edges that cut the observed range into equal widths."""
    _check_bins(n_bins)
    values = _values(x)
    inner = np.linspace(float(values.min()), float(values.max()), n_bins + 1)[1:-1]
    return _edges(values, inner, n_bins, closed)


def is_coarse(x: ArrayLike, n_bins: int) -> bool:
    """Whether values are too coarse for so many bins of about equal frequency.

    They are where there are fewer values than bins, or so many trials at one value, most of them for instance,
    that edges at the quantiles coincide.
    """
    values = _values(x)
    return bool(np.unique(values).size < n_bins or quantile_edges(values, n_bins).degenerate)


def value_edges(x: ArrayLike, n_bins: int, *, closed: str = "left") -> Edges:
    """Edges that give each value a rating of its own, lowest first, half-way between neighbours.

    Where there are more values than bins, the two neighbours that hold fewest trials are joined first.
    """
    _check_bins(n_bins)
    values = _values(x)
    levels, sizes = np.unique(values, return_counts=True)
    first = list(range(levels.size))  # of each group of neighbours
    held = sizes.tolist()
    while len(held) > n_bins:
        at = int(np.argmin(np.array(held[:-1]) + np.array(held[1:])))
        held[at : at + 2] = [held[at] + held[at + 1]]
        del first[at + 1]
    inner = np.array([(levels[i - 1] + levels[i]) / 2 for i in first[1:]], dtype=np.float64)
    given = set(_rate(values, inner, closed).tolist())
    return Edges(inner, n_bins, False, tuple(r for r in range(1, n_bins + 1) if r not in given), True)


def _rate(values: FloatArray, edges: FloatArray, closed: str) -> IntArray:
    if closed not in ("left", "right"):
        raise MetacogError(f'closed must be "left" or "right", got {closed!r}')
    side: str = "right" if closed == "left" else "left"
    return np.searchsorted(edges, values, side=side).astype(np.int64) + 1  # type: ignore[call-overload]


def rate(x: ArrayLike, edges: ArrayLike | Edges, *, closed: str = "left") -> IntArray:
    """Ratings 1 ... len(edges) + 1.

    Parameters
    ----------
    x : array, shape ``(n,)``
    edges : array or Edges
        Inner edges, not falling.
    closed : {'left', 'right'}
        ``left``: ``x >= edge`` goes up; ``right``: only ``x > edge`` does.

    Returns
    -------
    int array, shape ``(n,)``

    Examples
    --------
    >>> from metacog.sdt import rate
    >>> rate([0.1, 0.5, 0.55, 0.9], edges=[0.5, 0.75])
    array([1, 2, 2, 3])
    """
    inner = np.asarray(edges, dtype=np.float64)
    if inner.ndim != 1 or not np.isfinite(inner).all() or (np.diff(inner) < 0).any():
        raise MetacogError("edges must be finite and in rising order")
    return _rate(_values(x), inner, closed)


def counts(correct: ArrayLike, rating: ArrayLike, n_bins: int) -> Counts:
    """Count incorrect (``nR_S1``) and correct (``nR_S2``) trials at each rating.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    rating : int array, shape ``(n,)``
        1 ... n_bins.
    n_bins : int

    Returns
    -------
    Counts
        ``nR_S1`` and ``nR_S2`` are what the type-2 functions take.

    Raises
    ------
    MetacogError
        Ratings outside 1 ... n_bins or not whole, correctness other than 0/1, lengths that differ.

    Examples
    --------
    >>> from metacog.sdt import counts
    >>> found = counts(correct=[1, 1, 0, 1, 0], rating=[3, 2, 1, 3, 2], n_bins=3)
    >>> found.nR_S1, found.nR_S2  # incorrect and correct, lowest rating first
    (array([1, 1, 0]), array([0, 1, 2]))
    """
    _check_bins(n_bins)
    is_correct, ratings = _values(correct, "correct"), _values(rating, "ratings")
    if is_correct.size != ratings.size:
        raise MetacogError(f"correct has {is_correct.size} trials and rating {ratings.size}; pass one each")
    if not np.isin(is_correct, (0.0, 1.0)).all():
        raise MetacogError("correct must hold 0/1 or True/False only")
    if (ratings != np.floor(ratings)).any() or ratings.min() < 1 or ratings.max() > n_bins:
        raise MetacogError(f"ratings must be whole numbers 1 to {n_bins}; bin confidence with rate() first")
    cell = (ratings.astype(np.int64) - 1) + n_bins * is_correct.astype(np.int64)
    table = np.bincount(cell, minlength=2 * n_bins).reshape(2, n_bins).astype(np.int64)
    return Counts(table[0], table[1], n_bins, int((table.sum(axis=0) == 0).sum()))


def counts_by(trials: pd.DataFrame, by: str | Sequence[str], n_bins: int) -> GroupCounts:
    """Counts of every group of a trial table in one pass, groups sorted; a missing group value is a group of its own.

    Trials with a missing rating or score are left out and counted; a group of such trials alone has only zeros.
    """
    _check_bins(n_bins)
    columns = [by] if isinstance(by, str) else list(by)
    _need(trials, [*columns, "correct", "rating"])
    if trials.empty:
        raise MetacogError("there are no trials to count")
    keep = trials["correct"].notna() & trials["rating"].notna()
    all_groups = trials.groupby(columns, dropna=False, sort=True, observed=True).ngroup()
    groups = (
        trials[columns].assign(_g=all_groups).drop_duplicates("_g").sort_values("_g", kind="stable")[columns]
    )
    table = np.zeros((len(groups), 2, n_bins), dtype=np.int64)
    if keep.any():
        ratings = trials.loc[keep, "rating"].to_numpy(dtype=np.float64)
        is_correct = trials.loc[keep, "correct"].to_numpy(dtype=np.float64)
        counts(is_correct, ratings, n_bins)  # the same checks and messages
        place = (all_groups[keep].to_numpy(), is_correct.astype(np.int64), ratings.astype(np.int64) - 1)
        np.add.at(table, place, 1)
    return GroupCounts(groups.reset_index(drop=True), table[:, 0], table[:, 1], int((~keep).sum()))


def rate_by(
    trials: pd.DataFrame,
    by: str | Sequence[str],
    n_bins: int,
    *,
    confidence: str = "nlp",
    reference: NDArray[np.bool_] | pd.Series | None = None,
    method: str = "quantile",
) -> tuple[pd.Series, dict[tuple[Hashable, ...], Edges]]:
    """Ratings of trials by the edges of their own group, missing where confidence is, and the edges by group key.

    Edges are taken from the trials in ``reference`` (temperature == 1.0, say), from all without it.
    """
    columns = [by] if isinstance(by, str) else list(by)
    _need(trials, [*columns, confidence])
    makers = {"quantile": quantile_edges, "width": equal_width_edges, "value": value_edges}
    if method not in makers:
        raise MetacogError(f'no binning named {method!r}; use "quantile", "width" or "value"')
    usable = trials[confidence].notna().to_numpy()
    source = usable if reference is None else usable & np.asarray(reference, dtype=bool)
    x = trials[confidence].to_numpy(dtype=np.float64, na_value=np.nan)
    ratings = np.full(len(trials), np.nan)
    edges: dict[tuple[Hashable, ...], Edges] = {}
    for key, positions in trials.groupby(columns, dropna=False, sort=True, observed=True).indices.items():
        name = key if isinstance(key, tuple) else (key,)
        where = np.asarray(positions)
        rows = where[usable[where]]
        if rows.size == 0:
            continue
        base = where[source[where]]
        if base.size == 0:
            raise MetacogError(f"group {name} has no trials in the reference; widen it or drop the group")
        edges[name] = makers[method](x[base], n_bins)
        ratings[rows] = _rate(x[rows], edges[name].values, "left")
    import pandas as pd  # here, so that importing the package stays quick

    return pd.Series(ratings, index=trials.index, dtype="Int64"), edges


def _need(trials: pd.DataFrame, columns: Sequence[str]) -> None:
    missing = [c for c in columns if c not in trials.columns]
    if missing:
        raise MetacogError(
            f"the trial table has no column {', '.join(missing)}; it has {list(trials.columns)}"
        )
