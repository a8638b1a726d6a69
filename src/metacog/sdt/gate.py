"""A confidence gate: answers below a threshold are escalated, the others are let through.

What it costs is its load, the share that somebody has to look at. What it lets slip are missed errors, wrong
answers at or above the threshold. Over all thresholds the two trade off. A trial without confidence (NaN) is
escalated at every threshold, since nothing vouches for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metacog.core.frames import ended
from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.intervals import wilson

#: What is told of a threshold: shares answered, of errors and of right answers withheld, and right of those answered.
TOLD = ("answered", "caught", "withheld", "right_answered")


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

    @property
    def picked(self) -> int:
        """Place of the lowest threshold with the most right decisions: right let through, wrong escalated."""
        return int(np.argmax(self._through() - 2 * self.missed_errors))

    def _through(self) -> np.ndarray:
        return np.rint((1 - self.load) * self.n).astype(np.int64)

    def told(self) -> dict[str, FloatArray]:
        """The thresholds, and :data:`TOLD` of each with its 95 % interval (Wilson); NaN where nothing is there."""
        through, slipped = self._through(), self.missed_errors
        wrong, right = np.full(through.shape, self.errors), np.full(through.shape, self.n - self.errors)
        some = (through, wrong - slipped, right - (through - slipped), through - slipped)
        made = {"threshold": self.threshold}
        for name, count, of in zip(TOLD, some, (wrong + right, wrong, right, through), strict=True):
            share = np.where(of > 0, count / np.maximum(of, 1), np.nan)
            made |= ended(name, share, *wilson(share, np.maximum(of, 1)))
        return made


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
