"""Confidence made to come true: a map from confidence to the share of right answers, fitted on other answers.

Two maps, as scikit-learn's ``CalibratedClassifierCV`` has them. *Platt's* is a logistic curve of confidence with two
coefficients. *Isotonic* regression is the rising step function that is nearest, which follows any shape and takes
more answers. Both are fitted on one half of the questions and judged on the other, then the halves change places.

Neither makes confidence order answers better. A rising map keeps every order (isotonic regression ties some), so
AUROC2, and what a threshold on confidence can reach, stay as they are; what changes is what the numbers say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression, minimize
from scipy.special import expit

from metacog.sdt.abstention import cluster_halves
from metacog.sdt.checks import FloatArray, InputError, as_trials

METHODS = ("platt", "isotonic")
#: Each half needs as many right and as many wrong answers.
LEAST_OF_CLASS = 10


@dataclass(frozen=True)
class Map:
    """A fitted map from confidence to a probability of being right.

    Isotonic regression has confidences ``at`` and their probabilities ``to``, with straight lines between;
    Platt's is 1/(1 + exp(-(intercept + slope * confidence))), on the scale of confidence.
    """

    method: str
    at: FloatArray
    to: FloatArray
    intercept: float = float("nan")
    slope: float = float("nan")

    def __call__(self, confidence: ArrayLike) -> FloatArray:
        """Probabilities of confidences; beyond those that the map was fitted on, isotonic regression stays flat."""
        sure = np.asarray(confidence, dtype=np.float64)
        if self.method == "platt":
            return np.asarray(expit(self.intercept + self.slope * sure))
        return np.asarray(np.interp(sure, self.at, self.to))


def fit_map(correct: ArrayLike, confidence: ArrayLike, method: str = "platt") -> Map:
    """Fit a map from confidence, on any scale, to the share of right answers.

    Platt's (1999) map has targets (N1 + 1)/(N1 + 2) and 1/(N0 + 2) instead of 1 and 0, which keeps it finite
    where confidence separates right from wrong answers wholly.
    """
    right, sure = as_trials(correct, confidence)
    if method not in METHODS:
        raise InputError(f"there is no map {method!r}; there are: {', '.join(METHODS)}")
    if right.all() or not right.any() or np.ptp(sure) == 0:
        raise InputError("a map needs right and wrong answers, and confidence that differs")
    if method == "isotonic":
        at, place, n = np.unique(sure, return_inverse=True, return_counts=True)
        share = np.bincount(place, weights=right) / n
        return Map(method, at, np.asarray(isotonic_regression(share, weights=n).x))
    n1, n0 = int(right.sum()), int((~right).sum())
    target = np.where(right, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    centre, spread = float(sure.mean()), float(sure.std())
    z = (sure - centre) / spread

    def loss(b: FloatArray) -> tuple[float, FloatArray]:
        eta = b[0] + b[1] * z
        gap = expit(eta) - target
        return float((np.logaddexp(0, eta) - target * eta).mean()), np.array([gap.mean(), (gap * z).mean()])

    found = minimize(loss, np.array([0.0, 0.0]), jac=True, method="BFGS", options={"gtol": 1e-10}).x
    slope = float(found[1] / spread)
    return Map(method, np.empty(0), np.empty(0), float(found[0]) - slope * centre, slope)


def recalibrated(
    correct: ArrayLike,
    confidence: ArrayLike,
    *,
    method: str = "platt",
    clusters: ArrayLike | None = None,
    seed: int | None = 42,
) -> FloatArray:
    """Probabilities of being right by a map that the other half of the questions has set.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        On any scale.
    method : {'platt', 'isotonic'}
    clusters : array of labels, shape ``(n,)``, optional
        Answers of one cluster (a question) stay in one half.
    seed : int
        Of the halves.

    Returns
    -------
    array, shape ``(n,)``

    Raises
    ------
    InputError
        Bad arrays, fewer than ``LEAST_OF_CLASS`` right or wrong answers in a half, or an unknown method.

    References
    ----------
    Platt (1999); Zadrozny & Elkan (2002) for isotonic regression.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import ece, recalibrated
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.uniform(0.3, 0.9, 1000)
    >>> correct, stated = rng.random(1000) < truth, np.sqrt(truth)  # too sure
    >>> print(f"ECE {ece(correct, stated):.3f}, after {ece(correct, recalibrated(correct, stated)):.3f}")
    ECE 0.173, after 0.041
    """
    right, sure = as_trials(correct, confidence)
    unit, first = cluster_halves(clusters, right.size, seed=seed)
    half, made = first[unit], np.empty(right.size)
    for here in (half, ~half):
        n_right = int(right[here].sum())
        if min(n_right, int(here.sum()) - n_right) < LEAST_OF_CLASS:
            raise InputError(f"a half has fewer than {LEAST_OF_CLASS} right or wrong answers to fit a map to")
    for here in (half, ~half):
        made[here] = fit_map(right[~here], sure[~here], method)(sure[here])
    return made
