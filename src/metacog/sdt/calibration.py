"""Calibration: does a stated probability of being right come true?

Confidence must be a probability in [0, 1]. Bins are closed on the left ([0, .1), [.1, .2) ...) and
the last holds 1. Tied confidences always share a bin, so no result depends on the order of trials.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression
from scipy.special import ndtr, ndtri

from metacog.sdt.checks import FloatArray, InputError, as_trials
from metacog.sdt.intervals import wilson

BINNINGS = ("width", "mass", "unique")


@dataclass(frozen=True)
class ReliabilityDiagram:
    """What a reliability diagram draws; one entry per bin that holds trials.

    Attributes
    ----------
    lower, upper : arrays
        Bin edges (for ``unique`` both are the value itself).
    count, confidence, accuracy : arrays
        Trials, mean confidence and share correct of each bin.
    accuracy_lower, accuracy_upper : arrays
        Wilson interval of the share correct.
    n_bins, n_empty : int
        Bins asked for and bins without trials (or merged by ties).
    binning : str
    """

    lower: FloatArray
    upper: FloatArray
    count: FloatArray
    confidence: FloatArray
    accuracy: FloatArray
    accuracy_lower: FloatArray
    accuracy_upper: FloatArray
    n_bins: int
    n_empty: int
    binning: str

    @property
    def gap(self) -> FloatArray:
        """Accuracy less confidence: below zero is overconfident."""
        return self.accuracy - self.confidence

    @property
    def ece(self) -> float:
        """Expected calibration error: mean absolute gap over trials."""
        return float(self.count @ np.abs(self.gap) / self.count.sum())

    @property
    def mce(self) -> float:
        """Maximum calibration error: largest absolute gap of any bin."""
        return float(np.abs(self.gap).max())


@dataclass(frozen=True)
class BrierDecomposition:
    """brier = reliability - resolution + uncertainty + within_bin_variance - within_bin_covariance.

    Attributes
    ----------
    brier : float
        Mean of (confidence - correct)^2.
    reliability, resolution, uncertainty : float
        Murphy's (1973) three terms over the bins.
    within_bin_variance, within_bin_covariance : float
        What binning hides (Stephenson, Coelho & Jolliffe 2008), the covariance doubled; both are
        0 with ``binning='unique'``.
    residual : float
        Left side minus right side: rounding only.
    skill : float
        1 - brier / uncertainty; NaN when all trials are correct or all are not.
    n_bins : int
        Bins in use.
    debiased : bool
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bin_variance: float
    within_bin_covariance: float
    residual: float
    skill: float
    n_bins: int
    debiased: bool


