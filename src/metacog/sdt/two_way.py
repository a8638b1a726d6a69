"""What a table's row and column say of a cell: additive and multiplicative fits to other cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from .checks import InputError
from .tables import FloatArray


def additive_fit(used: ArrayLike) -> FloatArray:
    """Weights of the used cells in the additive prediction of every cell of the table.

    Parameters
    ----------
    used : bool array, shape ``(M, K)``
        Cells that are fitted.

    Returns
    -------
    array, shape ``(M, K, U)``
        For the U used cells in reading order; NaN for a cell whose row and column no chain of used cells
        joins, since nothing then says how high they stand to each other.

    Raises
    ------
    InputError
        No cell is used.

    Notes
    -----
    Least squares of row + column over the used cells: the prediction is linear in them, so that thousands of
    resampled tables are one product, ``weights @ cells``.
    """
    mask = _mask(used)
    n_rows, n_columns = mask.shape
    rows, columns = np.nonzero(mask)
    design = np.zeros((rows.size, n_rows + n_columns))
    design[np.arange(rows.size), rows] = 1.0
    design[np.arange(rows.size), n_rows + columns] = 1.0
    effects = np.linalg.pinv(design)
    predicted: FloatArray = effects[:n_rows, None] + effects[None, n_rows:]
    predicted[~joined(mask)] = np.nan
    return predicted


def joined(used: ArrayLike) -> NDArray[np.bool_]:
    """Whether a chain of used cells joins a cell's row and its column, shape ``(M, K)``."""
    mask = _mask(used)
    n_rows, size = mask.shape[0], sum(mask.shape)
    rows, columns = np.nonzero(mask)
    edges = sparse.coo_array((np.ones(rows.size), (rows, n_rows + columns)), shape=(size, size))
    part = connected_components(edges.tocsr(), directed=False)[1]
    return np.asarray(part[:n_rows, None] == part[None, n_rows:])


def multiplicative_fit(
    tables: ArrayLike, used: ArrayLike, *, n_rounds: int = 100, tolerance: float = 1e-7
) -> FloatArray:
    """Least-squares row times column over the used cells of many tables.

    Parameters
    ----------
    tables : array, shape ``(..., M, K)``
        A table that lacks a used cell has no prediction.
    used : bool array, shape ``(M, K)``
    n_rounds : int
        Rounds of alternating least squares at most, from row means. The more rows and columns, the fewer are
        needed: five at 33, some dozens at 5.
    tolerance : float
        Rounds end when no row effect changes by more than this share of the largest.

    Returns
    -------
    array, shape ``(..., M, K)``
        Predictions of all cells; NaN where no chain of used cells joins row and column.
    """
    mask = _mask(used)
    values = np.asarray(tables, dtype=np.float64)
    kept = mask.astype(np.float64)
    filled = np.where(mask, values, 0.0)
    unknown = np.isnan(filled).any(axis=(-2, -1))
    filled = np.where(unknown[..., None, None], 0.0, filled)
    with np.errstate(invalid="ignore", divide="ignore"):
        row = filled.sum(axis=-1) / kept.sum(axis=1)
        row = np.where(np.isfinite(row), row, 0.0)
        for _ in range(n_rounds):
            column = np.einsum("...mk,...m->...k", filled, row) / (row**2 @ kept)
            column = np.where(np.isfinite(column), column, 0.0)
            before, row = row, np.einsum("...mk,...k->...m", filled, column) / (column**2 @ kept.T)
            row = np.where(np.isfinite(row), row, 0.0)
            if np.abs(row - before).max() <= tolerance * np.abs(row).max():
                break
    known = joined(mask) & ~unknown[..., None, None]
    return np.where(known, row[..., :, None] * column[..., None, :], np.nan)


def _mask(used: ArrayLike) -> NDArray[np.bool_]:
    mask = np.asarray(used, dtype=bool)
    if mask.ndim != 2 or not mask.any():
        raise InputError("a table (M, K) with at least one used cell is wanted")
    return mask
