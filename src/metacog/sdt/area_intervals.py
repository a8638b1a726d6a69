"""Intervals of the area under the type-2 ROC from placement values, with trials or questions as units.

The placement value of a correct trial is the share of incorrect trials below it (ties one half), that of
an incorrect trial the share of correct trials above it. DeLong, DeLong & Clarke-Pearson (1988,
Biometrics 44, 837-845) get the variance of the area from their spread; Obuchowski (1997, Biometrics 53,
567-578) from the spread of their sums over clusters, so that trials of one question may depend.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, stdtr, stdtrit

from metacog.sdt.checks import (
    FloatArray,
    InputError,
    as_correct,
    as_integer_tables,
    as_scores,
    as_trials,
    check_level,
    cluster_index,
    need_both_classes,
)
from metacog.sdt.intervals import Interval

TIED = "all confidence is tied"

SEPARATED = "right and wrong answers are separated"

NO_SPREAD = "the placement values do not vary"


@dataclass(frozen=True)
class PairedAreas:
    """Difference of the AUROC2 of two signals on the same answers, A less B.

    Attributes
    ----------
    area_a, area_b, difference, se, p_value, lower, upper, level : float
        NaN where ``why`` says something, but for the areas and their difference.
    why : str
    """

    area_a: float
    area_b: float
    difference: float
    se: float
    p_value: float
    lower: float
    upper: float
    level: float = 0.95
    why: str = ""


def auroc2_interval(
    correct: ArrayLike, confidence: ArrayLike, *, clusters: ArrayLike | None = None, level: float = 0.95
) -> Interval:
    """AUROC2 of trials with an interval on the logit scale.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        Only the order matters; ties count one half.
    clusters : array of labels, shape ``(n,)``, optional
        The question of each trial, where questions repeat. Without it trials are independent.
    level : float

    Returns
    -------
    Interval
        Without ends, and with the ``reason``, where one cannot tell: a class with a single trial or
        cluster, an area of 0 or 1 (no spread is not no doubt), all confidence tied.

    Raises
    ------
    InputError
        Missing values, one class only, or arrays of different length.

    Notes
    -----
    logit(A) +- t se/(A (1 - A)), which stays within 0 and 1 and is lopsided as the sampling
    distribution is (Pepe 2003, ch. 5); t has Satterthwaite's degrees of freedom, as in Brunner & Munzel
    (2000), which a class of ten needs. Percentile intervals of such a class are too short.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import auroc2_interval
    >>> rng = np.random.default_rng(1)
    >>> correct = rng.random(200) < 0.6
    >>> confidence = rng.normal(correct, 1)
    >>> found = auroc2_interval(correct, confidence)
    >>> print(f"{found.estimate:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    0.81 [0.74, 0.86]
    """
    area, variance, df, why = _estimated(correct, confidence, clusters)
    return _on_logits(area, variance, df, level, why)


def auroc2_p(correct: ArrayLike, confidence: ArrayLike, *, clusters: ArrayLike | None = None) -> float:
    """Two-sided p of an AUROC2 of one half: 1 less the level at which :func:`auroc2_interval` just reaches it.

    NaN where there is no interval.
    """
    area, variance, df, why = _estimated(correct, confidence, clusters)
    if why or not variance > 0:
        return float("nan")
    return float(2 * stdtr(df, -abs(logit(area)) * area * (1 - area) / np.sqrt(variance)))


def _estimated(
    correct: ArrayLike, confidence: ArrayLike, clusters: ArrayLike | None
) -> tuple[float, float, float, str]:
    """AUROC2, its variance, that one's degrees of freedom, and why there is no interval."""
    hits, scores = as_trials(correct, confidence)
    need_both_classes(~hits, hits)
    unit = cluster_index(clusters, hits.size)
    placed = placement_values(hits, scores)
    area = float(placed[hits].mean())
    why = _why_not(hits, scores, unit, area)
    if _single(hits, unit):
        return area, float("nan"), float("nan"), why
    return area, *clustered_variance(placed - area, hits, unit), why


def auroc2_interval_from_counts(nR_S1: ArrayLike, nR_S2: ArrayLike, *, level: float = 0.95) -> Interval:
    """AUROC2 of one table of independent trials, lowest rating first, as by :func:`auroc2_interval`."""
    wrong, right = as_integer_tables(nR_S1, nR_S2, one=True)
    ratings = np.arange(wrong.size)
    score = np.concatenate([np.repeat(ratings, wrong), np.repeat(ratings, right)])
    hits = np.repeat([False, True], [int(wrong.sum()), int(right.sum())])
    if not hits.size:
        raise InputError("the table is empty: AUROC2 needs correct and incorrect trials")
    return auroc2_interval(hits, score, level=level)


def area_variances(incorrect: FloatArray, correct: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Areas of tables of shape ``(..., L)``, and what right and wrong trials each add to their variance (DeLong).

    A part is NaN where its class has fewer than two trials.
    """
    n0, n1 = (table.sum(axis=-1, keepdims=True) for table in (incorrect, correct))
    with np.errstate(invalid="ignore", divide="ignore"):
        placement1 = (np.cumsum(incorrect, axis=-1) - 0.5 * incorrect) / n0
        placement0 = 1 - (np.cumsum(correct, axis=-1) - 0.5 * correct) / n1
        area = (correct * placement1).sum(axis=-1, keepdims=True) / n1
        s10 = (correct * (placement1 - area) ** 2).sum(axis=-1) / (n1[..., 0] - 1)
        s01 = (incorrect * (placement0 - area) ** 2).sum(axis=-1) / (n0[..., 0] - 1)
        parts = s10 / n1[..., 0], s01 / n0[..., 0]
    of_right, of_wrong = (
        np.where(n[..., 0] > 1, part, np.nan) for n, part in zip((n1, n0), parts, strict=True)
    )
    return area[..., 0], of_right, of_wrong


def delong_paired(
    correct: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> PairedAreas:
    """Difference of the AUROC2 of two signals about the *same* answers (DeLong et al. 1988).

    Two confidence scores of one set of answers, right or wrong alike for both, are compared: stated
    confidence against log-probability, say. Two **models** must not be compared with it: they are right
    on different questions, so that their answers are not the same trials; use
    :func:`metacog.sdt.compare_paired`, which resamples questions.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    score_a, score_b : arrays, shape ``(n,)``
    clusters : array of labels, shape ``(n,)``, optional
        The question of each trial, where questions repeat (Obuchowski 1997).
    level : float

    Returns
    -------
    PairedAreas
        A less B.

    Raises
    ------
    InputError
        As :func:`auroc2_interval`.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import delong_paired
    >>> rng = np.random.default_rng(1)
    >>> correct = rng.random(400) < 0.6
    >>> stated, logprob = rng.normal([0.5 * correct, 1.5 * correct], 1)
    >>> found = delong_paired(correct, logprob, stated)
    >>> print(f"{found.difference:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    0.27 [0.20, 0.34]
    """
    hits = as_correct(correct)
    a, b = as_scores(score_a, n=hits.size, name="score_a"), as_scores(score_b, n=hits.size, name="score_b")
    need_both_classes(~hits, hits)
    unit = cluster_index(clusters, hits.size)
    placed_a, placed_b = placement_values(hits, a), placement_values(hits, b)
    area_a, area_b = float(placed_a[hits].mean()), float(placed_b[hits].mean())
    difference, variance, df, why = area_a - area_b, np.nan, np.nan, _single(hits, unit)
    if not why:
        variance, df = clustered_variance(placed_a - placed_b - difference, hits, unit)
        why = "" if variance > 1e-20 else "the two signals order the answers alike"
    if why:
        return PairedAreas(area_a, area_b, difference, *(float("nan"),) * 4, level, why)
    se, t = float(np.sqrt(variance)), float(_quantile(level, df))
    p = float(2 * stdtr(df, -abs(difference) / se))
    limits = difference - t * se, difference + t * se
    return PairedAreas(area_a, area_b, difference, se, p, *limits, level)


def placement_values(correct: NDArray[np.bool_], score: FloatArray) -> FloatArray:
    """Each trial's share of the other class that it is ordered rightly against, ties one half."""
    place = np.unique(score, return_inverse=True)[1]
    of_class = [np.bincount(place[correct == side], minlength=int(place.max()) + 1) for side in (False, True)]
    # the mid-rank of each distinct score among the trials of a class, as a share of them
    among = [(np.cumsum(n) - 0.5 * n) / n.sum() for n in of_class]
    return np.where(correct, among[0][place], 1 - among[1][place])


def clustered_variance(
    gap: FloatArray, correct: NDArray[np.bool_], unit: NDArray[np.int64]
) -> tuple[float, float]:
    """Variance of an area, and its degrees of freedom, from placement values minus their mean.

    var = S10/n+ + S01/n- + 2 S11/(n+ n-), with S10 = I+/((I+ - 1) n+) times the sum of squared
    sums over the I+ units that hold a correct trial, S01 likewise, and S11 = I/(I - 1) times the sum of
    products over all I units (Obuchowski 1997). With units of one trial it is DeLong's variance. The
    degrees of freedom are Satterthwaite's, from I+ - 1 and I- - 1.
    """
    n_units = int(unit.max()) + 1
    sums, variances, freedom = [], [], []
    for side in (correct, ~correct):
        n, held = int(side.sum()), int(np.unique(unit[side]).size)
        sums.append(np.bincount(unit[side], weights=gap[side], minlength=n_units) / n)
        variances.append(held / (held - 1) * float(sums[-1] @ sums[-1]))
        freedom.append(held - 1)
    cross = n_units / (n_units - 1) * float(sums[0] @ sums[1])
    spread = sum(v**2 / f for v, f in zip(variances, freedom, strict=True))
    df = (variances[0] + variances[1]) ** 2 / spread if spread > 0 else float("nan")
    return variances[0] + variances[1] + 2 * cross, df


def _quantile(level: float, df: FloatArray | float) -> FloatArray:
    check_level(level)
    return np.asarray(stdtrit(df, (1 + level) / 2))


def _on_logits(area: float, variance: float, df: float, level: float, why: str) -> Interval:
    t = float(_quantile(level, df))
    se = float(np.sqrt(variance)) if variance >= 0 else float("nan")
    if not why and not se > 1e-12:
        why = NO_SPREAD
    if why:
        return Interval(area, float("nan"), float("nan"), level, se, reason=why)
    half = t * se / (area * (1 - area))
    lower, upper = expit(logit(area) + np.array([-half, half]))
    return Interval(area, float(lower), float(upper), level, se)


def _single(correct: NDArray[np.bool_], unit: NDArray[np.int64]) -> str:
    """Says so if a class lies in a single unit."""
    for side, kind in ((correct, "right"), (~correct, "wrong")):
        if int(side.sum()) < 2:
            return f"only one {kind} answer"
        if np.unique(unit[side]).size < 2:
            return f"all {kind} answers are to one question"
    return ""


def _why_not(correct: NDArray[np.bool_], score: FloatArray, unit: NDArray[np.int64], area: float) -> str:
    if np.ptp(score) == 0:
        return TIED
    return SEPARATED if area in (0.0, 1.0) else _single(correct, unit)