def _checked(correct: ArrayLike, confidence: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Correctness as numbers, and confidences that are probabilities."""
    right, values = as_trials(correct, confidence)
    if (values < 0).any() or (values > 1).any():
        raise InputError(
            f"confidence must lie in [0, 1], got {values.min():g} to {values.max():g}; "
            "turn it into a probability first (exp of a mean log-probability, or percent / 100)"
        )
    return right.astype(np.float64), values


def calibration_edges(confidence: ArrayLike, *, n_bins: int = 10, binning: str = "width") -> FloatArray:
    """Inner bin edges: equal width over [0, 1], or quantiles of the confidences (equal mass)."""
    if n_bins < 1:
        raise InputError(f"n_bins must be at least 1, got {n_bins}")
    # k / n, not linspace: linspace gives 0.30000000000000004 and puts a stated 0.3 a bin too low.
    inner = np.arange(1, n_bins) / n_bins
    if binning == "width":
        return inner
    if binning == "mass":
        return np.unique(np.quantile(np.asarray(confidence, dtype=np.float64), inner))
    raise InputError(f"no binning named {binning!r}; use one of {', '.join(BINNINGS)}")


def _bins(
    confidence: FloatArray, n_bins: int, binning: str
) -> tuple[NDArray[np.intp], FloatArray, FloatArray]:
    """Bin of each trial (0-based), and the lower and upper edges of all bins."""
    if binning == "unique":
        levels, index = np.unique(confidence, return_inverse=True)
        return index, levels, levels
    inner = calibration_edges(confidence, n_bins=n_bins, binning=binning)
    index = np.searchsorted(inner, confidence, side="right")
    return index, np.append(0.0, inner), np.append(inner, 1.0)


def reliability_diagram(
    correct: ArrayLike, confidence: ArrayLike, *, n_bins: int = 10, binning: str = "width", z: float = 1.96
) -> ReliabilityDiagram:
    """Data of a reliability diagram.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array of probabilities, shape ``(n,)``
    binning : {'width', 'mass', 'unique'}
    z : float
        Normal quantile of the Wilson intervals.
    n_bins : int

    Returns
    -------
    ReliabilityDiagram

    Raises
    ------
    InputError
        Confidence outside [0, 1], missing values, unknown binning.

    References
    ----------
    Guo et al. (2017) for the bins; Wilson (1927) for the intervals.

    Examples
    --------
    >>> from metacog.sdt import reliability_diagram
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> diagram = reliability_diagram(correct, confidence, n_bins=2)
    >>> diagram.count
    array([2., 8.])
    >>> diagram.confidence.round(2), diagram.accuracy.round(2)
    (array([0.35, 0.75]), array([0.  , 0.75]))
    """
    is_correct, p = _checked(correct, confidence)
    index, low, high = _bins(p, n_bins, binning)
    used = np.bincount(index, minlength=low.size) > 0
    n, hits, sums = (np.bincount(index, w, low.size)[used] for w in (None, is_correct, p))
    accuracy, asked = hits / n, low.size if binning == "unique" else n_bins
    lower, upper = wilson(accuracy, n, z=z)
    return ReliabilityDiagram(
        lower=low[used],
        upper=high[used],
        count=n.astype(np.float64),
        confidence=sums / n,
        accuracy=accuracy,
        accuracy_lower=lower,
        accuracy_upper=upper,
        n_bins=asked,
        n_empty=asked - int(used.sum()),
        binning=binning,
    )


def ece(
    correct: ArrayLike,
    confidence: ArrayLike,
    *,
    n_bins: int = 10,
    binning: str = "width",
    debiased: bool = False,
) -> float:
    """Expected calibration error, ``sum_b (n_b / n) |accuracy_b - confidence_b|``.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array of probabilities, shape ``(n,)``
    n_bins : int
    binning : {'width', 'mass', 'unique'}
        Equal width (Naeini et al. 2015; Guo et al. 2017) or equal mass.
    debiased : bool
        Take off the bias of the absolute gap under accuracy_b ~ N(accuracy_b, accuracy_b
        (1 - accuracy_b)/n_b), ECE - (E[ECE of redrawn bins] - ECE) (Kumar, Liang & Ma 2019, l1
        case), here with the mean of the folded normal in closed form. It can fall below zero.

    Returns
    -------
    float

    Notes
    -----
    The plug-in ECE of a perfectly calibrated model is above zero and grows with ``n_bins``; compare
    models only at one number of bins and trials, or debiased.

    Examples
    --------
    >>> from metacog.sdt import ece
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> print(f"{ece(correct, confidence, n_bins=5):.3f}")
    0.170
    """
    diagram = reliability_diagram(correct, confidence, n_bins=n_bins, binning=binning)
    if not debiased:
        return diagram.ece
    n = diagram.count
    return float(debiased_ece(n, n * diagram.accuracy, n * diagram.confidence))


def debiased_ece(count: ArrayLike, right: ArrayLike, stated: ArrayLike) -> FloatArray:
    """:func:`ece` with its bias taken off, of many tables at once; NaN for a table without trials.

    ``count``, ``right``, ``stated`` ``(..., n_bins)``: trials of a bin, those that are right, the sum of
    confidences.
    """
    n, hits, sums = (np.asarray(v, dtype=np.float64) for v in (count, right, stated))
    with np.errstate(invalid="ignore", divide="ignore"):
        share, gap = hits / n, np.abs(hits - sums) / n
        sigma = np.sqrt(np.clip(share * (1 - share), 0.0, None) / n)
        ratio = np.where(sigma > 0, gap / sigma, np.inf)
        folded = sigma * np.sqrt(2 / np.pi) * np.exp(-0.5 * ratio**2) + gap * (1 - 2 * ndtr(-ratio))
        return np.asarray(np.where(n > 0, n * (2 * gap - folded), 0.0).sum(axis=-1) / n.sum(axis=-1))


def brier_score(correct: ArrayLike, confidence: ArrayLike) -> float:
    """Mean squared distance between confidence and correctness (Brier 1950).

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array of probabilities, shape ``(n,)``

    Returns
    -------
    float

    Examples
    --------
    >>> from metacog.sdt import brier_score
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> print(f"{brier_score(correct, confidence):.3f}")
    0.143
    """
    y, p = _checked(correct, confidence)
    return float(np.mean((p - y) ** 2))


def brier_decomposition(
    correct: ArrayLike,
    confidence: ArrayLike,
    *,
    n_bins: int = 10,
    binning: str = "width",
    debiased: bool = False,
) -> BrierDecomposition:
    """Brier score and its parts, exact whatever the bins.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array of probabilities, shape ``(n,)``
    n_bins, binning
        See :func:`reliability_diagram`; ``unique`` makes a bin of each distinct confidence.
    debiased : bool
        Ferro & Fricker's (2012) correction: bin noise comes off reliability and resolution, and
        the noise of the base rate is put back into resolution and uncertainty; the sum is kept.

    Returns
    -------
    BrierDecomposition

    Notes
    -----
    With bin means f_k, o_k and base rate o: reliability = sum (n_k/n)(f_k - o_k)^2, resolution =
    sum (n_k/n)(o_k - o)^2, uncertainty = o (1 - o); within-bin variance = mean (f - f_k)^2,
    covariance = 2 mean (f - f_k)(y - o_k).

    Examples
    --------
    >>> from metacog.sdt import brier_decomposition
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> parts = brier_decomposition(correct, confidence, n_bins=5)
    >>> print(f"{parts.brier:.3f}: reliability {parts.reliability:.3f}, resolution {parts.resolution:.3f}")
    0.143: reliability 0.032, resolution 0.123
    """
    y, p = _checked(correct, confidence)
    diagram = reliability_diagram(y, p, n_bins=n_bins, binning=binning)
    index = _bins(p, n_bins, binning)[0]
    position = np.searchsorted(np.unique(index), index)
    share = diagram.count / y.size
    base = float(y.mean())
    df, dy = p - diagram.confidence[position], y - diagram.accuracy[position]
    reliability = float(share @ diagram.gap**2)
    resolution = float(share @ (diagram.accuracy - base) ** 2)
    uncertainty = base * (1 - base)
    if debiased:
        spread = diagram.accuracy * (1 - diagram.accuracy) / np.maximum(diagram.count - 1, 1)
        noise = float(share @ np.where(diagram.count > 1, spread, 0.0))  # a bin of one trial has none
        whole = base * (1 - base) / (y.size - 1) if y.size > 1 else 0.0
        reliability -= noise
        resolution -= noise - whole
        uncertainty += whole
    brier = float(np.mean((p - y) ** 2))
    variance, covariance = float(np.mean(df**2)), float(2 * np.mean(df * dy))
    return BrierDecomposition(
        brier=brier,
        reliability=reliability,
        resolution=resolution,
        uncertainty=uncertainty,
        within_bin_variance=variance,
        within_bin_covariance=covariance,
        residual=brier - (reliability - resolution + uncertainty + variance - covariance),
        skill=1 - brier / uncertainty if uncertainty > 0 else float("nan"),
        n_bins=int(diagram.count.size),
        debiased=debiased,
    )


@dataclass(frozen=True)
class CORPDiagram:
    """A reliability diagram without bins; arrays of one entry for each distinct confidence.

    Attributes
    ----------
    confidence, count : arrays
        The confidence, rising, and how many trials have it.
    accuracy, lower, upper : arrays
        Share correct that never falls with confidence, and its pointwise interval.
    miscalibration, discrimination, uncertainty : float
        Brier score = miscalibration - discrimination + uncertainty.
    level : float
    """

    confidence: FloatArray
    count: FloatArray
    accuracy: FloatArray
    lower: FloatArray
    upper: FloatArray
    miscalibration: float
    discrimination: float
    uncertainty: float
    level: float


def corp_diagram(
    correct: ArrayLike,
    confidence: ArrayLike,
    *,
    n_draws: int = 1_000,
    seed: int | None = 42,
    level: float = 0.95,
) -> CORPDiagram:
    """Reliability diagram by pool-adjacent-violators, which chooses its own bins, with intervals.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array of probabilities, shape ``(n,)``
    n_draws, seed : int
    level : float

    Returns
    -------
    CORPDiagram

    Raises
    ------
    InputError
        Bad arrays, a level outside (0, 1), or no draw.

    References
    ----------
    Dimitriadis, Gneiting & Jordan (2021, PNAS 118, e2016191118). Accuracy is the isotonic regression of
    correctness on confidence. Intervals are percentiles of the regression fitted again to answers that are
    drawn from it, each trial by itself: where questions repeat they are too narrow. At a share of 0 or 1, where
    all draws are alike, the inner end is Wilson's (1927) of the trials that share it.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import corp_diagram
    >>> rng = np.random.default_rng(1)
    >>> confidence = rng.choice([0.5, 0.7, 0.9], 300)
    >>> correct = rng.random(300) < confidence - 0.1  # ten points too sure
    >>> found = corp_diagram(correct, confidence)
    >>> found.accuracy.round(2), found.lower.round(2), found.upper.round(2)
    (array([0.44, 0.63, 0.81]), array([0.35, 0.53, 0.73]), array([0.54, 0.72, 0.88]))
    """
    y, p = _checked(correct, confidence)
    if not 0 < level < 1 or n_draws < 1:
        raise InputError(f"level must lie between 0 and 1 and draws number at least 1: {level}, {n_draws}")
    levels, place = np.unique(p, return_inverse=True)
    count = np.bincount(place).astype(np.float64)
    fitted = isotonic_regression(np.bincount(place, weights=y) / count, weights=count).x
    drawn = (
        np.random.default_rng(seed).binomial(count.astype(np.int64), fitted, (n_draws, levels.size)) / count
    )
    again = [isotonic_regression(shares, weights=count).x for shares in drawn]
    lower, upper = np.quantile(again, [(1 - level) / 2, (1 + level) / 2], axis=0)
    for share in (0.0, 1.0):
        at = fitted == share
        low, high = wilson(share, max(float(count[at].sum()), 1.0), z=float(ndtri((1 + level) / 2)))
        lower[at], upper[at] = low, high
    uncertainty = float(y.mean() * (1 - y.mean()))
    best = float(np.mean((fitted[place] - y) ** 2))
    brier = float(np.mean((p - y) ** 2))
    return CORPDiagram(
        levels, count, fitted, lower, upper, brier - best, uncertainty - best, uncertainty, level
    )
