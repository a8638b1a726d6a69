"""Bootstrap of count tables, trials and questions.

Resampling n trials with replacement and counting them is one multinomial draw over the cells of
their table: the resampled table has the same distribution, at a cost that does not grow with n.
Trials that share a question (several temperatures, several models) are not independent: resample
questions. A resample is then a vector of question weights, and every table is that vector times the
questions-by-cells matrix, so one sparse product makes thousands of tables.

Seeds go through ``numpy.random.SeedSequence``; a result depends on its seed and on sizes only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ._checks import InputError
from ._tables import FloatArray, as_correct, as_integer_tables, as_scores
from .intervals import Interval, Statistic, bca_interval, percentile_interval

TableStatistic = Callable[[FloatArray], FloatArray]
"""From cells of shape ``(B, M)`` to values of shape ``(B,)``."""

_CHUNK_NUMBERS = 4_000_000  # doubles held at a time: 32 MB


def _check(n_resamples: int, method: str) -> None:
    if n_resamples < 2:
        raise InputError(f"n_resamples must be at least 2, got {n_resamples}")
    if method not in ("percentile", "bca"):
        raise InputError(f'method must be "percentile" or "bca", got {method!r}')


def _interval(
    draws: FloatArray,
    estimate: float,
    method: str,
    level: float,
    limit: float | None,
    jackknife: Callable[[], tuple[FloatArray, FloatArray | None]],
) -> Interval:
    if method == "percentile":
        return percentile_interval(draws, estimate, level=level, limit=limit)
    leave, weights = jackknife()
    return bca_interval(draws, estimate, leave, weights, level=level, limit=limit)


def resample_tables(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    n_resamples: int,
    rng: np.random.Generator,
    stratify: bool = False,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Bootstrap tables of one count table.

    Parameters
    ----------
    nR_S1, nR_S2 : whole-number arrays, shape ``(L,)``
    stratify : bool
        Keep the number of trials of each class as observed (resample within class).

    Returns
    -------
    two arrays of shape ``(n_resamples, L)``
    """
    s1, s2 = as_integer_tables(nR_S1, nR_S2)
    if s1.ndim != 1 or s1.sum() + s2.sum() == 0:
        raise InputError("one table of shape (L,) with at least one trial is wanted")
    if stratify:
        if s1.sum() == 0 or s2.sum() == 0:
            raise InputError("a class has no trials, so it cannot be resampled within; use stratify=False")
        rows = [rng.multinomial(int(x.sum()), x / x.sum(), size=n_resamples) for x in (s1, s2)]
        return rows[0].astype(np.int64), rows[1].astype(np.int64)
    cells = np.concatenate([s1, s2])
    tables = rng.multinomial(int(cells.sum()), cells / cells.sum(), size=n_resamples).astype(np.int64)
    return tables[:, : s1.size], tables[:, s1.size :]


def bootstrap_counts(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    statistic: Statistic,
    *,
    n_resamples: int = 2000,
    seed: int | None = 42,
    method: str = "percentile",
    level: float = 0.95,
    stratify: bool = False,
    pad: float = 0.0,
    limit: float | None = None,
) -> Interval:
    """Interval of any statistic of one count table.

    Parameters
    ----------
    nR_S1, nR_S2 : whole-number arrays, shape ``(L,)``
    statistic : callable
        From two arrays of shape ``(B, L)`` to an array of shape ``(B,)``; NaN where undefined.
    method : {'percentile', 'bca'}
        BCa leaves out each trial in turn, which is one table a cell.
    stratify : bool
        Keep the class totals.
    pad : float
        Added to every cell of every table before the statistic (0.5: log-linear).
    limit : float, optional
        Draws with absolute value at or above it are dropped and counted.

    Raises
    ------
    InputError
        Bad counts or options, or fewer than two usable draws.
    """
    _check(n_resamples, method)
    s1, s2 = as_integer_tables(nR_S1, nR_S2)
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    b1, b2 = resample_tables(s1, s2, n_resamples, rng, stratify)

    def padded(a: NDArray[np.int64], b: NDArray[np.int64]) -> FloatArray:
        values = statistic(a.astype(np.float64) + pad, b.astype(np.float64) + pad)
        return np.asarray(values, dtype=np.float64).ravel()

    draws = padded(b1, b2)
    estimate = float(padded(s1[None], s2[None])[0])

    def jackknife() -> tuple[FloatArray, FloatArray]:
        cells = np.concatenate([s1, s2])
        leave = np.maximum(cells - np.eye(cells.size, dtype=np.int64), 0)
        return padded(leave[:, : s1.size], leave[:, s1.size :]), cells.astype(np.float64)

    return _interval(draws, estimate, method, level, limit, jackknife)


