"""What a table's row and column say of a cell: sums and products of effects, fitted to other cells."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from .checks import InputError
from .tables import FloatArray

#: Weight of a cell that is not used, next to 1 of a used one.
_HELD = 0.1


def additive_fit(tables: ArrayLike, used: ArrayLike) -> FloatArray:
    """Least-squares row + column over the used cells of many tables.

    Parameters
    ----------
    tables : array, shape ``(..., M, K)``
        A table that lacks a used cell has no prediction.
    used : bool array, shape ``(M, K)``

    Returns
    -------
    array, shape ``(..., M, K)``
        Predictions of all cells; NaN where no chain of used cells joins row and column, since nothing then
        says how high they stand to each other.

    Raises
    ------
    InputError
        No cell is used, or tables of another shape.
    """
    values, mask, solve = _prepared(tables, used)
    row, column = _effects(values[..., mask], solve, len(mask))
    return np.where(joined(mask), row[..., :, None] + column[..., None, :], np.nan)


def multiplicative_fit(
    tables: ArrayLike, used: ArrayLike, *, n_rounds: int = 100, tolerance: float = 1e-7
) -> FloatArray:
    """Least-squares row times column over the used cells of many tables.

    Parameters
    ----------
    tables, used
        As :func:`additive_fit`.
    n_rounds : int
        Rounds of alternating least squares at most, from row means. The more rows and columns, the fewer are
        needed: five at 33, some dozens at 5.
    tolerance : float
        Rounds end when no row effect changes by more than this share of the largest.

    Returns
    -------
    array, shape ``(..., M, K)``
        As :func:`additive_fit`.

    Notes
    -----
    Where all cells are nearly 0, a product of two factors fits their noise with any value of the cells that
    are not used. Those therefore enter with a tenth of a used cell's weight, at the additive prediction or
    at 0 if that is negative: of 33 rows and columns this moves a prediction by less than a hundredth of its
    distance from the additive one, and nothing can run away.
    """
    values, mask, _ = _prepared(tables, used)
    held = additive_fit(values, mask)
    joins = joined(mask)
    weight = np.where(mask, 1.0, np.where(joins, _HELD, 0.0))
    filled = np.where(mask, values, np.maximum(np.where(joins, held, 0.0), 0.0))
    unknown = np.isnan(filled).any(axis=(-2, -1))
    filled = np.where(np.asarray(unknown)[..., None, None], 0.0, filled) * weight
    with np.errstate(invalid="ignore", divide="ignore"):
        row = filled.sum(axis=-1) / weight.sum(axis=1)
        row = np.where(np.isfinite(row), row, 0.0)
        for _ in range(n_rounds):
            column = np.einsum("...mk,...m->...k", filled, row) / (row**2 @ weight)
            column = np.where(np.isfinite(column), column, 0.0)
            before, row = row, np.einsum("...mk,...k->...m", filled, column) / (column**2 @ weight.T)
            row = np.where(np.isfinite(row), row, 0.0)
            if np.abs(row - before).max() <= tolerance * np.abs(row).max():
                break
    known = joins & ~np.asarray(unknown)[..., None, None]
    return np.where(known, row[..., :, None] * column[..., None, :], np.nan)


def joined(used: ArrayLike) -> NDArray[np.bool_]:
    """Whether a chain of used cells joins a cell's row and its column, shape ``(M, K)``."""
    mask = _mask(used)
    n_rows, size = mask.shape[0], sum(mask.shape)
    rows, columns = np.nonzero(mask)
    edges = sparse.coo_array((np.ones(rows.size), (rows, n_rows + columns)), shape=(size, size))
    part = connected_components(edges.tocsr(), directed=False)[1]
    return np.asarray(part[:n_rows, None] == part[None, n_rows:])


def _prepared(tables: ArrayLike, used: ArrayLike) -> tuple[FloatArray, NDArray[np.bool_], FloatArray]:
    """Tables, the used cells, and what solves for row and column effects, ``(U, M + K)``."""
    mask = _mask(used)
    values = np.asarray(tables, dtype=np.float64)
    if values.shape[-2:] != mask.shape:
        raise InputError(
            f"tables of shape (..., {mask.shape[0]}, {mask.shape[1]}) are wanted, got {values.shape}"
        )
    return values, mask, _solve(mask.tobytes(), mask.shape)


@lru_cache(maxsize=8)
def _solve(mask: bytes, shape: tuple[int, int]) -> FloatArray:
    """The pseudo-inverse of the design, transposed; a table's level can stand with rows or with columns."""
    rows, columns = np.nonzero(np.frombuffer(mask, dtype=bool).reshape(shape))
    design = np.zeros((rows.size, sum(shape)))
    design[np.arange(rows.size), rows] = 1.0
    design[np.arange(rows.size), shape[0] + columns] = 1.0
    return np.asarray(np.linalg.pinv(design, rcond=1e-10).T, dtype=np.float64)


def _effects(cells: FloatArray, solve: FloatArray, n_rows: int) -> tuple[FloatArray, FloatArray]:
    both = cells @ solve
    return both[..., :n_rows], both[..., n_rows:]


def _mask(used: ArrayLike) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = np.array(used, dtype=bool)
    if mask.ndim != 2 or not mask.any():
        raise InputError("a table (M, K) with at least one used cell is wanted")
    return mask
