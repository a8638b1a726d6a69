"""What confidence within strata would say of right and wrong if it read nothing but how easy the item is.

Strata of items that equally many others answered rightly still hold easier and harder items, since a count of
others reads ease with error. Confidence that reads ease alone therefore keeps some order within them. How much
follows from three things that the data show one by one: how probable each ease is for each item (from the others),
how often the model is right at each ease, and which confidence it has at each ease.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from metacog.sdt.checks import FloatArray, InputError, as_scores, average_ranks
from metacog.sdt.item_ease import shares_given_ease, shares_in_cells
from metacog.sdt.within_strata import StratifiedAnswers, half_below

#: Levels of confidence that are told apart; neighbours among more are joined.
MOST_LEVELS = 12


class EaseAlone:
    """Expected answers of a model whose confidence and correctness are independent at every ease.

    ``posterior`` ``(n, G)`` is the probability of each ease, of each item; or ``(C, G)``, of rows that items of a
    stratum share, and ``cell`` ``(n,)`` the row of each item (:meth:`metacog.sdt.item_ease.ItemResponse.cells`): many
    items are related to ease much faster so. ``also`` are further
    confidences with the same answers, and ``others`` the same with each of them. ``right``, ``wrong``:
    probability of a right, and of a wrong, answer with each of L levels of confidence.

    Correctness and confidence are each related to ease alone, never to one another, so that what a model knows
    of itself does not enter. With a share s of items of the stratum at each ease the expected joint shares are
    those of a mixture; the relation that it has is what an error in a control variable leaves to the variable
    of interest (Carroll, Ruppert, Stefanski & Crainiceanu 2006, Measurement Error in Nonlinear Models, ch. 3).
    """

    def __init__(
        self,
        posterior: FloatArray,
        correct: ArrayLike,
        confidence: ArrayLike,
        strata: ArrayLike,
        cell: NDArray[np.int64] | None = None,
        also: Sequence[ArrayLike] = (),
    ) -> None:
        answers = StratifiedAnswers.of(correct, confidence, strata)
        n = answers.hits.size
        if posterior.ndim != 2 or (len(posterior) if cell is None else len(cell)) != n:
            raise InputError(f"a posterior for each of the {n} items is wanted")
        self._of_item, self._n_strata = answers.stratum, answers.n_strata
        self._cell, self._stratum, self._size = cell, answers.stratum, np.ones(n)
        if cell is not None:
            self._stratum = np.zeros(len(posterior), dtype=np.int64)
            self._stratum[cell] = answers.stratum
            self._size = np.bincount(cell, minlength=len(posterior)).astype(np.float64)
        places = (self._stratum, np.arange(len(posterior)))
        self._in_stratum = sparse.csr_array((self._size, places), (self._n_strata, len(posterior)))
        self.level, self.right, self.wrong = answers.stratum, posterior, posterior  # until they are known
        self.others: list[EaseAlone] = [copy(self) for _ in also]
        hits, together = answers.hits.astype(np.int64), [self, *self.others]
        levels = [few_levels(one) for one in (answers.confidence, *(as_scores(one, n=n) for one in also))]
        if cell is None:
            chance = shares_given_ease(posterior, hits, 2)[:, 1]
            shares = [shares_given_ease(posterior, level, int(level.max()) + 1) for level in levels]
        else:
            n_levels, n_cells = max(int(level.max()) for level in (hits, *levels)) + 1, len(posterior)
            held = [np.bincount(cell * n_levels + k, minlength=n_cells * n_levels) for k in (hits, *levels)]
            members = np.array(held, dtype=np.float64).reshape(-1, n_cells, n_levels)
            whether, *shares = shares_in_cells(posterior, members)
            chance = whether[:, 1]
        for one, level, share in zip(together, levels, shares, strict=True):
            one.level = level
            one.right = posterior @ (chance[:, None] * share)
            one.wrong = posterior @ ((1 - chance)[:, None] * share)

    def areas(self, weights: FloatArray) -> FloatArray:
        """Expected AUROC2 within strata of resamples of the items, shape ``(B,)``; ``weights`` is ``(B, n)``.

        Pairs are of two different items, as in the data.
        """
        wins, pairs = np.zeros(len(weights)), np.zeros(len(weights))
        drawn, twice = self._in_cells(weights), self._in_cells(weights**2)
        for s in range(self._n_strata):
            there = self._stratum == s
            some = drawn[:, there]
            right, wrong = some @ self.right[there], some @ self.wrong[there]
            wins += (right * half_below(wrong)).sum(axis=1)
            pairs += right.sum(axis=1) * wrong.sum(axis=1)
        wins -= twice @ (self.right * half_below(self.wrong)).sum(axis=1)
        pairs -= twice @ (self.right.sum(axis=1) * self.wrong.sum(axis=1))
        return np.divide(wins, pairs, out=np.full(len(wins), np.nan), where=pairs > 1e-9)

    def _in_cells(self, weights: FloatArray) -> FloatArray:
        """Weights of the items summed over those that share a posterior, ``(B, rows of the posterior)``."""
        if self._cell is None:
            return weights
        n = self._cell.size
        return np.asarray(weights @ sparse.csr_array((np.ones(n), (np.arange(n), self._cell))))

    def _by_stratum(self, values: FloatArray) -> FloatArray:
        return np.asarray(self._in_stratum @ values)

    def area(self) -> float:
        """Expected AUROC2 within strata; NaN where no pair is expected."""
        return float(self.areas(np.ones((1, len(self._of_item))))[0])

    def area_and_influence(self) -> tuple[float, FloatArray]:
        """:meth:`area`, and how it moves with the weight of each item, ``(n,)``: its derivative at equal weights."""
        right, wrong = self._by_stratum(self.right), self._by_stratum(self.wrong)
        below = half_below(wrong)[self._stratum]
        above = (right.sum(axis=1, keepdims=True) - half_below(right))[self._stratum]
        own = (self.right * half_below(self.wrong)).sum(axis=1)
        won = (self.right * below).sum(axis=1) + (self.wrong * above).sum(axis=1) - 2 * own
        n_right, n_wrong = self.right.sum(axis=1), self.wrong.sum(axis=1)
        pairs = n_right * wrong.sum(axis=1)[self._stratum] + n_wrong * right.sum(axis=1)[self._stratum]
        pairs -= 2 * n_right * n_wrong
        total = float((pairs * self._size).sum()) / 2
        if not total > 1e-9:
            return float("nan"), np.full(self._of_item.size, np.nan)
        area = float((won * self._size).sum()) / 2 / total
        moves = (won - area * pairs) / total
        return area, np.asarray(moves if self._cell is None else moves[self._cell])

    def log_odds(self) -> FloatArray:
        """What a confidence adds to the log-odds of a right answer in its stratum, shape ``(n,)``."""
        right, wrong = self._by_stratum(self.right), self._by_stratum(self.wrong)
        added = np.log(right / wrong) - np.log(right.sum(axis=1) / wrong.sum(axis=1))[:, None]
        return np.asarray(added[self._of_item, self.level])


def few_levels(confidence: ArrayLike, most: int = MOST_LEVELS) -> NDArray[np.int64]:
    """Confidence as at most ``most`` levels 0, 1, ...: equal ones stay equal, the order is kept."""
    scores = as_scores(confidence)
    at = np.unique(scores, return_inverse=True)[1]
    if at.max() < most:
        return at.astype(np.int64)
    share = (average_ranks(scores) - 0.5) / scores.size
    return np.unique(np.floor(share * most), return_inverse=True)[1].astype(np.int64)
