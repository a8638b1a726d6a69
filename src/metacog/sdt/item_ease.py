"""How hard an item is, read from several answerers: a two-parameter logistic model on a grid of ease.

Birnbaum's model with the distribution of the items left free, fitted by marginal maximum likelihood (Bock & Aitkin
1981, Psychometrika 46, 443-459). The result for each item is not one number but how probable each ease is,
so that something else can be related to ease without the error of reading it: :func:`shares_given_ease`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import expit, log_expit

from metacog.sdt.checks import FloatArray, InputError

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
