"""AUROC2 within strata: of two answers to items of one stratum, does the right one have the higher confidence?

How hard an item is, read from several answerers: a two-parameter logistic model on a grid of ease.

Birnbaum's model with the distribution of the items left free, fitted by marginal maximum likelihood (Bock & Aitkin
1981, Psychometrika 46, 443-459). The result for each item is not one number but how probable each ease is,
so that something else can be related to ease without the error of reading it: :func:`shares_given_ease`.

What confidence within strata would say of right and wrong if it read nothing but how easy the item is.

Strata of items that equally many others answered rightly still hold easier and harder items, since a count of
others reads ease with error. Confidence that reads ease alone therefore keeps some order within them. How much
follows from three things that the data show one by one: how probable each ease is for each item (from the others),
how often the model is right at each ease, and which confidence it has at each ease.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import expit, log_expit, logit, stdtrit

from metacog.sdt.checks import FloatArray, InputError, as_scores, as_trials, average_ranks
from metacog.sdt.intervals import Interval
from metacog.sdt.resampling import chunks

#: The grid of ease.
NODES = np.linspace(-4.0, 4.0, 25)
#: Prior standard deviations of slopes and bends; the prior keeps an answerer who is never wrong finite.
_SLOPE_SD, _LEVEL_SD = 6.0, 4.0
_STEPS = 200
_GRID = 400  # points at which expected ease is read from a sum of slopes
_SMALL = 1e-3  # rise of the log-likelihood of all items at which a fit has converged


@dataclass(frozen=True)
class ItemResponse:
    """A fitted model.

    ``nodes``, ``weights`` ``(K,)``: the grid of ease and the share of items at each node. ``level``, ``slope``
    ``(m,)``: log-odds of a right answer by answerer at ease 0, and their rise with ease. ``posterior`` ``(N,
    K)``: how probable each ease is for each item. ``reliability``: variance of the items' expected ease over
    that of their ease.
    """

    nodes: FloatArray
    weights: FloatArray
    level: FloatArray
    slope: FloatArray
    posterior: FloatArray = field(repr=False)
    reliability: float

    def _odds(self, answerers: NDArray[np.bool_] | NDArray[np.int64]) -> FloatArray:
        return self.level[answerers][:, None] + self.slope[answerers][:, None] * self.nodes

    def posterior_of(self, right: ArrayLike, answerers: NDArray[np.bool_] | NDArray[np.int64]) -> FloatArray:
        """How probable each ease is for each item by the answers of some of the answerers, shape ``(N, K)``.

        ``right`` as given to :func:`item_response`. Curves and the shares of items at each ease stay those of
        all answerers.
        """
        given = np.asarray(right, dtype=np.float64)[answerers]
        odds = self._odds(answerers)
        joint = (given == 1).T @ log_expit(odds) + (given == 0).T @ log_expit(-odds) + np.log(self.weights)
        return _softmax(joint)

    def cells(
        self,
        right: FloatArray,
        answerers: NDArray[np.bool_] | NDArray[np.int64],
        strata: NDArray[np.int64],
        width: float,
    ) -> tuple[NDArray[np.int64], FloatArray]:
        """Cells of about equally easy items of a stratum, ``(N,)``, and how probable each ease is for them, ``(G, K)``.

        Of complete answers the posterior depends on the sum of the slopes of those who are right alone. Items
        of a stratum are of one cell where that sum leads to an expected ease within one step of ``width``
        (items have a standard deviation of about 1); a cell has the posterior of its mean sum.
        """
        score = self.slope[answerers] @ right[answerers]
        fixed = np.log(self.weights) + log_expit(-self._odds(answerers)).sum(axis=0)

        def posterior(of: FloatArray) -> FloatArray:
            return _softmax(of[:, None] * self.nodes + fixed)

        grid = np.linspace(score.min(), score.max(), _GRID)
        ease = np.interp(score, grid, posterior(grid) @ self.nodes)
        step = np.floor((ease - self.nodes[0]) / width).astype(np.int64)
        cell = np.unique(strata * (step.max() + 1) + step, return_inverse=True)[1]
        return cell, posterior(np.bincount(cell, weights=score) / np.bincount(cell))


def item_response(
    right: ArrayLike, start: tuple[FloatArray, FloatArray, FloatArray] | None = None
) -> ItemResponse:
    """Fit the model to answers ``(m, N)`` of m answerers to N items, 0, 1 or NaN where there is none.

    ``start`` is ``level, slope, weights`` to start from, such as those of a fit that had further answerers.
    """
    given = np.asarray(right, dtype=np.float64)
    if given.ndim != 2 or 0 in given.shape:
        raise InputError(f"answers of shape (answerers, items) are wanted, got {np.shape(right)}")
    known = np.isfinite(given)
    if not np.isin(given[known], (0.0, 1.0)).all():
        raise InputError("answers must be 0, 1 or missing")
    hit, missing = np.where(known, given, 0.0), sparse.csr_array(~known, dtype=np.float64)
    rate = (hit.sum(axis=1) + 1) / (known.sum(axis=1) + 2)
    level, slope = np.log(rate / (1 - rate)), np.ones(len(given))
    weights = _softmax(-(NODES**2) / 2)
    if start is not None:
        level, slope, weights = start
    before = -np.inf
    posterior = np.empty((given.shape[1], NODES.size))
    for _ in range(_STEPS):
        # a right answer adds its odds to what all answers add if they are wrong
        none = log_expit(-(level[:, None] + slope[:, None] * NODES))
        joint = (slope @ hit)[:, None] * NODES + (level @ hit)[:, None] + (none.sum(axis=0) + np.log(weights))
        if missing.nnz:
            joint -= missing.T @ none
        top = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - top)
        sums = posterior.sum(axis=1, keepdims=True)
        posterior /= sums
        of_nodes = posterior.sum(axis=0)
        weights = (of_nodes + 0.1 * _softmax(-(NODES**2) / 2)) / (len(posterior) + 0.1)
        hits = hit @ posterior
        level, slope = _better_curves(level, slope, hits, of_nodes - missing @ posterior - hits)
        total = float((top + np.log(sums)).sum())
        if total - before < _SMALL * len(posterior) / 100:
            break
        before = total
    mean = posterior @ NODES
    spread = posterior @ NODES**2 - mean**2
    return ItemResponse(
        NODES, weights, level, slope, posterior, float(mean.var() / (mean.var() + spread.mean()))
    )


def shares_given_ease(posterior: FloatArray, category: ArrayLike, n_categories: int) -> FloatArray:
    """How probable each category is at each ease, where an item's ease is known up to a posterior.

    ``(K, n_categories)``, by multinomial logits in ease and its square, by maximum likelihood with a weak
    prior. The error of reading ease is taken out: among items of posteriors q the category has the shares q
    times this. The posterior comes from answers that do not include this category.
    """
    found = np.asarray(category, dtype=np.int64)
    if found.shape != (len(posterior),) or found.min() < 0 or found.max() >= n_categories:
        raise InputError(
            f"one category of 0 to {n_categories - 1} for each of {len(posterior)} items is wanted"
        )
    columns, penalty = _curves(float((posterior @ NODES).mean()))
    beta = np.zeros((1, 3, n_categories))
    held = np.bincount(found, minlength=n_categories)
    beta[0, 0] = np.log(held + 0.5)
    parts = [np.ascontiguousarray(posterior[found == category]) for category in range(n_categories)]
    counts, none = np.empty((1, NODES.size, n_categories)), np.zeros((1, 1, n_categories))
    shares, before = _softmax(columns @ beta + none), -np.inf
    for _ in range(_STEPS):
        total = 0.0
        for category, part in enumerate(parts):
            share = shares[0, :, category]
            each = part @ share
            counts[0, :, category] = share * ((1 / each) @ part)
            total += float(np.log(each).sum())
        beta, shares = _better_sets(beta, shares, columns, counts, penalty, none)
        if total - before < _SMALL:
            break
        before = total
    return np.asarray(shares[0])


def _curves(centre: float) -> tuple[FloatArray, FloatArray]:
    """Columns of logits on the grid of ease, ``(K, 3)``, and the weak prior of their coefficients."""
    x = NODES - centre
    bend = x**2 / 4
    columns = np.stack([np.ones_like(x), x, bend - bend.mean()], axis=1)
    return columns, 1 / np.array([_LEVEL_SD**2 * 4, _SLOPE_SD**2, _SLOPE_SD**2])


def shares_in_cells(posterior: FloatArray, members: FloatArray) -> FloatArray:
    """:func:`shares_given_ease` of several sets of categories at once, ``(R, K, L)``.

    Items of a cell share a posterior ``(G, K)``. ``members`` ``(R, G, L)``: how many items of a cell are of
    each category, in each of R sets; a set of fewer than L has empty ones last.
    """
    size = members[0].sum(axis=1)
    columns, penalty = _curves(float(size @ (posterior @ NODES) / size.sum()))
    held = members.sum(axis=1)
    none = np.where(np.cumsum(held[:, ::-1], axis=1)[:, ::-1] > 0, 0.0, -np.inf)[:, None]
    beta = np.zeros((len(members), 3, held.shape[1]))
    beta[:, 0] = np.log(held + 0.5)
    shares, before = _softmax(columns @ beta + none), np.full(len(members), -np.inf)
    for _ in range(_STEPS):
        chance = np.where(members > 0, posterior @ shares, 1.0)
        counts = shares * (posterior.T @ (members / chance))
        beta, shares = _better_sets(beta, shares, columns, counts, penalty, none)
        total = (members * np.log(chance)).sum(axis=(1, 2))
        if (total - before < _SMALL).all():
            break
        before = total
    return shares


def _better_sets(
    beta: FloatArray,
    shares: FloatArray,
    columns: FloatArray,
    counts: FloatArray,
    penalty: FloatArray,
    none: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """One step of Newton for multinomial logits of several sets, ``(R, 3, L)``, halved in those in which it is too far.

    From expected counts ``(R, K, L)`` and the shares that the logits give; ``none`` is -inf at categories that a set
    does not have. With the shares of what is returned.
    """
    n_sets, n_columns, n = beta.shape
    trials = counts.sum(axis=2)

    def objective(b: FloatArray, p: FloatArray) -> FloatArray:
        told = (counts * np.log(np.where(counts > 0, p, 1.0))).sum(axis=(1, 2))
        return np.asarray(told - (penalty @ (b**2).sum(axis=2).T) / 2)

    gradient = columns.T @ (counts - trials[:, :, None] * shares) - penalty[:, None] * beta
    pairs = (columns[:, :, None] * columns[:, None, :]).reshape(len(columns), -1).T
    weighed = trials[:, :, None] * shares
    single = (pairs @ weighed).reshape(n_sets, n_columns, n_columns, n)
    double = (weighed[:, :, :, None] * shares[:, :, None, :]).reshape(n_sets, len(columns), n * n)
    curve = -(pairs @ double).reshape(n_sets, n_columns, n_columns, n, n).transpose(0, 1, 3, 2, 4)
    at = np.arange(n)
    curve[:, :, at, :, at] += single.transpose(3, 0, 1, 2)
    curve = curve.reshape(n_sets, beta[0].size, beta[0].size)
    curve[:, np.arange(beta[0].size), np.arange(beta[0].size)] += np.repeat(penalty, n)
    step = np.linalg.solve(curve, gradient.reshape(n_sets, -1, 1)).reshape(beta.shape)
    now, size = objective(beta, shares), np.ones((n_sets, 1, 1))
    for _ in range(20):
        moved = beta + size * step
        there = _softmax(columns @ moved + none)
        worse = objective(moved, there) < now - 1e-12
        if not worse.any():
            break
        size[worse] /= 2
    return moved, there


def _softmax(odds: FloatArray) -> FloatArray:
    """``scipy.special.softmax`` along the last axis, to the last bit, without what it does for other arrays."""
    shares = np.exp(odds - odds.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def _better_curves(
    level: FloatArray, slope: FloatArray, hit: FloatArray, miss: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """One step of Newton for each answerer's curve, from expected counts of shape ``(m, K)``."""
    trials = hit + miss
    p = expit(level[:, None] + slope[:, None] * NODES)
    gap, w = hit - trials * p, trials * p * (1 - p)
    g0 = gap.sum(axis=1) - level / _LEVEL_SD**2
    g1 = gap @ NODES - (slope - 1) / _SLOPE_SD**2
    h00, h01, h11 = w.sum(axis=1) + 1 / _LEVEL_SD**2, w @ NODES, w @ NODES**2 + 1 / _SLOPE_SD**2
    det = h00 * h11 - h01**2
    up, along = (h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det
    return level + np.clip(up, -1, 1), np.clip(slope + np.clip(along, -0.5, 0.5), -1.0, 6.0)


#: Levels of confidence that are told apart; neighbours among more are joined.
MOST_LEVELS = 12


class EaseAlone:
    """Expected answers of a model whose confidence and correctness are independent at every ease.

    ``cell`` ``(n,)`` is the row of ``posterior`` of each item, where items of a stratum share one
    (:meth:`ItemResponse.cells`): many items are related to ease much faster so. ``also`` are further
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
            wins += (right * _half_below(wrong)).sum(axis=1)
            pairs += right.sum(axis=1) * wrong.sum(axis=1)
        wins -= twice @ (self.right * _half_below(self.wrong)).sum(axis=1)
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
        below = _half_below(wrong)[self._stratum]
        above = (right.sum(axis=1, keepdims=True) - _half_below(right))[self._stratum]
        own = (self.right * _half_below(self.wrong)).sum(axis=1)
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


def _half_below(counts: FloatArray) -> FloatArray:
    """Counts at lower levels and half of those at the same one, shape ``(n, L)``."""
    return np.asarray(np.cumsum(counts, axis=1) - 0.5 * counts)


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
        below = _half_below(wrong)
        above = right.sum(axis=1, keepdims=True) - _half_below(right)
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
