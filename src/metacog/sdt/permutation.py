"""Permutation nulls: of no relation within a table or between questions, of a swap, of group labels.

p = (1 + #null at least as extreme) / (1 + permutations) (Phipson & Smyth 2010), so it is never 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ._cluster_permutation import ClusterPermutation, permute_clusters
from ._permutation_p import PermutationTest, permutation_p
from .checks import InputError
from .resampling import TableStatistic, chunks
from .tables import FloatArray, as_integer_tables

__all__ = [
    "ClusterPermutation",
    "Deal",
    "PermutationTest",
    "permutation_p",
    "permute_clusters",
    "relabel_clusters",
    "relabel_counts",
    "shuffled_tables",
    "swap_within_clusters",
]


def shuffled_tables(
    nR_S1: ArrayLike, nR_S2: ArrayLike, n_permutations: int, *, seed: int | None = 42
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tables of random re-pairings of correctness and rating, two arrays of shape ``(n_permutations, L)``.

    Shuffling correctness over trials keeps both margins, so the correct row is a multivariate
    hypergeometric draw from the rating totals: no trial is touched.
    """
    incorrect, correct = as_integer_tables(nR_S1, nR_S2)
    if incorrect.ndim != 1:
        raise InputError(f"one table of shape (L,) is wanted, got {incorrect.shape}")
    rating = incorrect + correct
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    drawn = rng.multivariate_hypergeometric(rating, int(correct.sum()), size=n_permutations)
    return rating - drawn, drawn


Deal = Callable[[int, np.random.Generator], FloatArray]
"""From a number of permutations to that many tables of the first group, ``(size, M)``."""


def _two_groups(
    tables: tuple[FloatArray, FloatArray],
    statistic: TableStatistic,
    deal: Deal,
    width: int,
    n_permutations: int,
    seed: int | None,
) -> PermutationTest:
    """Null of ``statistic(A) - statistic(B)``: trials are dealt again, and B gets what A does not."""
    first, second = (t.reshape(1, -1) for t in tables)
    total = first + second
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    null = []
    for size in chunks(n_permutations, width):
        dealt = deal(size, rng)
        null.append(statistic(dealt) - statistic(total - dealt))
    observed = float((statistic(first) - statistic(second))[0])
    return permutation_p(observed, np.concatenate(null), centre=0.0)


def _total(cells: sparse.csr_array) -> FloatArray:
    return np.asarray(cells.sum(axis=0), dtype=np.float64).ravel()


def swap_within_clusters(
    cells_a: sparse.csr_array,
    cells_b: sparse.csr_array,
    statistic: TableStatistic,
    *,
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> PermutationTest:
    """Paired null of ``statistic(A) - statistic(B)``: each question swaps its A and B trials or not.

    Parameters
    ----------
    cells_a, cells_b : sparse arrays, shape ``(C, M)``
        The same questions in the same rows.

    Notes
    -----
    The null is that A and B are exchangeable within a question, not only that the statistic is
    equal: a difference in accuracy alone also breaks it.
    """
    a, b = sparse.csr_array(cells_a), sparse.csr_array(cells_b)
    if a.shape != b.shape:
        raise InputError(f"paired cells must have one shape, got {a.shape} and {b.shape}")
    change, table_a = sparse.csr_array(b - a), _total(a)

    def deal(size: int, rng: np.random.Generator) -> FloatArray:
        swap = rng.integers(0, 2, (size, a.shape[0])).astype(np.float64)
        return table_a + (change.T @ swap.T).T

    width = a.shape[0] + 2 * a.shape[1]
    return _two_groups((table_a, _total(b)), statistic, deal, width, n_permutations, seed)


def relabel_clusters(
    cells_a: sparse.csr_array,
    cells_b: sparse.csr_array,
    statistic: TableStatistic,
    *,
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> PermutationTest:
    """Unpaired null of ``statistic(A) - statistic(B)``: questions are dealt to A and B at random."""
    a, b = sparse.csr_array(cells_a), sparse.csr_array(cells_b)
    if a.shape[1] != b.shape[1]:
        raise InputError(f"both groups need the same cells, got {a.shape[1]} and {b.shape[1]}")
    pooled = sparse.csr_array(sparse.vstack([a, b]))
    n_a, n = a.shape[0], pooled.shape[0]

    def deal(size: int, rng: np.random.Generator) -> FloatArray:
        chosen = np.argpartition(rng.random((size, n)), n_a - 1, axis=1)[:, :n_a]
        picked = np.zeros((size, n))
        np.put_along_axis(picked, chosen, 1.0, axis=1)
        return np.asarray((pooled.T @ picked.T).T)

    width = 2 * n + 2 * a.shape[1]
    return _two_groups((_total(a), _total(b)), statistic, deal, width, n_permutations, seed)


def relabel_counts(
    table_a: ArrayLike,
    table_b: ArrayLike,
    statistic: TableStatistic,
    *,
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> PermutationTest:
    """The unpaired null when every trial is its own unit: only the two tables are needed.

    Parameters
    ----------
    table_a, table_b : whole-number arrays, shape ``(M,)``
    """
    a, b = as_integer_tables(table_a, table_b)

    def deal(size: int, rng: np.random.Generator) -> FloatArray:
        return rng.multivariate_hypergeometric(a + b, int(a.sum()), size=size).astype(np.float64)

    tables = a.astype(np.float64), b.astype(np.float64)
    return _two_groups(tables, statistic, deal, 3 * a.size, n_permutations, seed)
