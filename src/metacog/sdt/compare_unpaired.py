"""Differences of a measure between two groups of different questions, or of two count tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .checks import InputError
from .compare import Difference, defined, difference_of, of_clusters, read_groups
from .intervals import spawn_seeds
from .measures import MAX_RATING_LEVELS, Measure, get_measure
from .permutation import relabel_clusters, relabel_counts
from .resampling import chunks, cluster_cells, weight_chunks
from .tables import as_integer_tables, table_from_trials


def compare_counts(
    table_a: tuple[ArrayLike, ArrayLike],
    table_b: tuple[ArrayLike, ArrayLike],
    *,
    measure: str | Measure = "auroc2",
    ratings: ArrayLike | None = None,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Difference:
    """Difference between two independent groups known by their count tables only.

    Parameters
    ----------
    table_a, table_b : (nR_S1, nR_S2), whole-number arrays of shape ``(L,)``
    ratings : array of shape ``(L,)``, optional
        The value of each rating; 1 ... L when left out.
    measure : str or Measure
    n_resamples, n_permutations : int
    seed : int or None
    level : float
    """
    chosen = get_measure(measure)
    rows = [np.concatenate(as_integer_tables(*t)) for t in (table_a, table_b)]
    if rows[0].ndim != 1 or rows[0].shape != rows[1].shape:
        raise InputError("both groups need tables of one shape (L,)")
    width = rows[0].size // 2
    scale = np.arange(1.0, width + 1) if ratings is None else np.asarray(ratings, dtype=np.float64)
    if scale.size != width or (np.diff(scale) <= 0).any():
        raise InputError(f"ratings must hold {width} rising values")
    statistic = chosen.on_tables(scale)
    values = defined(chosen, statistic(np.stack(rows).astype(np.float64)))
    draws = []
    for row, child in zip(rows, spawn_seeds(seed, 2), strict=True):
        rng = np.random.default_rng(child)
        parts = [
            statistic(rng.multinomial(int(row.sum()), row / row.sum(), size=size).astype(np.float64))
            for size in chunks(n_resamples, 3 * row.size)
        ]
        draws.append(np.concatenate(parts))
    test = relabel_counts(rows[0], rows[1], statistic, n_permutations=n_permutations, seed=seed)
    n_a, n_b = int(rows[0].sum()), int(rows[1].sum())
    sizes = (n_a, n_b, n_a + n_b, 0)
    return difference_of(chosen, values, draws[0] - draws[1], level, test, False, sizes)


def compare_unpaired(
    correct_a: ArrayLike,
    score_a: ArrayLike,
    correct_b: ArrayLike,
    score_b: ArrayLike,
    *,
    clusters_a: ArrayLike | None = None,
    clusters_b: ArrayLike | None = None,
    measure: str | Measure = "auroc2",
    ratings: ArrayLike | None = None,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Difference:
    """Difference between groups of different questions (two domains, two data sets).

    Parameters
    ----------
    correct_a, score_a, correct_b, score_b : arrays of shape ``(n_a,)`` and ``(n_b,)``
    clusters_a, clusters_b : arrays of labels, optional
        Trials of one cluster (a question) stay together; without them every trial is its own.
    measure, ratings, n_resamples, n_permutations, seed, level
        As for :func:`compare_paired`.
    """
    chosen = get_measure(measure)
    hits, scores, scale = read_groups(correct_a, score_a, correct_b, score_b, ratings)
    if (clusters_a is None) != (clusters_b is None):
        raise InputError("pass clusters of both groups or of neither")
    if clusters_a is None and scale.size > MAX_RATING_LEVELS:
        # Raw confidence: drawing trials is faster than drawing thousands of nearly empty cells.
        clusters_a, clusters_b = np.arange(hits[0].size), np.arange(hits[1].size)
    if clusters_a is None or clusters_b is None:
        tables = []
        for h, s in zip(hits, scores, strict=True):
            incorrect, correct, used = table_from_trials(h, s)
            where = np.searchsorted(scale, used)
            if (scale[np.minimum(where, scale.size - 1)] != used).any():
                raise InputError("a trial has a confidence that is not among ratings")
            full = np.zeros((2, scale.size))
            full[:, where] = incorrect, correct
            tables.append((full[0], full[1]))
        return compare_counts(
            tables[0],
            tables[1],
            measure=chosen,
            ratings=scale,
            n_resamples=n_resamples,
            n_permutations=n_permutations,
            seed=seed,
            level=level,
        )
    cells = [
        cluster_cells(h, s, np.asarray(q), ratings=scale)
        for h, s, q in zip(hits, scores, (clusters_a, clusters_b), strict=True)
    ]
    statistic = chosen.on_tables(scale)
    values = defined(chosen, statistic(np.stack([c.total() for c in cells])))
    draws = []
    for c, child in zip(cells, spawn_seeds(seed, 2), strict=True):
        side, n = of_clusters(c, chosen, statistic), c.matrix.shape[0]
        weights = weight_chunks(n, n_resamples, child, n + 2 * scale.size)
        draws.append(np.concatenate([side(w)[chosen.name] for w in weights]))
    test = relabel_clusters(
        cells[0].matrix, cells[1].matrix, statistic, n_permutations=n_permutations, seed=seed
    )
    n_clusters = cells[0].matrix.shape[0] + cells[1].matrix.shape[0]
    sizes = (hits[0].size, hits[1].size, n_clusters, 0)
    return difference_of(chosen, values, draws[0] - draws[1], level, test, False, sizes)
