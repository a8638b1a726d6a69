"""What confidence within strata would say of right and wrong if it read nothing but how easy the item is.

Strata of items that equally many others answered rightly still hold easier and harder items, since a count of
others reads ease with error. Confidence that reads ease alone therefore keeps some order within them. How much
follows from three things that the data show one by one: how probable each ease is for each item (from the others),
how often the model is right at each ease, and which confidence it has at each ease.
"""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from .checks import InputError
from .item_response import shares_given_ease
from .tables import FloatArray, as_scores
from .within_strata import StratifiedAnswers

#: Levels of confidence that are told apart; neighbours among more are joined.
MOST_LEVELS = 12


class EaseAlone:
    """Expected answers of a model whose confidence and correctness are independent at every ease.

    Parameters
    ----------
    posterior : array, shape ``(n, K)``
        How probable each ease is for each item, from others' answers
        (:class:`metacog.sdt.item_response.ItemResponse`).
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
    strata : array of labels, shape ``(n,)``

    Attributes
    ----------
    right, wrong : arrays, shape ``(n, L)``
        Probability of a right, and of a wrong, answer with each of L levels of confidence.

    Raises
    ------
    InputError
        Arrays of different length, values that are missing.

    Notes
    -----
    Correctness and confidence are each related to ease alone, never to one another, so that what a model knows of
    itself does not enter. With a share s of items of the stratum at each ease the expected joint shares are those
    of a mixture; the relation that it has is what an error in a control variable leaves to the variable of
    interest (Carroll, Ruppert, Stefanski & Crainiceanu 2006, Measurement Error in Nonlinear Models, ch. 3).
    """

    def __init__(
        self, posterior: FloatArray, correct: ArrayLike, confidence: ArrayLike, strata: ArrayLike
    ) -> None:
        answers = StratifiedAnswers.of(correct, confidence, strata)
        if posterior.ndim != 2 or len(posterior) != answers.hits.size:
            raise InputError(f"a posterior for each of the {answers.hits.size} items is wanted")
        self._stratum, self._n_strata, self._posterior = answers.stratum, answers.n_strata, posterior
        self._chance = shares_given_ease(posterior, answers.hits.astype(np.int64), 2)[:, 1]
        self._relate(answers.confidence)

    def _relate(self, confidence: FloatArray) -> None:
        self.level = few_levels(confidence)
        level = shares_given_ease(self._posterior, self.level, int(self.level.max()) + 1)
        self.right = self._posterior @ (self._chance[:, None] * level)
        self.wrong = self._posterior @ ((1 - self._chance)[:, None] * level)

    def with_confidence(self, confidence: ArrayLike) -> EaseAlone:
        """The same answers with another confidence, such as another model's in the same items, shape ``(n,)``."""
        other = copy(self)
        other._relate(as_scores(confidence, n=len(self._stratum)))
        return other

    def areas(self, weights: FloatArray) -> FloatArray:
        """Expected AUROC2 within strata of resamples of the items, shape ``(B,)``; ``weights`` is ``(B, n)``.

        Pairs are of two different items, as in the data.
        """
        wins, pairs = np.zeros(len(weights)), np.zeros(len(weights))
        for s in range(self._n_strata):
            there = self._stratum == s
            some = weights[:, there]
            right, wrong = some @ self.right[there], some @ self.wrong[there]
            wins += (right * _half_below(wrong)).sum(axis=1)
            pairs += right.sum(axis=1) * wrong.sum(axis=1)
        twice = weights**2
        wins -= twice @ (self.right * _half_below(self.wrong)).sum(axis=1)
        pairs -= twice @ (self.right.sum(axis=1) * self.wrong.sum(axis=1))
        return np.divide(wins, pairs, out=np.full(len(wins), np.nan), where=pairs > 1e-9)

    def area(self) -> float:
        """Expected AUROC2 within strata; NaN where no pair is expected."""
        return float(self.areas(np.ones((1, len(self.right))))[0])

    def influence(self) -> FloatArray:
        """How :meth:`area` moves with the weight of each item, shape ``(n,)``: its derivative at equal weights."""
        shape = (self._n_strata, self.right.shape[1])
        right, wrong = np.zeros(shape), np.zeros(shape)
        np.add.at(right, self._stratum, self.right)
        np.add.at(wrong, self._stratum, self.wrong)
        below = _half_below(wrong)[self._stratum]
        above = (right.sum(axis=1, keepdims=True) - _half_below(right))[self._stratum]
        own = (self.right * _half_below(self.wrong)).sum(axis=1)
        won = (self.right * below).sum(axis=1) + (self.wrong * above).sum(axis=1) - 2 * own
        n_right, n_wrong = self.right.sum(axis=1), self.wrong.sum(axis=1)
        pairs = n_right * wrong.sum(axis=1)[self._stratum] + n_wrong * right.sum(axis=1)[self._stratum]
        pairs -= 2 * n_right * n_wrong
        total = float(pairs.sum()) / 2
        return np.asarray((won - self.area() * pairs) / total if total > 1e-9 else won * np.nan)

    def log_odds(self) -> FloatArray:
        """What a confidence adds to the log-odds of a right answer in its stratum, shape ``(n,)``."""
        shape = (self._n_strata, self.right.shape[1])
        right, wrong = np.zeros(shape), np.zeros(shape)
        np.add.at(right, self._stratum, self.right)
        np.add.at(wrong, self._stratum, self.wrong)
        added = np.log(right / wrong) - np.log(right.sum(axis=1) / wrong.sum(axis=1))[:, None]
        return np.asarray(added[self._stratum, self.level])


def few_levels(confidence: ArrayLike, most: int = MOST_LEVELS) -> NDArray[np.int64]:
    """Confidence as at most ``most`` levels 0, 1, ...: equal ones stay equal, the order is kept."""
    scores = as_scores(confidence)
    at = np.unique(scores, return_inverse=True)[1]
    if at.max() < most:
        return at.astype(np.int64)
    share = (rankdata(scores) - 0.5) / scores.size
    return np.unique(np.floor(share * most), return_inverse=True)[1].astype(np.int64)


def _half_below(counts: FloatArray) -> FloatArray:
    """Counts at lower levels and half of those at the same one, along the last axis."""
    return np.asarray(np.cumsum(counts, axis=-1) - 0.5 * counts)
