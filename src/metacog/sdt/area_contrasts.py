"""Weighted sums of several AUROC2 on the same questions, with an interval.

Each area has its own answers (right or wrong) and its own confidence: two models, two temperatures, a
draw's confidence against its question's. What they share is the questions, so their errors go together.
An area moves with one question by the placement value of its answer (DeLong, DeLong & Clarke-Pearson
1988, Biometrics 44, 837-845); the variance of a weighted sum of areas is that of the weighted sum of
these moves over questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from metacog.sdt.area_intervals import placement_values
from metacog.sdt.checks import FloatArray, InputError, as_correct, as_scores, check_level

#: Fewer answers of a class than this carry no interval.
MIN_OF_CLASS = 10


@dataclass(frozen=True)
class AreaContrast:
    """A weighted sum of the AUROC2 ``areas`` of ``n`` questions.

    ``why`` says why there is no interval; the value then is NaN only where an area is undefined.
    """

    areas: tuple[float, ...]
    value: float
    se: float
    lower: float
    upper: float
    df: float
    n: int
    why: str = ""


def area_contrast(
    correct: Sequence[ArrayLike],
    confidence: Sequence[ArrayLike],
    weights: Sequence[float],
    *,
    level: float = 0.95,
) -> AreaContrast:
    """A weighted sum of AUROC2, all on the same questions in one order; weights (1, -1) make a difference.

    The interval is value +- t se with as many degrees of freedom as the smallest class of any area has answers,
    less one, which errs on the wide side.
    """
    if not len(correct) == len(confidence) == len(weights) > 0:
        raise InputError("as many arrays of answers, arrays of confidence and weights are wanted")
    answers = [as_correct(c) for c in correct]
    n = answers[0].size
    check_level(level)
    scores = [as_scores(c, n=n) for c in confidence]
    if any(a.size != n for a in answers):
        raise InputError("all areas are of the same questions: arrays of one length are wanted")
    none = (np.nan,) * 4
    small = min(min(int(a.sum()), int((~a).sum())) for a in answers)
    areas, moves = zip(*(_moves(*one) for one in zip(answers, scores, strict=True)), strict=True)
    if small == 0:
        return AreaContrast(areas, np.nan, *none, n, "answers of one class only")
    value, moved = float(np.dot(weights, areas)), np.zeros(n)
    for weight, move in zip(weights, moves, strict=True):
        moved += weight * move
    if small < MIN_OF_CLASS:
        return AreaContrast(areas, value, *none, n, f"fewer than {MIN_OF_CLASS} right or wrong answers")
    se = float(np.sqrt(n / (n - 1) * np.square(moved).sum()))
    if not se > 1e-12:
        return AreaContrast(areas, value, *none, n, "no spread over questions")
    half = float(stdtrit(small - 1, (1 + level) / 2)) * se
    return AreaContrast(areas, value, se, value - half, value + half, small - 1, n)


def _moves(hits: NDArray[np.bool_], score: FloatArray) -> tuple[float, FloatArray]:
    """An area, and what each question adds to its deviation from the truth, in first order; NaN with one class."""
    if hits.all() or not hits.any():
        return np.nan, np.full(hits.size, np.nan)
    placed = placement_values(hits, score)
    area = float(placed[hits].mean())
    share = np.where(hits, 1 / hits.sum(), 1 / (~hits).sum())
    return area, (placed - area) * share


def areas_and_moves(correct: ArrayLike, confidence: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Areas ``(K,)`` of one confidence ``(N,)`` against sets of answers 0, 1 and NaN ``(K, N)``, and how each moves.

    The moves ``(K, N)`` are derivatives at equal weights, 0 where there is no answer or no confidence: the area
    of items of weights w is, to first order, ``areas + moves @ (w - 1)``.
    """
    marks, scores = np.asarray(correct, dtype=np.float64), np.asarray(confidence, dtype=np.float64)
    there = np.isfinite(scores)
    given = marks if there.all() else marks[:, there]
    level = np.unique(scores[there], return_inverse=True)[1]
    n_levels = int(level.max(initial=0)) + 1
    sides = given == 1, given == 0
    right, wrong = (
        np.array([np.bincount(level[one], minlength=n_levels) for one in side], dtype=np.float64)
        for side in sides
    )
    n_right, n_wrong = (side.sum(axis=1, keepdims=True) for side in (right, wrong))
    with np.errstate(invalid="ignore"):
        below = (np.cumsum(wrong, axis=1) - 0.5 * wrong) / n_wrong
        above = (n_right - np.cumsum(right, axis=1) + 0.5 * right) / n_right
        areas = (right * below).sum(axis=1, keepdims=True) / n_right
        of_right, of_wrong = (below - areas) / n_right, (above - areas) / n_wrong
    known = np.isfinite(areas)
    moved = np.where(
        sides[0], np.where(known, of_right, 0.0)[:, level], np.where(known, of_wrong, 0.0)[:, level]
    )
    moved *= sides[0] | sides[1]
    if given is marks:
        return areas[:, 0], moved
    moves = np.zeros(marks.shape)
    moves[:, there] = moved
    return areas[:, 0], moves
