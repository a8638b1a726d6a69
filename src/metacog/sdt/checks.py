"""What a table of counts must be before anything is computed from it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


class InputError(ValueError):
    """The input cannot be analysed as it is; the message says what is wrong and what to do."""


def check_counts(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    integer: bool = False,
    min_ratings: int = 1,
    constant: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Check the two halves of one rating table and return them as float arrays.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (2K,)
        Counts of each rating in the order of Maniscalco & Lau: highest-confidence "S1" first,
        highest-confidence "S2" last.
    integer : bool
        Refuse fractional counts (a resampling needs whole trials; a fit does not).
    min_ratings : int
        Fewest ratings a side, K, that the caller can use.
    constant : bool
        Allow all trials in one cell, as one may who adds to the cells afterwards.

    Raises
    ------
    InputError
        Odd, unequal or too short tables; NaN, infinite, negative or (with `integer`) fractional
        counts; a stimulus class with no trials; (without `constant`) all trials in one cell.
    """
    pair = check_batch(
        np.atleast_2d(_numbers(nR_S1)), np.atleast_2d(_numbers(nR_S2)), min_ratings=min_ratings
    )
    if np.ndim(nR_S1) != 1 or np.ndim(nR_S2) != 1:
        raise InputError("nR_S1 and nR_S2 must be one-dimensional; use the batch function for many tables.")
    a, b = pair[0][0], pair[1][0]
    if integer and not (np.all(a == np.round(a)) and np.all(b == np.round(b))):
        raise InputError("Counts must be whole numbers here; pass the raw table and let `pad` add to it.")
    if a.sum() == 0 or b.sum() == 0:
        empty = "nR_S1" if a.sum() == 0 else "nR_S2"
        raise InputError(f"{empty} has no trials: both stimulus classes are needed.")
    if not constant and np.count_nonzero(a + b) == 1:
        raise InputError("All trials lie in one rating: nothing can be estimated from a constant rating.")
    return a, b


def check_batch(nR_S1: ArrayLike, nR_S2: ArrayLike, *, min_ratings: int = 1) -> tuple[FloatArray, FloatArray]:
    """Check shapes and values of many tables, `(B, 2K)` each; says which table is at fault."""
    a, b = _numbers(nR_S1), _numbers(nR_S2)
    if a.ndim != 2 or b.ndim != 2:
        raise InputError(f"Many tables must have shape (B, 2K); got {a.shape} and {b.shape}.")
    if a.shape != b.shape:
        raise InputError(f"nR_S1 and nR_S2 must have equal shapes; got {a.shape} and {b.shape}.")
    if a.shape[1] % 2:
        raise InputError(
            f"A table needs an even number of ratings (K for each response); got {a.shape[1]} cells."
        )
    if a.shape[1] < 2 * min_ratings:
        raise InputError(f"At least {min_ratings} ratings a side are needed; got {a.shape[1]} cells.")
    for name, x in (("nR_S1", a), ("nR_S2", b)):
        if x.size == 0 or (np.isfinite(x).all() and x.min() >= 0):
            continue
        row, cell = np.argwhere(~(np.isfinite(x) & (x >= 0)))[0]
        where = f"{name}[{cell}]" if len(x) == 1 else f"{name}[{row}, {cell}]"
        kind = "negative" if x[row, cell] < 0 else "not a finite number"
        raise InputError(f"{where} = {x[row, cell]} is {kind}: counts must be finite and at least 0.")
    return a, b


def check_s(s: ArrayLike, size: int) -> FloatArray:
    """Return the ratio s = sd(S1)/sd(S2) as an array of shape `(size,)`; it must be positive."""
    value = _numbers(s)
    if value.ndim > 1 or (value.ndim == 1 and value.shape != (size,)):
        raise InputError(
            f"s must be one number or one for each of the {size} tables; got shape {value.shape}."
        )
    if not (np.isfinite(value).all() and (value > 0).all()):
        raise InputError("s = sd(S1)/sd(S2) must be a positive number.")
    return np.broadcast_to(value, (size,)).astype(np.float64)


def _numbers(x: ArrayLike) -> FloatArray:
    try:
        return np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"Counts must be numbers in a regular array ({error}).") from error
