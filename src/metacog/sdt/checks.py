"""What trials and tables of counts must be before anything is computed from them, and trials into tables.

A *type-2 table* is a pair of arrays over L ratings, lowest rating first: how many incorrect
trials (``nR_S1``) and how many correct trials (``nR_S2``) carry each rating. Leading axes are
batches, so thousands of resamples are one array.
"""

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
    """The two halves of one rating table as float arrays, highest-confidence "S1" first; refused where they are bad.

    ``integer`` refuses fractional counts (a resampling needs whole trials; a fit does not); ``constant`` allows
    all trials in one cell, as one may who adds to the cells afterwards.
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


def check_level(level: float) -> None:
    """Refuse a level of an interval outside (0, 1)."""
    if not 0 < level < 1:
        raise InputError(f"level must be between 0 and 1, got {level}")


def _numbers(x: ArrayLike) -> FloatArray:
    try:
        return np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"Counts must be numbers in a regular array ({error}).") from error


def as_correct(correct: ArrayLike) -> NDArray[np.bool_]:
    """One boolean per trial from 0/1, True/False or 0.0/1.0; anything else is an error."""
    try:
        values = np.asarray(correct, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError("correct must hold 0/1 or True/False; drop or score missing trials first") from error
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"correct must be a non-empty one-dimensional array, got shape {values.shape}")
    if not np.isin(values, (0.0, 1.0)).all():
        raise InputError("correct must hold 0/1 or True/False only; drop or score missing trials first")
    return values.astype(bool)


def as_scores(confidence: ArrayLike, *, n: int | None = None, name: str = "confidence") -> FloatArray:
    """One finite number per trial."""
    try:
        values = np.asarray(confidence, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must hold numbers; drop trials without one first") from error
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"{name} must be a non-empty one-dimensional array, got shape {values.shape}")
    if n is not None and values.size != n:
        raise InputError(f"{name} has {values.size} trials where correct has {n}; pass one value per trial")
    if not np.isfinite(values).all():
        raise InputError(f"{name} holds NaN or infinite values; drop those trials first and count them")
    return values


def as_trials(correct: ArrayLike, confidence: ArrayLike) -> tuple[NDArray[np.bool_], FloatArray]:
    """Correctness and confidence of the same trials."""
    right = as_correct(correct)
    return right, as_scores(confidence, n=right.size)


def as_lists(x: ArrayLike, y: ArrayLike, what: str = "a correlation") -> tuple[FloatArray, FloatArray]:
    """Two lists of one length as arrays; an error that says ``what`` needs them."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError(f"{what} needs two lists of one length")
    return a, b


def average_ranks(x: ArrayLike, axis: int | None = None) -> FloatArray:
    """Ranks 1 ... n along an axis (of all values without one); equal values share their average rank.

    As ``scipy.stats.rankdata``, whose import takes longer than that of everything here.
    """
    values = np.ravel(x) if axis is None else np.swapaxes(np.asarray(x), axis, -1)
    order = np.argsort(values, axis=-1, kind="stable")
    held = np.take_along_axis(values, order, axis=-1)
    new = np.ones(held.shape, dtype=bool)
    new[..., 1:] = held[..., 1:] != held[..., :-1]
    counts = np.diff(np.flatnonzero(new), append=new.size)
    first = np.broadcast_to(np.arange(1.0, held.shape[-1] + 1), held.shape)[new]
    ranks = np.empty(held.shape)
    np.put_along_axis(ranks, order, np.repeat(first + (counts - 1) / 2, counts).reshape(held.shape), axis=-1)
    if np.issubdtype(values.dtype, np.floating):
        ranks[np.isnan(values).any(axis=-1)] = np.nan
    return ranks if axis is None else np.swapaxes(ranks, axis, -1)


