"""AUROC2 within strata: of two answers to items of one stratum, does the right one have the higher confidence?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import expit, logit, stdtrit

from metacog.sdt.checks import FloatArray, InputError, as_trials, average_ranks
from metacog.sdt.intervals import Interval
from metacog.sdt.resampling import chunks


@dataclass(frozen=True)
class StratifiedAnswers:
    """Answers in strata, with what resampling and permuting them needs.

    Attributes
    ----------
    hits : bool array, shape ``(n,)``
    confidence : array, shape ``(n,)``
    stratum : int array, shape ``(n,)``
        0 ... S - 1, all of which occur.
    n_strata, n_empty : int
        Strata, and those that hold right answers alone or wrong ones alone, hence no pair.
    n_pairs : int
        Pairs of a right and a wrong answer of one stratum.
    """

    hits: NDArray[np.bool_] = field(repr=False)
    confidence: FloatArray = field(repr=False)
    stratum: NDArray[np.int64] = field(repr=False)
    n_strata: int
    n_empty: int
    n_pairs: int

    @classmethod
    def of(cls, correct: ArrayLike, confidence: ArrayLike, strata: ArrayLike) -> StratifiedAnswers:
        """Arrange answers.

        Parameters
        ----------
        correct : array of 0/1, shape ``(n,)``
        confidence : array, shape ``(n,)``
            Only the order within a stratum matters; ties count one half.
        strata : array of labels, shape ``(n,)``

        Raises
        ------
        InputError
            Values that are missing, or arrays of different length.
        """
        hits, scores = as_trials(correct, confidence)
        labels = np.asarray(strata)
        if labels.shape != hits.shape:
            raise InputError(f"strata must hold one label for each of the {hits.size} answers")
        stratum = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        right = np.bincount(stratum, weights=hits)
        wrong = np.bincount(stratum) - right
        pairs = right * wrong
        return cls(hits, scores, stratum, len(right), int((pairs == 0).sum()), int(pairs.sum()))

    def area(self) -> float:
        """Share of the pairs in which the right answer has the higher confidence, ties one half; NaN without pairs.

        Strata are weighed by their pairs, as in a conditional logistic model's score test.
        """
        return float(self.areas(np.ones((1, self.hits.size)))[0])

    def areas(self, weights: FloatArray) -> FloatArray:
        """Areas of resamples.

        Parameters
        ----------
        weights : array, shape ``(B, n)``
            How often each answer was drawn.

        Returns
        -------
        array, shape ``(B,)``
            NaN where a resample has no pair.
        """
        level = np.unique(self.confidence, return_inverse=True)[1]
        n_levels = int(level.max()) + 1
        cells, at = np.unique(self.stratum * n_levels + level, return_inverse=True)
        first = np.searchsorted(cells, n_levels * np.arange(self.n_strata))
        n = self.hits.size
        made = [
            sparse.csr_array((np.ones(int(side.sum())), (np.flatnonzero(side), at[side])), (n, cells.size))
            for side in (self.hits, ~self.hits)
        ]
        wins, pairs = [], []
        start = 0
        for size in chunks(len(weights), 3 * cells.size):
            some = weights[start : start + size]
            right, wrong = (np.asarray(some @ m) for m in made)
            through = np.cumsum(wrong, axis=1)
            before = np.where(first > 0, through[:, first - 1], 0.0)
            below = through - 0.5 * wrong - before[:, cells // n_levels]
            wins.append((right * below).sum(axis=1))
            pairs.append(
                (np.add.reduceat(right, first, axis=1) * np.add.reduceat(wrong, first, axis=1)).sum(axis=1)
            )
            start += size
        num, den = np.concatenate(wins), np.concatenate(pairs)
        return np.divide(num, den, out=np.full(len(num), np.nan), where=den > 0)

    def area_and_influence(self) -> tuple[float, FloatArray]:
        """:meth:`area`, and how it moves with the weight of each answer, ``(n,)``: its derivative at equal weights.

        The area of a resample with weights w is, to first order, ``area + influence @ (w - 1)``.
        """
        level = np.unique(self.confidence, return_inverse=True)[1]
        n_levels = int(level.max()) + 1
        at = self.stratum * n_levels + level
        shape, cells = (self.n_strata, n_levels), self.n_strata * n_levels
        right = np.bincount(at[self.hits], minlength=cells).reshape(shape).astype(np.float64)
        wrong = np.bincount(at[~self.hits], minlength=cells).reshape(shape).astype(np.float64)
        below = half_below(wrong)
        above = right.sum(axis=1, keepdims=True) - half_below(right)
        won = np.where(self.hits, below.ravel()[at], above.ravel()[at])
        pairs = np.where(self.hits, wrong.sum(axis=1)[self.stratum], right.sum(axis=1)[self.stratum])
        area = float((right * below).sum()) / self.n_pairs if self.n_pairs else float("nan")
        return area, np.asarray((won - area * pairs) / self.n_pairs if self.n_pairs else won * np.nan)

    def rarer(self) -> int:
        """Answers of the rarer class in strata with pairs."""
        right = np.bincount(self.stratum, weights=self.hits)
        wrong = np.bincount(self.stratum) - right
        mixed = (right > 0) & (wrong > 0)
        return int(min(right[mixed].sum(), wrong[mixed].sum()))

    def t_quantile(self, level: float) -> float:
        """Of t with one degree of freedom less than :meth:`rarer`."""
        return float(stdtrit(max(self.rarer() - 1, 1), (1 + level) / 2))

    def interval(self, draws: FloatArray, *, level: float = 0.95) -> Interval:
        """The area with an interval on the scale of log-odds, from the standard deviation of resampled areas.

        Without ends where the area is 0 or 1, since no spread is not no doubt.
        """
        area = self.area()
        se = float(np.nanstd(draws, ddof=1))
        if not 0 < area < 1 or not se > 0:
            return Interval(
                area, np.nan, np.nan, level, se, reason="right and wrong are separated, or do not vary"
            )
        half = self.t_quantile(level) * se / (area * (1 - area))
        lower, upper = expit(logit(area) + np.array([-half, half]))
        return Interval(area, float(lower), float(upper), level, se, "bootstrap", len(draws))

    def shuffled(self, n_permutations: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Right and wrong permuted among the answers of each stratum, shape ``(n_permutations, n)``.

        Dealing right and wrong is dealing confidence: only which goes with which changes.
        """
        order = np.argsort(self.stratum, kind="stable")
        sorted_hits = self.hits[order]
        made = np.empty((n_permutations, self.hits.size), dtype=np.bool_)
        start = 0
        for size in chunks(n_permutations, 2 * self.hits.size):
            keys = rng.random((size, self.hits.size)) + self.stratum[order]
            made[start : start + size, order] = sorted_hits[np.argsort(keys, axis=1)]
            start += size
        return made

    def areas_of(self, hits: NDArray[np.bool_]) -> FloatArray:
        """Areas where other answers are right, as many in each stratum; ``hits`` has shape ``(B, n)``."""
        ranks = np.empty(self.hits.size)
        right = np.bincount(self.stratum, weights=self.hits)
        for s in range(self.n_strata):
            there = self.stratum == s
            ranks[there] = average_ranks(self.confidence[there])
        least = float((right * (right + 1) / 2).sum())
        empty = np.isin(self.stratum, np.flatnonzero(right == 0))
        won = hits @ np.where(empty, 0.0, ranks) - least
        return np.asarray(won / self.n_pairs if self.n_pairs else np.full(len(hits), np.nan))


def half_below(counts: FloatArray) -> FloatArray:
    """Counts at lower levels and half of those at the same one, shape ``(n, L)``."""
    return np.asarray(np.cumsum(counts, axis=1) - 0.5 * counts)
