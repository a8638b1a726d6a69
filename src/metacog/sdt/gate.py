"""A confidence gate: answers below a threshold are escalated, the others are let through.

What it costs is its load, the share that somebody has to look at. What it lets slip are missed errors, wrong
answers at or above the threshold. Over all thresholds the two trade off. A trial without confidence (NaN) is
escalated at every threshold, since nothing vouches for it.

What a confidence gate is worth, judged on answers that its threshold was not picked on.

A gate that escalates a share of all answers at random misses the rest of the errors on average, so its load
and its missed errors add up to 1. What confidence is worth is by how much they stay below:
``1 - missed - load``. A threshold that is judged by the answers it was picked on looks better than it is. So
it is picked on one half of the questions and judged on the other, then the halves change places, and every
resample picks again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.abstention import cluster_halves
from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import cluster_weights


@dataclass(frozen=True)
class GateWorth:
    """A gate judged on the other half, every trial counted once; ``worth`` is NaN without an error."""

    load: float
    missed: float
    worth: float
    lower: float
    upper: float


def gate_worth(
    correct: ArrayLike,
    confidence: ArrayLike,
    most_missed: float,
    *,
    clusters: ArrayLike | None = None,
    n_resamples: int = 2_000,
    seed: int = 42,
) -> GateWorth:
    """Worth of the cheapest gate that misses no more than a share of the errors of the other half.

    Confidence may be NaN, which every gate escalates. Trials of one cluster (a question) stay together; the
    interval is of percentiles over resampled clusters.
    """
    right, sure = np.asarray(correct, dtype=np.float64), np.asarray(confidence, dtype=np.float64)
    if right.ndim != 1 or right.shape != sure.shape or not np.isin(right, (0, 1)).all():
        raise InputError("a gate needs correct (0 or 1) and confidence of the same trials")
    if not 0 <= most_missed <= 1:
        raise InputError(f"the share of missed errors lies between 0 and 1, not at {most_missed}")
    unit, half = cluster_halves(clusters, right.size, seed=seed)
    levels = np.unique(sure[np.isfinite(sure)])
    # trials without a confidence stand below every threshold
    place = np.where(np.isfinite(sure), np.searchsorted(levels, sure) + 1, 0)
    counts = np.zeros((2, half.size, levels.size + 1))
    np.add.at(counts, (right.astype(np.int64), unit, place), 1.0)
    drawn = cluster_weights(half.size, n_resamples, np.random.default_rng(seed))
    weights = np.concatenate([np.ones((1, half.size)), drawn])
    through, slipped = np.zeros((2, len(weights)))
    for here in (half, ~half):
        cut = _picked(weights[:, ~here] @ counts[0, ~here], weights[:, ~here] @ counts[1, ~here], most_missed)
        passes = np.arange(levels.size + 1) >= cut[:, None]
        wrong = (weights[:, here] @ counts[0, here] * passes).sum(axis=1)
        slipped, through = slipped + wrong, through + wrong
        through = through + (weights[:, here] @ counts[1, here] * passes).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        load = 1 - through / (weights @ counts.sum(axis=(0, 2)))
        missed = slipped / (weights @ counts[0].sum(axis=1))
    worth = 1 - missed - load
    lower, upper = percentile_limits(worth[1:])
    return GateWorth(float(load[0]), float(missed[0]), float(worth[0]), lower, upper)


def _picked(wrong: FloatArray, right: FloatArray, most_missed: float) -> NDArray[np.int64]:
    """First place that is let through, of the cheapest gate of each resample.

    From answers ``(B, L + 1)`` by place of their confidence, those without one first. Thresholds are values
    that occur, and infinity.
    """
    slipped = np.cumsum(wrong[:, ::-1], axis=1)[:, ::-1]
    with np.errstate(invalid="ignore", divide="ignore"):
        missed = slipped / wrong.sum(axis=1, keepdims=True)
    fits = ~(missed > most_missed) & (wrong + right > 0)  # without an error every gate keeps to the bar
    fits[:, 0] = False
    return np.append(fits, np.ones((len(fits), 1), dtype=bool), axis=1).argmax(axis=1)


@dataclass(frozen=True)
class Gate:
    """What a gate does at each threshold; all arrays of shape ``(m,)``.

    Attributes
    ----------
    threshold : array
        Confidence below it is escalated; rising.
    load : array
        Share of all trials that is escalated.
    missed : array
        Share of all errors that is let through; NaN where there is no error.
    missed_errors : array of int
    risk : array
        Share of errors among what is let through; NaN where nothing is.
    n, errors : int
        Trials and wrong answers.
    """

    threshold: FloatArray
    load: FloatArray
    missed: FloatArray
    missed_errors: np.ndarray
    risk: FloatArray
    n: int
    errors: int


def gate(correct: ArrayLike, confidence: ArrayLike, *, thresholds: ArrayLike | None = None) -> Gate:
    """Simulate a gate on trials whose correctness is known.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        On any scale; NaN where none was given.
    thresholds : array, shape ``(m,)``, optional
        Rising. Without them each confidence that occurs, and infinity, which escalates all, so that every
        gate that the trials distinguish is there.

    Returns
    -------
    Gate
        One entry a threshold.

    Raises
    ------
    InputError
        No trial, arrays of different lengths, correctness other than 0 and 1, or thresholds that are not
        finite or do not rise.

    Examples
    --------
    >>> from metacog.sdt import gate
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> found = gate(correct, confidence, thresholds=[0.5, 0.8])
    >>> found.load  # share of answers that a person looks at
    array([0.2, 0.6])
    >>> found.missed  # share of the errors that get through
    array([0.5, 0. ])
    """
    right, sure = np.asarray(correct, dtype=np.float64), np.asarray(confidence, dtype=np.float64)
    if right.ndim != 1 or right.shape != sure.shape or not right.size:
        raise InputError("a gate needs correct and confidence of the same trials, at least one")
    if not np.isin(right, (0, 1)).all() or np.isinf(sure).any():
        raise InputError(
            "a gate needs 0 or 1 for correct, and finite confidence (or NaN where there is none)"
        )
    levels = np.unique(sure[np.isfinite(sure)])
    if thresholds is None:
        cuts = np.append(levels, np.inf)
    else:
        cuts = np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
        if cuts.ndim != 1 or not cuts.size or not np.isfinite(cuts).all() or (np.diff(cuts) <= 0).any():
            raise InputError("thresholds of a gate must be finite and rise")
    order = np.sort(sure[np.isfinite(sure)])
    wrong = np.sort(sure[(right == 0) & np.isfinite(sure)])
    through = order.size - np.searchsorted(order, cuts, side="left")
    slipped = wrong.size - np.searchsorted(wrong, cuts, side="left")
    errors = int((right == 0).sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        return Gate(
            threshold=cuts,
            load=1 - through / right.size,
            missed=slipped / errors if errors else np.full(cuts.size, np.nan),
            missed_errors=slipped.astype(np.int64),
            risk=np.where(through > 0, slipped / np.maximum(through, 1), np.nan),
            n=right.size,
            errors=errors,
        )


def cheapest(found: Gate, most_missed: float) -> int:
    """Place of the threshold with the smallest load that misses no more than a share of the errors."""
    if not 0 <= most_missed <= 1:
        raise InputError(f"the share of missed errors lies between 0 and 1, not at {most_missed}")
    fits = np.flatnonzero(found.missed <= most_missed) if found.errors else np.arange(found.load.size)
    if not fits.size:
        raise InputError(
            f"no threshold here misses {most_missed:.0%} of the errors or fewer; add a higher threshold"
        )
    return int(fits[np.argmin(found.load[fits])])