def _groups(labels: ArrayLike, n: int, name: str) -> tuple[NDArray[np.int64], int]:
    values = np.asarray(labels)
    if values.ndim != 1 or values.size != n:
        raise InputError(f"{name} must hold one label for each of the {n} trials, got shape {values.shape}")
    unique, index = np.unique(values, return_inverse=True)
    return index.astype(np.int64), unique.size


def bootstrap_trials(
    statistic: Callable[..., float],
    *arrays: ArrayLike,
    strata: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    n_resamples: int = 1000,
    seed: int | None = 42,
    method: str = "percentile",
    level: float = 0.95,
    limit: float | None = None,
) -> Interval:
    """Interval of any statistic of trials, one Python call a resample.

    Parameters
    ----------
    statistic : callable
        ``statistic(*arrays)`` gives a number; it may raise ``InputError`` or give NaN on a resample
        it cannot judge, which is then dropped and counted.
    arrays : arrays of shape ``(n, ...)``
        Resampled together, row by row.
    strata : array of labels, optional
        Trials are resampled within each stratum, which keeps its size.
    clusters : array of labels, optional
        Whole clusters are resampled (with ``strata``: within the stratum of the cluster, which
        must be one).
    """
    _check(n_resamples, method)
    data = [np.asarray(a) for a in arrays]
    if not data or len({a.shape[0] if a.ndim else -1 for a in data}) != 1 or data[0].ndim == 0:
        raise InputError("pass arrays with one row a trial, all of one length")
    n = data[0].shape[0]
    unit, n_units = (np.arange(n), n) if clusters is None else _groups(clusters, n, "clusters")
    order = np.argsort(unit, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(unit, minlength=n_units))[:-1])
    blocks = [np.arange(n_units)]
    if strata is not None:
        stratum, n_strata = _groups(strata, n, "strata")
        of_unit = np.array([stratum[m[0]] for m in members])
        if any((stratum[m] != stratum[m[0]]).any() for m in members):
            raise InputError("a cluster lies in more than one stratum; use one stratum for each cluster")
        blocks = [np.flatnonzero(of_unit == s) for s in range(n_strata)]

    def value(units: NDArray[np.int64]) -> float:
        rows = units if clusters is None else np.concatenate([members[u] for u in units])
        try:
            return float(statistic(*(a[rows] for a in data)))
        except InputError:
            return float("nan")

    rng = np.random.default_rng(np.random.SeedSequence(seed))
    draws = np.array(
        [
            value(np.concatenate([b[rng.integers(0, b.size, b.size)] for b in blocks]))
            for _ in range(n_resamples)
        ]
    )

    def jackknife() -> tuple[FloatArray, None]:
        return np.array([value(np.delete(np.arange(n_units), i)) for i in range(n_units)]), None

    return _interval(draws, float(statistic(*data)), method, level, limit, jackknife)


@dataclass(frozen=True)
class ClusterCells:
    """Questions by cells: what each question adds to the table.

    Attributes
    ----------
    matrix : sparse array, shape ``(C, 2 L)``
        Row c holds the trials of question c: L incorrect cells, then L correct cells, lowest
        confidence first.
    ids : array, shape ``(C,)``
    levels : array, shape ``(L,)``
        The confidence or rating of each level.
    """

    matrix: sparse.csr_array
    ids: NDArray
    levels: FloatArray

    @property
    def n_levels(self) -> int:
        """Number of levels L."""
        return int(self.levels.size)

    def total(self) -> FloatArray:
        """The table of all questions, shape ``(2 L,)``."""
        return np.asarray(self.matrix.sum(axis=0), dtype=np.float64).ravel()


