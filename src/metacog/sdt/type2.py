"""Type-2 ROC: how well confidence tells correct from incorrect answers.

The area under the type-2 ROC (AUROC2) is the chance that a random correct trial carries more
confidence than a random incorrect one, ties counted as one half (Mann-Whitney U with midranks).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._area import (
    PairedAreas,
    area_variances,
    auroc2_interval,
    auroc2_interval_from_counts,
    auroc2_intervals_from_counts,
    delong_paired,
    placement_values,
)
from .checks import InputError
from .tables import FloatArray, as_tables, need_both_classes, table_from_trials

__all__ = [
    "PairedAreas",
    "Type2ROC",
    "auroc2",
    "auroc2_from_counts",
    "auroc2_interval",
    "auroc2_interval_from_counts",
    "auroc2_intervals_from_counts",
    "auroc2_variance",
    "delong_paired",
    "hanley_mcneil_se",
    "placement_values",
    "type2_roc",
    "type2_roc_from_counts",
]


@dataclass(frozen=True)
class Type2ROC:
    """Points of the type-2 ROC from (0, 0) to (1, 1).

    Attributes
    ----------
    false_alarm_rate, hit_rate : arrays of shape ``(L + 1,)``
        P(confidence >= level | incorrect) and the same for correct trials, strictest level first.
    area : float
        AUROC2, which is also the trapezoidal area under these points.
    se : float
        DeLong standard error of ``area``; NaN when a class has a single trial.
    n_incorrect, n_correct : float
    """

    false_alarm_rate: FloatArray
    hit_rate: FloatArray
    area: float
    se: float
    n_incorrect: float
    n_correct: float


def auroc2(correct: ArrayLike, confidence: ArrayLike) -> float:
    """Area under the type-2 ROC, exact with ties (midranks).

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        Raw confidence or ratings; only the order matters.

    Raises
    ------
    InputError
        One class only, missing values, or arrays of different length.

    Notes
    -----
    AUROC2 = P(c+ > c-) + P(c+ = c-)/2, the Mann-Whitney statistic over n+ n- (Hanley & McNeil
    1982; Fleming & Lau 2014 for its type-2 use).
    """
    incorrect, hits, _ = table_from_trials(correct, confidence)
    need_both_classes(incorrect, hits)
    return float(auroc2_from_counts(incorrect, hits))


def auroc2_from_counts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """AUROC2 of batches of type-2 tables.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays of shape ``(..., L)``
        Incorrect and correct trials by rating, lowest rating first. For counts of a two-choice
        task fold them first with :func:`type2_table`.

    Returns
    -------
    array of shape ``(...)``; NaN where a table lacks a class.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    below = np.cumsum(incorrect, axis=-1) - incorrect
    wins = (correct * (below + 0.5 * incorrect)).sum(axis=-1)
    pairs = incorrect.sum(axis=-1) * correct.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(pairs > 0, wins / pairs, np.nan)


def auroc2_variance(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Variance of AUROC2 by the method of DeLong, DeLong & Clarke-Pearson (1988), batched.

    var = S10/n+ + S01/n-, where S10 and S01 are the sample variances of the placement values of
    correct and of incorrect trials. NaN where a class has fewer than two trials.
    """
    _, of_right, of_wrong = area_variances(*as_tables(nR_S1, nR_S2))
    return np.asarray(of_right + of_wrong)


def hanley_mcneil_se(area: ArrayLike, n_incorrect: ArrayLike, n_correct: ArrayLike) -> FloatArray:
    """Standard error of an AUROC by Hanley & McNeil (1982), from the area alone.

    var = [A(1-A) + (n+ - 1)(Q1 - A^2) + (n- - 1)(Q2 - A^2)] / (n+ n-), with Q1 = A/(2-A) and
    Q2 = 2A^2/(1+A), which holds for exponential confidence and is close for Gaussian.
    """
    a = np.asarray(area, dtype=np.float64)
    n0 = np.asarray(n_incorrect, dtype=np.float64)
    n1 = np.asarray(n_correct, dtype=np.float64)
    if ((a < 0) | (a > 1)).any() or (n0 <= 0).any() or (n1 <= 0).any():
        raise InputError("need an area between 0 and 1 and at least one trial of each class")
    q1 = a / (2 - a)
    q2 = 2 * a**2 / (1 + a)
    return np.sqrt((a * (1 - a) + (n1 - 1) * (q1 - a**2) + (n0 - 1) * (q2 - a**2)) / (n0 * n1))


def type2_roc_from_counts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> Type2ROC:
    """Type-2 ROC points, area and DeLong error of one table.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(L,)``
        Incorrect and correct trials by rating, lowest rating first.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    if incorrect.ndim != 1:
        raise InputError(f"one table of shape (L,) is wanted, got {incorrect.shape}")
    need_both_classes(incorrect, correct)
    n0, n1 = incorrect.sum(), correct.sum()
    return Type2ROC(
        false_alarm_rate=np.concatenate([[0.0], np.cumsum(incorrect[::-1]) / n0]),
        hit_rate=np.concatenate([[0.0], np.cumsum(correct[::-1]) / n1]),
        area=float(auroc2_from_counts(incorrect, correct)),
        se=float(np.sqrt(auroc2_variance(incorrect, correct))),
        n_incorrect=float(n0),
        n_correct=float(n1),
    )


def type2_roc(correct: ArrayLike, confidence: ArrayLike) -> Type2ROC:
    """Type-2 ROC points, area and DeLong error from trials, with a point for each distinct confidence.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
    """
    incorrect, hits, _ = table_from_trials(correct, confidence)
    return type2_roc_from_counts(incorrect, hits)
