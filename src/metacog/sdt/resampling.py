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

from .checks import InputError
from .tables import FloatArray, as_correct, as_integer_tables, as_scores

TableStatistic = Callable[[FloatArray], FloatArray]
"""From cells of shape ``(B, M)`` to values of shape ``(B,)``."""

_CHUNK_NUMBERS = 4_000_000  # doubles held at a time: 32 MB


def resample_tables(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    n_resamples: int,
    rng: np.random.Generator,
    *,
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


@dataclass(frozen=True)
class ClusterCells:
    """Questions by cells: what each question adds to the table.

    Attributes
    ----------
    matrix : sparse array, shape ``(C, 2 L)``
        Row c holds the trials of question c: L incorrect cells, then L correct cells, lowest
        confidence first.
    ids : array, shape ``(C,)``
    ratings : array, shape ``(L,)``
        The confidence or rating of each column.
    """

    matrix: sparse.csr_array
    ids: NDArray
    ratings: FloatArray

    @property
    def n_ratings(self) -> int:
        """Number of ratings L."""
        return int(self.ratings.size)

    def total(self) -> FloatArray:
        """The table of all questions, shape ``(2 L,)``."""
        return np.asarray(self.matrix.sum(axis=0), dtype=np.float64).ravel()


def cluster_cells(
    correct: ArrayLike,
    confidence: ArrayLike,
    clusters: ArrayLike,
    *,
    ratings: ArrayLike | None = None,
    ids: ArrayLike | None = None,
) -> ClusterCells:
    """Count every question's trials by correctness and confidence.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        Ratings or raw confidence; every distinct value is a rating unless ``ratings`` names them.
    clusters : array of labels, shape ``(n,)``
        The question of each trial.
    ids : array, optional
        Row order wanted (for a pairing); trials of other questions are an error.
    """
    hits = as_correct(correct)
    scores = as_scores(confidence, n=hits.size)
    labels = np.asarray(clusters)
    if labels.shape != hits.shape:
        raise InputError(f"clusters must hold one label for each of the {hits.size} trials")
    rows = np.unique(labels) if ids is None else np.asarray(ids)
    columns = np.unique(scores if ratings is None else np.asarray(ratings, dtype=np.float64))
    row, column = np.searchsorted(rows, labels), np.searchsorted(columns, scores)
    row, column = np.minimum(row, rows.size - 1), np.minimum(column, columns.size - 1)
    if (rows[row] != labels).any() or (columns[column] != scores).any():
        raise InputError("a trial has a question or confidence that is not among ids or ratings")
    shape = (rows.size, 2 * columns.size)
    matrix = sparse.coo_array((np.ones(hits.size), (row, column + hits * columns.size)), shape=shape)
    return ClusterCells(sparse.csr_array(matrix), rows, columns)


def cluster_weights(n_clusters: int, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """How often each cluster is drawn in each resample, shape ``(n_resamples, n_clusters)``."""
    picks = rng.integers(0, n_clusters, (n_resamples, n_clusters))
    picks += np.arange(n_resamples)[:, None] * n_clusters
    counts = np.bincount(picks.ravel(), minlength=n_resamples * n_clusters)
    return counts.reshape(n_resamples, n_clusters).astype(np.float64)


def chunks(n: int, width: int) -> list[int]:
    """Sizes of the chunks that ``n`` rows of ``width`` numbers are worked in."""
    size = max(1, min(n, _CHUNK_NUMBERS // max(width, 1)))
    return [min(size, n - start) for start in range(0, n, size)]


def weight_chunks(
    n_clusters: int,
    n_resamples: int,
    seed: int | np.random.SeedSequence | None,
    width: int,
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
        yield cluster_weights(n_clusters, size, rng)