def cluster_cells(
    correct: ArrayLike,
    confidence: ArrayLike,
    clusters: ArrayLike,
    *,
    levels: ArrayLike | None = None,
    ids: ArrayLike | None = None,
) -> ClusterCells:
    """Count every question's trials by correctness and confidence.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        Ratings or raw confidence; every distinct value is a level unless ``levels`` names them.
    clusters : array of labels, shape ``(n,)``
        The question of each trial.
    ids : array, optional
        Row order wanted (for a pairing); trials of other questions are an error.
    """
    hits = as_correct(correct)
    scores = as_scores(confidence, hits.size)
    labels = np.asarray(clusters)
    if labels.shape != hits.shape:
        raise InputError(f"clusters must hold one label for each of the {hits.size} trials")
    rows = np.unique(labels) if ids is None else np.asarray(ids)
    columns = np.unique(scores if levels is None else np.asarray(levels, dtype=np.float64))
    row, column = np.searchsorted(rows, labels), np.searchsorted(columns, scores)
    row, column = np.minimum(row, rows.size - 1), np.minimum(column, columns.size - 1)
    if (rows[row] != labels).any() or (columns[column] != scores).any():
        raise InputError("a trial has a question or confidence that is not among ids or levels")
    shape = (rows.size, 2 * columns.size)
    matrix = sparse.coo_array((np.ones(hits.size), (row, column + hits * columns.size)), shape=shape)
    return ClusterCells(sparse.csr_array(matrix), rows, columns)


def cluster_weights(
    n_clusters: int, n_resamples: int, rng: np.random.Generator, strata: NDArray[np.int64] | None = None
) -> FloatArray:
    """How often each cluster is drawn in each resample, shape ``(n_resamples, n_clusters)``."""
    weights = np.zeros((n_resamples, n_clusters))
    blocks = (
        [np.arange(n_clusters)]
        if strata is None
        else [np.flatnonzero(strata == s) for s in np.unique(strata)]
    )
    for block in blocks:
        picks = rng.integers(0, block.size, (n_resamples, block.size))
        picks += np.arange(n_resamples)[:, None] * block.size
        weights[:, block] = np.bincount(picks.ravel(), minlength=n_resamples * block.size).reshape(
            n_resamples, block.size
        )
    return weights


def chunks(n: int, width: int) -> list[int]:
    """Sizes of the chunks that ``n`` rows of ``width`` numbers are worked in."""
    size = max(1, min(n, _CHUNK_NUMBERS // max(width, 1)))
    return [min(size, n - start) for start in range(0, n, size)]


def weight_chunks(
    n_clusters: int,
    n_resamples: int,
    seed: int | np.random.SeedSequence | None,
    width: int,
    strata: NDArray[np.int64] | None = None,
) -> Iterator[FloatArray]:
    """Weights of ``n_resamples`` resamples of whole clusters, in chunks that fit in memory.

    Parameters
    ----------
    width : int
        Numbers that one resample needs; sets the size of a chunk, never what is drawn.

    Yields
    ------
    arrays, shape ``(b, n_clusters)``
    """
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    rng = np.random.default_rng(sequence)
    for size in chunks(n_resamples, width):
        yield cluster_weights(n_clusters, size, rng, strata)


def bootstrap_clusters(
    cells: sparse.csr_array | ArrayLike,
    statistic: TableStatistic,
    *,
    strata: ArrayLike | None = None,
    n_resamples: int = 2000,
    seed: int | None = 42,
    method: str = "percentile",
    level: float = 0.95,
    limit: float | None = None,
) -> Interval:
    """Interval of a statistic of tables when whole questions are resampled.

    Parameters
    ----------
    cells : sparse or dense array, shape ``(C, M)``
        What each question adds to the M cells. Put the cells of several models or conditions side
        by side for paired differences: all of a question's trials then move together.
    statistic : callable
        From ``(B, M)`` to ``(B,)``.
    strata : array of labels, shape ``(C,)``, optional
        Questions are resampled within strata (for example domains).
    """
    _check(n_resamples, method)
    matrix = sparse.csr_array(cells)
    n_clusters, width = matrix.shape
    if n_clusters < 2:
        raise InputError("at least two clusters are needed to resample them")
    block = None if strata is None else _groups(strata, n_clusters, "strata")[0]
    draws = [
        statistic((matrix.T @ weights.T).T)
        for weights in weight_chunks(n_clusters, n_resamples, seed, n_clusters + width, block)
    ]
    total = np.asarray(matrix.sum(axis=0), dtype=np.float64).reshape(1, -1)
    estimate = float(np.asarray(statistic(total)).ravel()[0])

    def jackknife() -> tuple[FloatArray, None]:
        values, start = [], 0
        for size in chunks(n_clusters, width):
            values.append(statistic(total - matrix[start : start + size].toarray()))
            start += size
        return np.concatenate(values), None

    return _interval(np.concatenate(draws), estimate, method, level, limit, jackknife)