def as_tables(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, min_ratings: int = 1, one: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Two count arrays of one shape ``(..., L)``, finite and not negative; with ``one`` a single table.

    Fractional counts are allowed: cell corrections make them.
    """
    incorrect = np.asarray(nR_S1, dtype=np.float64)
    correct = np.asarray(nR_S2, dtype=np.float64)
    if incorrect.shape != correct.shape or incorrect.ndim == 0:
        raise InputError(
            f"nR_S1 and nR_S2 must be arrays of one shape, got {incorrect.shape} and {correct.shape}"
        )
    if incorrect.shape[-1] < min_ratings:
        raise InputError(f"need at least {min_ratings} ratings, got {incorrect.shape[-1]}")
    for name, table in (("nR_S1", incorrect), ("nR_S2", correct)):
        if not np.isfinite(table).all() or (table < 0).any():
            raise InputError(f"{name} holds negative or non-finite counts; pass counts of trials")
    if one and incorrect.ndim != 1:
        raise InputError(f"one table of shape (L,) is wanted, got {incorrect.shape}")
    return incorrect, correct


def cluster_index(clusters: ArrayLike | None, n: int) -> NDArray[np.int64]:
    """Place of each trial's cluster among the sorted ones, shape ``(n,)``; without them one a trial."""
    if clusters is None:
        return np.arange(n)
    labels = np.asarray(clusters)
    if labels.shape != (n,):
        raise InputError(f"clusters must hold one label for each of the {n} trials, got {labels.shape}")
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def need_both_classes(incorrect: NDArray, correct: NDArray) -> None:
    """Refuse one table, or marks of trials, with no correct or no incorrect one: nothing can be distinguished."""
    if incorrect.sum() == 0 or correct.sum() == 0:
        missing = "incorrect" if incorrect.sum() == 0 else "correct"
        raise InputError(f"no {missing} trials: the measure needs both; add trials or leave this cell out")


def as_integer_tables(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, one: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Whole counts, for methods that draw trials (permutations, bootstrap)."""
    incorrect, correct = as_tables(nR_S1, nR_S2, one=one)
    if not (np.equal(np.floor(incorrect), incorrect).all() and np.equal(np.floor(correct), correct).all()):
        raise InputError("counts must be whole numbers here; pass the table before any cell correction")
    return incorrect.astype(np.int64), correct.astype(np.int64)


def table_from_trials(correct: ArrayLike, confidence: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Incorrect and correct counts over the distinct confidence values, lowest first, and these values."""
    is_correct, scores = as_trials(correct, confidence)
    levels, index = np.unique(scores, return_inverse=True)
    hits = np.bincount(index[is_correct], minlength=levels.size).astype(np.float64)
    total = np.bincount(index, minlength=levels.size).astype(np.float64)
    return total - hits, hits, levels


def type2_table(nR_S1: ArrayLike, nR_S2: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Fold two-choice counts into incorrect and correct counts by confidence.

    Parameters
    ----------
    nR_S1, nR_S2 : array, shape ``(..., 2K)``
        Responses to each stimulus, highest-confidence S1 ... highest-confidence S2
        (Maniscalco & Lau 2012).

    Returns
    -------
    incorrect, correct : arrays of shape ``(..., K)``, lowest confidence first

    Examples
    --------
    >>> from metacog.sdt import type2_table
    >>> nR_S1 = [36, 24, 17, 20, 10, 12, 9, 2]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [1, 4, 10, 11, 19, 18, 28, 39]
    >>> incorrect, correct = type2_table(nR_S1, nR_S2)
    >>> incorrect, correct
    (array([21., 22., 13.,  3.]), array([39., 35., 52., 75.]))
    """
    s1, s2 = as_tables(nR_S1, nR_S2, min_ratings=2)
    if s1.shape[-1] % 2:
        raise InputError(f"two-choice counts need an even number of cells (2K), got {s1.shape[-1]}")
    k = s1.shape[-1] // 2
    return s1[..., k:] + s2[..., k - 1 :: -1], s2[..., k:] + s1[..., k - 1 :: -1]
