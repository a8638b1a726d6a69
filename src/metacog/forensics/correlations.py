"""Correlations that are published without their data: what must lie behind them.

A printed rank correlation says much about the ranks it came from. :func:`sizes_of_interval` and
:func:`sizes_of_p` find the numbers of items that give a printed interval or p; :func:`solve_ranking` finds
every ranking that gives a row of printed correlations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.correlation import correlation_p, fisher_interval

#: Most objects whose weak orders are listed: there are 545,835 of eight, 7,087,261 of nine.
MOST_OBJECTS = 8


def sizes_of_interval(
    r: float, lower: float, upper: float, sizes: Iterable[int], *, half_r: float, half_end: float
) -> list[int]:
    """Numbers of pairs whose Fisher interval of a rounded correlation gives both rounded ends.

    Parameters
    ----------
    r, lower, upper : float
        As printed.
    sizes : iterable of int
        Candidates, each at least 4.
    half_r, half_end : float
        Half the last printed digit of the correlation and of the ends.
    """
    found = []
    for n in sizes:
        low, high = (
            fisher_interval(max(-1.0, r - half_r), n).ends,
            fisher_interval(min(1.0, r + half_r), n).ends,
        )
        inside = (low[i] - half_end <= end <= high[i] + half_end for i, end in enumerate((lower, upper)))
        if all(inside):
            found.append(n)
    return found


def p_range(r: float, n: int, half_r: float) -> tuple[float, float]:
    """Smallest and largest p that a rounded correlation can have at ``n`` pairs."""
    size = abs(r)
    return correlation_p(min(1.0, size + half_r), n), correlation_p(max(0.0, size - half_r), n)


def sizes_of_p(r: float, p_value: float, sizes: Iterable[int], *, half_r: float, half_p: float) -> list[int]:
    """Numbers of pairs at which a rounded correlation can have a rounded p."""
    ends = ((n, *p_range(r, n, half_r)) for n in sizes)
    return [n for n, low, high in ends if low - half_p <= p_value <= high + half_p]


def weak_orders(n: int) -> NDArray[np.int64]:
    """Every order of ``n`` objects, ties included: levels from 0, an order a row.

    Raises
    ------
    InputError
        More than :data:`MOST_OBJECTS` objects, or none.
    """
    if not 1 <= n <= MOST_OBJECTS:
        raise InputError(f"weak orders are listed for 1 to {MOST_OBJECTS} objects, not {n}")
    by_levels = {1: np.zeros((1, 1), dtype=np.int64)}
    for _ in range(n - 1):
        grown: dict[int, list[NDArray[np.int64]]] = {}
        for k, orders in by_levels.items():
            for level in range(k):  # join a level
                grown.setdefault(k, []).append(_with(orders, level))
            for level in range(k + 1):  # or open one below the old level of that number
                grown.setdefault(k + 1, []).append(_with(orders + (orders >= level), level))
        by_levels = {k: np.concatenate(parts) for k, parts in grown.items()}
    return np.concatenate(list(by_levels.values()))


def _with(orders: NDArray[np.int64], level: int) -> NDArray[np.int64]:
    return np.column_stack([orders, np.full(len(orders), level)])


def solve_ranking(scores: Sequence[ArrayLike], rhos: Sequence[float], half: float) -> FloatArray:
    """Every ranking of a few objects whose Spearman correlations with known scores are those printed.

    All weak orders are tried, so that none is missed.

    Parameters
    ----------
    scores : sequence of array_like, each of shape (n,)
        Known scores of the same n objects; ties share their mean rank.
    rhos : sequence of float
        Printed correlation of the sought ranking with each of them.
    half : float
        Half the last printed digit.

    Returns
    -------
    array, shape (m, n)
        Mean ranks, the highest object last; no row if no ranking gives all.

    Raises
    ------
    InputError
        Scores of different lengths, too many objects, or another number of correlations than of scores.
    """
    known = [rankdata(np.asarray(s, dtype=np.float64)) for s in scores]
    if not known or len(known) != len(rhos) or len({k.size for k in known}) != 1:
        raise InputError("solve_ranking: give scores of the same objects, and a correlation for each")
    levels = weak_orders(known[0].size)
    orders = levels[levels.max(axis=1) > 0]  # a single level has no correlation
    ranks = rankdata(orders, axis=1)
    fits = np.ones(len(ranks), dtype=bool)
    for ranking, rho in zip(known, rhos, strict=True):
        fits &= np.abs(spearman_rows(ranks, ranking) - rho) <= half * (1 + 1e-9)
    return ranks[fits]


def spearman_rows(ranks: ArrayLike, with_: ArrayLike) -> FloatArray:
    """Correlation of each row of mean ranks, shape (m, n), with one ranking, shape (n,)."""
    rows = np.asarray(ranks, dtype=np.float64)
    rows = rows - rows.mean(axis=1, keepdims=True)
    centred = np.asarray(with_, dtype=np.float64)
    centred = centred - centred.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        return rows @ centred / np.sqrt((rows**2).sum(axis=1) * (centred**2).sum())


def mean_cosine(rows: ArrayLike) -> float:
    """Mean cosine of all pairs of rows, shape (n, k).

    Of n rows from which their common mean was taken it lies near -1/(n - 1) whatever they hold, since the
    rows then sum to 0; it is exactly that where they are equally long.

    Raises
    ------
    InputError
        Fewer than two rows, or a row of zeros.
    """
    x = np.asarray(rows, dtype=np.float64)
    if x.ndim != 2 or len(x) < 2:
        raise InputError("a mean cosine needs at least two rows")
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    if not (lengths > 0).all():
        raise InputError("a row of zeros has no direction")
    cosines = (x / lengths) @ (x / lengths).T
    return float(cosines[np.triu_indices(len(x), 1)].mean())
