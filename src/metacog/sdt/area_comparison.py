"""AUROC2 of many confidences against many sets of answers to the same items, under weights of the items.

Confidence takes few distinct values, so an item adds to one level of each confidence. Two sparse products
make the counts by level of all pairs in thousands of resamples at once, and an area is a running sum over
levels. Only wrong and missing answers need a product of pairs; right ones are what is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from metacog.sdt.checks import FloatArray, InputError

#: Permutations counted at a time: their counts stay in the processor's cache.
_FEW = 16


@dataclass(frozen=True)
class CrossAreas:
    """Counts by level, ready to be weighted, of M confidences and K sets of answers to N items.

    ``starts`` ``(M + 1,)``: where the levels of each confidence begin; the last is their number L. ``level``
    ``(M, N)``: of each item's confidence, counted through all confidences; -1 where there is none. ``total`` is
    ``(L, N)``; ``wrong`` and ``missing`` ``(L K, N)`` are the items of a level whose answer in column k is
    wrong, or is not there.
    """

    starts: NDArray[np.int64]
    level: NDArray[np.int64]
    total: sparse.csr_array
    wrong: sparse.csr_array
    missing: sparse.csr_array
    n_right: NDArray[np.int64]
    n_wrong: NDArray[np.int64]

    @classmethod
    def of(cls, correct: ArrayLike, confidence: ArrayLike) -> CrossAreas:
        """From answers 0, 1 and NaN, ``(K, N)``, and confidences ``(M, N)``, NaN where there is none.

        Only the order within a row matters; ties count one half.
        """
        marks, scores = np.asarray(correct, dtype=np.float64), np.asarray(confidence, dtype=np.float64)
        if marks.ndim != 2 or scores.ndim != 2 or marks.shape[1] != scores.shape[1] or not marks.size:
            raise InputError(
                f"answers (K, N) and confidences (M, N) are wanted, got {marks.shape}, {scores.shape}"
            )
        there = np.isfinite(scores)
        if not there.any(axis=1).all():
            raise InputError("a row has no confidence at all; leave it out")
        if not (np.isnan(marks) | (marks == 0) | (marks == 1)).all():
            raise InputError("answers must be 0, 1 or NaN")
        level = np.full(scores.shape, -1, dtype=np.int64)
        starts = [0]
        for row, values, known in zip(level, scores, there, strict=True):
            found, place = np.unique(values[known], return_inverse=True)
            row[known] = starts[-1] + place
            starts.append(starts[-1] + found.size)
        right, wrong = (there.astype(np.int64) @ (marks == side).T.astype(np.int64) for side in (1, 0))
        n_levels, n_columns = starts[-1], marks.shape[0]
        return cls(
            np.array(starts),
            level,
            _cells(level, np.ones((1, marks.shape[1]), dtype=bool), n_levels, 1),
            _cells(level, marks == 0, n_levels, n_columns),
            _cells(level, np.isnan(marks), n_levels, n_columns),
            right,
            wrong,
        )

    def areas(self, weights: ArrayLike | None = None) -> FloatArray:
        """Areas ``(B, M, K)`` under weights of the items ``(B, N)``, or ``(M, K)`` without; NaN where a class is empty.

        B some hundreds at a time keep memory small: L K numbers each.
        """
        n_items = self.level.shape[1]
        given = np.ones((1, n_items)) if weights is None else np.asarray(weights, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] != n_items:
            raise InputError(f"weights of shape (B, {n_items}) are wanted, got {given.shape}")
        across = np.ascontiguousarray(given.T)
        shape = (int(self.starts[-1]), self.n_right.shape[1], given.shape[0])
        wrong = (self.wrong @ across).reshape(shape)
        right = (self.total @ across)[:, None, :] - wrong
        if self.missing.nnz:
            right -= (self.missing @ across).reshape(shape)
        made = np.stack(
            [
                areas_by_level(wrong[a:b], right[a:b])
                for a, b in zip(self.starts, self.starts[1:], strict=False)
            ]
        )  # (M, K, B)
        return made[:, :, 0] if weights is None else np.moveaxis(made, 2, 0)


def areas_by_level(wrong: FloatArray, right: FloatArray) -> FloatArray:
    """Areas of tables whose first axis holds levels, lowest first; NaN where a class is empty."""
    below = np.cumsum(wrong, axis=0)
    pairs = below[-1] * right.sum(axis=0)
    below -= 0.5 * wrong
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(pairs > 0, np.einsum("l...,l...->...", below, right) / pairs, np.nan))


def shuffled_areas(
    correct: ArrayLike,
    asked: CrossAreas,
    row: int,
    strata: ArrayLike,
    n_permutations: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Areas ``(n_permutations, K)`` of one row's confidence against all answers, after it changed places within strata.

    ``correct`` as given to :meth:`CrossAreas.of`; what is shuffled is the items where the row has a confidence.
    """
    there = asked.level[row] >= 0
    level = asked.level[row, there] - asked.starts[row]
    stratum = np.asarray(strata)[there]
    marks = np.asarray(correct, dtype=np.float64)[:, there]
    sides = np.concatenate([marks == 0, np.isnan(marks)]).T.astype(
        np.float32
    )  # whole numbers below 2^24: exact
    gaps = sides[:, len(marks) :].any()
    sides = np.ascontiguousarray(sides if gaps else sides[:, : len(marks)])
    n_levels = int(level.max()) + 1
    total = np.bincount(level, minlength=n_levels).astype(np.float64)[:, None]
    order = np.argsort(stratum, kind="stable")
    found = []
    for size in (min(_FEW, n_permutations - start) for start in range(0, n_permutations, _FEW)):
        shuffled = np.empty((size, level.size), dtype=np.int64)
        shuffled[:, order] = level[np.argsort(stratum + rng.random((size, level.size)), axis=1)]
        shuffled += n_levels * np.arange(size)[:, None]
        ends = np.arange(0, shuffled.size + 1, size)
        cells = (np.ones(shuffled.size, dtype=np.float32), shuffled.T.ravel(), ends)
        counts = sparse.csc_array(cells, shape=(size * n_levels, level.size)) @ sides
        for each in counts.astype(np.float64).reshape(size, n_levels, -1):
            wrong = each[:, : len(marks)]
            right = total - wrong - (each[:, len(marks) :] if gaps else 0.0)
            found.append(areas_by_level(wrong, right))
    return np.array(found)


def _cells(
    level: NDArray[np.int64], marked: NDArray[np.bool_], n_levels: int, n_columns: int
) -> sparse.csr_array:
    """Items by level and column, ``(n_levels n_columns, N)``, 1 where a marked item lies."""
    column, item = np.nonzero(marked)
    at = level[:, item]  # (M, marked)
    known = at >= 0
    cell = (at * n_columns + column)[known]
    where = np.broadcast_to(item, at.shape)[known]
    shape = (n_levels * n_columns, level.shape[1])
    return sparse.csr_array(sparse.coo_array((np.ones(cell.size), (cell, where)), shape=shape))
