"""What must lie behind printed correlations, tables of the same margins, and resamples drawn as another program does.

A printed rank correlation says much about the ranks it came from. :func:`sizes_of_interval` and
:func:`sizes_of_p` find the numbers of items that give a printed interval or p; :func:`solve_ranking` finds
every ranking that gives a row of printed correlations.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.correlations import correlation_p, fisher_interval

#: Most objects whose weak orders are listed: there are 545,835 of eight, 7,087,261 of nine.
MOST_OBJECTS = 8


def sizes_of_interval(
    r: float, lower: float, upper: float, sizes: Iterable[int], *, half_r: float, half_end: float
) -> list[int]:
    """Numbers of pairs, 4 or more, whose Fisher interval of a printed correlation gives both printed ends.

    ``half_r`` and ``half_end`` are half the last printed digit of the correlation and of the ends.
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
    """Every order of ``n`` objects, at most :data:`MOST_OBJECTS`, ties included: levels from 0, an order a row."""
    if not 1 <= n <= MOST_OBJECTS:
        raise InputError(f"weak orders are listed for 1 to {MOST_OBJECTS} objects, not {n}")
    by_levels = {1: np.zeros((1, 1), dtype=np.int64)}
    for _ in range(n - 1):
        grown: dict[int, list[NDArray[np.int64]]] = {}
        for k, orders in by_levels.items():
            for level in range(k):  # join a level
                grown.setdefault(k, []).append(np.insert(orders, orders.shape[1], level, axis=1))
            for level in range(k + 1):  # or open one below the old level of that number
                opened = orders + (orders >= level)
                grown.setdefault(k + 1, []).append(np.insert(opened, orders.shape[1], level, axis=1))
        by_levels = {k: np.concatenate(parts) for k, parts in grown.items()}
    return np.concatenate(list(by_levels.values()))


def solve_ranking(scores: Sequence[ArrayLike], rhos: Sequence[float], half: float) -> FloatArray:
    """Every ranking of a few objects whose Spearman correlations with known scores are those printed.

    ``half`` is half the last printed digit. Rows of mean ranks, the highest object last; ties share their mean
    rank. All weak orders are tried, so that none is missed.
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

    Of n rows from which their common mean was taken it lies near -1/(n - 1) whatever they hold, since the rows
    then sum to 0; it is exactly that where they are equally long.
    """
    x = np.asarray(rows, dtype=np.float64)
    if x.ndim != 2 or len(x) < 2:
        raise InputError("a mean cosine needs at least two rows")
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    if not (lengths > 0).all():
        raise InputError("a row of zeros has no direction")
    cosines = (x / lengths) @ (x / lengths).T
    return float(cosines[np.triu_indices(len(x), 1)].mean())


# Tables of 0 and 1 with the same margins: which items fail whom, beyond how hard and how able.


def same_margins(table: ArrayLike, n_draws: int, *, seed: int | None = 42) -> Iterator[NDArray[np.bool_]]:
    """Random tables with the row sums and column sums of a table of 0 and 1.

    With people as rows and items as columns these are draws from the Rasch model given its sufficient
    statistics: whoever fails whatever beyond ability and difficulty is dealt again (Chen & Small 2005).

    Curveball trades (Strona et al. 2014, Nat. Commun. 5, 4114): two rows pool what only one of them has and
    deal it out again, each getting as many as before. The chain is uniform over all such tables. Five pairs a
    row trade between two draws, ten times as many before the first.
    """
    values = np.asarray(table)
    if values.ndim != 2 or values.shape[0] < 2 or not np.isin(values, (0, 1)).all():
        raise InputError("a table of 0 and 1 with at least two rows is wanted")
    rng = np.random.default_rng(seed)
    state = values.astype(bool).copy()
    rows = state.shape[0]
    for draw in range(n_draws):
        for _ in range(5 * rows if draw else 50 * rows):
            i, j = rng.choice(rows, 2, replace=False)
            _trade(state, int(i), int(j), rng)
        yield state.copy()


def _trade(state: NDArray[np.bool_], i: int, j: int, rng: np.random.Generator) -> None:
    differing = np.flatnonzero(state[i] != state[j])
    if differing.size == 0:
        return
    of_first = int(state[i, differing].sum())
    rng.shuffle(differing)
    state[i, differing], state[j, differing] = False, True
    state[i, differing[:of_first]], state[j, differing[:of_first]] = True, False


def cohens_d(a: ArrayLike, b: ArrayLike) -> float:
    """Difference of two means, A minus B, over the pooled standard deviation (Cohen 1988).

    NaN where a group has fewer than two values or neither varies.
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.size < 2 or y.size < 2:
        return float("nan")
    pooled = ((x.size - 1) * x.var(ddof=1) + (y.size - 1) * y.var(ddof=1)) / (x.size + y.size - 2)
    return float((x.mean() - y.mean()) / np.sqrt(pooled)) if pooled > 0 else float("nan")


def bootstrap_cohens_d(
    a: Sequence[float], b: Sequence[float], *, n_resamples: int = 10_000, seed: int = 42
) -> FloatArray:
    """Cohen's d of resampled groups, sorted.

    Draws come from Python's own generator, group A before group B in each resample, value by value: the same
    seed gives the same draws on every system, and those of other programs that draw so. Resamples in which a
    group holds one value only are skipped.
    """
    source = random.Random(seed)
    found = []
    for _ in range(n_resamples):
        one = [source.choice(a) for _ in range(len(a))]
        other = [source.choice(b) for _ in range(len(b))]
        if len(set(one)) > 1 and len(set(other)) > 1:
            found.append(_d_of_lists(one, other))
    return np.sort(np.asarray(found, dtype=np.float64))


def _d_of_lists(a: Sequence[float], b: Sequence[float]) -> float:
    """Cohen's d of short lists: numpy's overhead would be most of the time."""
    n, m = len(a), len(b)
    mean_a, mean_b = sum(a) / n, sum(b) / m
    spread = sum((v - mean_a) ** 2 for v in a) + sum((v - mean_b) ** 2 for v in b)
    return (mean_a - mean_b) / (spread / (n + m - 2)) ** 0.5


def order_limits(draws: ArrayLike) -> tuple[float, float]:
    """Percentile limits without interpolation: draws ``floor(.025 B)`` and ``floor(.975 B) - 1`` from below.

    Where a printed interval is to be met digit by digit; elsewhere
    :func:`metacog.sdt.intervals.percentile_limits`.
    """
    values = np.sort(np.asarray(draws, dtype=np.float64))
    if values.size < 2:
        return float("nan"), float("nan")
    first, last = int((1 - 0.95) / 2 * values.size), int((1 + 0.95) / 2 * values.size) - 1
    return float(values[first]), float(values[last])
