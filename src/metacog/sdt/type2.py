"""Type-2 ROC: how well confidence tells correct from incorrect answers.

The area under the type-2 ROC (AUROC2) is the chance that a random correct trial carries more
confidence than a random incorrect one, ties counted as one half (Mann-Whitney U with midranks).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metacog.sdt.area_intervals import area_variances
from metacog.sdt.checks import (
    FloatArray,
    InputError,
    as_tables,
    need_both_classes,
    table_from_trials,
)


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

    Returns
    -------
    float
        Between 0 and 1; one half where confidence does not tell right from wrong.

    Raises
    ------
    InputError
        One class only, missing values, or arrays of different length.

    Notes
    -----
    AUROC2 = P(c+ > c-) + P(c+ = c-)/2, the Mann-Whitney statistic over n+ n- (Hanley & McNeil
    1982; Fleming & Lau 2014 for its type-2 use).

    Examples
    --------
    >>> from metacog.sdt import auroc2
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> print(f"{auroc2(correct, confidence):.3f}")
    0.917
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

    References
    ----------
    Hanley & McNeil (1982), for its type-2 use Fleming & Lau (2014).

    Examples
    --------
    >>> from metacog.sdt import auroc2_from_counts
    >>> wrong = [12, 9, 6, 3]  # incorrect answers, lowest rating first
    >>> right = [8, 16, 25, 41]
    >>> print(f"{auroc2_from_counts(wrong, right):.3f}")
    0.771
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
    a, n0, n1 = (np.asarray(x, dtype=np.float64) for x in (area, n_incorrect, n_correct))
    if ((a < 0) | (a > 1)).any() or (n0 <= 0).any() or (n1 <= 0).any():
        raise InputError("need an area between 0 and 1 and at least one trial of each class")
    q1, q2 = a / (2 - a), 2 * a**2 / (1 + a)
    return np.sqrt((a * (1 - a) + (n1 - 1) * (q1 - a**2) + (n0 - 1) * (q2 - a**2)) / (n0 * n1))


def type2_roc_from_counts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> Type2ROC:
    """Type-2 ROC points, area and DeLong error of one table, lowest rating first."""
    incorrect, correct = as_tables(nR_S1, nR_S2, one=True)
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

    Returns
    -------
    Type2ROC

    References
    ----------
    Fleming & Lau (2014); the error is that of DeLong, DeLong & Clarke-Pearson (1988).

    Examples
    --------
    >>> from metacog.sdt import type2_roc
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> roc = type2_roc(correct, confidence)
    >>> print(f"{roc.area:.2f} +- {1.96 * roc.se:.2f}")
    0.92 +- 0.19
    >>> roc.hit_rate[:4].round(2)
    array([0.  , 0.17, 0.33, 0.5 ])
    """
    incorrect, hits, _ = table_from_trials(correct, confidence)
    return type2_roc_from_counts(incorrect, hits)
