"""How often a sound observer, and one whose confidence is random, breaks a rule of the validity screen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, ndtr, ndtri

from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.screen import screen_counts

#: AUROC2 of the sound observer that is wrong more often than right, whom no decision between two can make.
AUROC2_BELOW_HALF = 0.7


@dataclass(frozen=True)
class ScreenAlarms:
    """Probabilities that tables of given margins break a rule; NaN where no answer is wrong or none is right.

    ``sound`` is of the observer of :func:`sound_cells`, ``random`` of one whose confidence knows nothing.
    """

    sound: float
    random: float


def sound_cells(accuracy: float, share: float) -> FloatArray:
    """Probabilities of right and high, wrong and high, right and low, wrong and low of a sound observer.

    From an accuracy of one half on, an unbiased observer of two equally likely normal distributions of variance
    1, whose confidence is the distance of the evidence from the criterion: meta-d' = d' = 2 z(accuracy),
    M-ratio 1. At one half it knows nothing. Below, evidence is normal with variance 1 among right and among
    wrong answers, their means as far apart as :data:`AUROC2_BELOW_HALF` needs. The cut of high confidence
    follows from ``share``, that of answers with high confidence.
    """
    if not (0 < accuracy < 1 and 0 < share < 1):
        raise InputError("accuracy and the share of high confidence must lie between 0 and 1, both excluded")
    cut = brentq(lambda c: sum(_sure(accuracy, c)) - share, 0 if accuracy >= 0.5 else -40, 40)
    right, wrong = _sure(accuracy, cut)
    return np.array([right, wrong, accuracy - right, 1 - accuracy - wrong])


def below_half() -> float:
    """Distance of the means of right and wrong evidence below an accuracy of one half."""
    return float(np.sqrt(2) * ndtri(AUROC2_BELOW_HALF))


def _sure(accuracy: float, cut: float) -> tuple[float, float]:
    """Probabilities of right and of wrong answers whose confidence is beyond a cut."""
    if accuracy < 0.5:
        return accuracy * float(ndtr(below_half() - cut)), (1 - accuracy) * float(ndtr(-cut))
    half = float(ndtri(accuracy))
    return float(ndtr(half - cut)), float(ndtr(-half - cut))


def screen_alarms(n_right: int, n_wrong: int, n_high: int) -> ScreenAlarms:
    """How often observers with so many right, wrong and high answers break a rule.

    Exact: given its margins, a table of independent answers follows Fisher's noncentral hypergeometric
    distribution (Fisher 1935, J. R. Stat. Soc. 98, 39-54), with the odds ratio of :func:`sound_cells` at the
    observed accuracy and share, and 1 for random confidence, whose tables are those of confidence shuffled over
    the answers. ``L >= .95, Fp >= .50`` or RBS above 0 with an interval without 0 breaks a rule.
    """
    n = n_right + n_wrong
    if min(n_right, n_wrong, n_high) < 0 or n_high > n:
        raise InputError(f"{n_high} of {n_right} + {n_wrong} answers cannot have high confidence")
    if not n_right or not n_wrong:
        return ScreenAlarms(float("nan"), float("nan"))
    x = np.arange(max(0, n_high - n_wrong), min(n_right, n_high) + 1)
    broken = screen_counts(x, n_high - x, n_right - x, n_wrong - n_high + x).invalid
    odds = 0.0
    if 0 < n_high < n:
        a, b, c, d = np.maximum(sound_cells(n_right / n, n_high / n), 1e-300)
        odds = float(np.log(a) + np.log(d) - np.log(b) - np.log(c))
    ways = -sum(gammaln(v + 1) for v in (x, n_high - x, n_right - x, n_wrong - n_high + x))
    chances = [np.exp(w - w.max()) for w in (ways + odds * x, ways)]
    sound, random = (float(p[broken].sum() / p.sum()) for p in chances)
    return ScreenAlarms(sound, random)
