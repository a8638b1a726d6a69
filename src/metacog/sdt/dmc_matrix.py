"""The counts matrix of DMC: rows TA, FA, TB, FB by rating, and the row shares that its model predicts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import _dmc_solve as engine
from .checks import FloatArray, InputError


def counts_matrix(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Rows TA, FA, TB, FB by rating, lowest first, of tables in the order of Maniscalco & Lau; A is S1.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape ``(..., 2K)``

    Returns
    -------
    array, shape ``(..., 4, K)``
    """
    s1, s2 = np.asarray(nR_S1, dtype=np.float64), np.asarray(nR_S2, dtype=np.float64)
    if s1.shape != s2.shape or s1.ndim == 0 or s1.shape[-1] % 2:
        raise InputError(f"both tables need one shape (..., 2K); got {s1.shape} and {s2.shape}.")
    k = s1.shape[-1] // 2
    rows = (s1[..., k - 1 :: -1], s2[..., k - 1 :: -1], s2[..., k:], s1[..., k:])
    return np.stack(rows, axis=-2)


def tables_of_matrix(matrix: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Undo :func:`counts_matrix`: ``(..., 4, K)`` to nR_S1 and nR_S2, ``(..., 2K)``.

    Raises
    ------
    InputError
        If there are not four rows.
    """
    m = np.asarray(matrix, dtype=np.float64)
    if m.ndim < 2 or m.shape[-2] != 4:
        raise InputError(f"a counts matrix has the rows TA, FA, TB, FB; got shape {m.shape}.")
    ta, fa, tb, fb = np.moveaxis(m, -2, 0)
    return np.concatenate([ta[..., ::-1], fb], axis=-1), np.concatenate([fa[..., ::-1], tb], axis=-1)


def dmc_rows(d_star: float, c0: float, axes_A: ArrayLike, axes_B: ArrayLike) -> FloatArray:
    """Row shares of an observer with metacognitive ability ``d_star``: shape ``(4, K)``, TA, FA, TB, FB.

    Areas of N(-d*/2, 1) and N(d*/2, 1) between the axes, given the response (equations 13 to 19).

    Raises
    ------
    InputError
        Axes that are not increasing, or on the wrong side of the criterion.
    """
    below, above = np.asarray(axes_A, dtype=np.float64), np.asarray(axes_B, dtype=np.float64)
    ladder = np.concatenate([below, [c0], above])
    if below.shape != above.shape or below.ndim != 1 or (np.diff(ladder) < 0).any():
        raise InputError("axes must be as many on both sides and increase through c0.")
    u = np.stack([above - c0, (c0 - below)[::-1]])[None]
    alpha, beta = places(np.array([c0]), np.array([d_star]), "paper")
    cells = engine.to_cells(engine.predicted(np.array([d_star]), u, alpha, beta))[0]
    return np.stack([cells[1, 0], cells[1, 1], cells[0, 0], cells[0, 1]])


def accuracy_by_rating(rows: ArrayLike) -> FloatArray:
    """Equation 21: the share right among answers A and among answers B at each rating.

    Parameters
    ----------
    rows : array, shape ``(..., 4, K)``
        Counts or shares; of shares whose rows add to 1 each, base rates have cancelled.

    Returns
    -------
    array, shape ``(..., 2, K)``
    """
    ta, fa, tb, fb = np.moveaxis(np.asarray(rows, dtype=np.float64), -2, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([ta / (ta + fa), tb / (tb + fb)], axis=-2)


def places(c0: FloatArray, d_hat: FloatArray, variant: str) -> tuple[FloatArray, FloatArray]:
    """Where tails begin, ``a0 = alpha d + beta``: shapes ``(B, 2 sides, 2 kinds)``; side B, right first."""
    offset = np.array([0.5, -0.5])[None, None, :] + np.zeros((len(c0), 2, 1))
    side = np.array([1.0, -1.0])[None, :, None]
    if variant == "released":
        return offset - side * (c0 / d_hat)[:, None, None], np.zeros_like(offset)
    return offset, -side * c0[:, None, None] + np.zeros_like(offset)
