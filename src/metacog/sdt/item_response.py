"""How hard an item is, read from several answerers: a two-parameter logistic model on a grid of ease.

Birnbaum's model with the distribution of the items left free, fitted by marginal maximum likelihood (Bock & Aitkin
1981, Psychometrika 46, 443-459). The result for each item is not one number but how probable each ease is,
so that something else can be related to ease without the error of reading it: :func:`shares_given_ease`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit, logsumexp, softmax

from .checks import InputError
from .tables import FloatArray

#: The grid of ease.
NODES = np.linspace(-4.0, 4.0, 25)
#: Prior standard deviations of slopes and bends; the prior keeps an answerer who is never wrong finite.
_SLOPE_SD, _LEVEL_SD = 6.0, 4.0
_STEPS = 200
_SMALL = 1e-3  # rise of the log-likelihood of all items at which a fit has converged


@dataclass(frozen=True)
class ItemResponse:
    """A fitted model.

    Attributes
    ----------
    nodes, weights : arrays, shape ``(K,)``
        Grid of ease and the share of items at each node.
    level, slope : arrays, shape ``(m,)``
        Log-odds of a right answer by answerer at ease 0, and their rise with ease.
    posterior : array, shape ``(N, K)``
        How probable each ease is for each item, given the answers to it.
    reliability : float
        Variance of the items' expected ease over that of their ease.
    """

    nodes: FloatArray
    weights: FloatArray
    level: FloatArray
    slope: FloatArray
    posterior: FloatArray = field(repr=False)
    reliability: float

    def posterior_of(self, right: ArrayLike, answerers: NDArray[np.bool_] | NDArray[np.int64]) -> FloatArray:
        """How probable each ease is for each item by the answers of some of the answerers, shape ``(N, K)``.

        Parameters
        ----------
        right : array of 0/1 with NaN where there is no answer, shape ``(m, N)``
            As given to :func:`item_response`.
        answerers : bool array or positions
            Whose answers count. Curves and the shares of items at each ease stay those of all answerers.
        """
        given = np.asarray(right, dtype=np.float64)[answerers]
        odds = self.level[answerers][:, None] + self.slope[answerers][:, None] * self.nodes
        joint = (given == 1).T @ log_expit(odds) + (given == 0).T @ log_expit(-odds) + np.log(self.weights)
        return np.asarray(softmax(joint, axis=1))


def item_response(right: ArrayLike) -> ItemResponse:
    """Fit the model to answers.

    Parameters
    ----------
    right : array of 0/1 with NaN where there is no answer, shape ``(m, N)``
        Answers of m answerers to N items.

    Returns
    -------
    ItemResponse

    Raises
    ------
    InputError
        No answerer, no item, or values other than 0, 1 and NaN.
    """
    given = np.asarray(right, dtype=np.float64)
    if given.ndim != 2 or 0 in given.shape:
        raise InputError(f"answers of shape (answerers, items) are wanted, got {np.shape(right)}")
    known = np.isfinite(given)
    if not np.isin(given[known], (0.0, 1.0)).all():
        raise InputError("answers must be 0, 1 or missing")
    hit, miss = np.where(known, given, 0.0), np.where(known, 1 - given, 0.0)
    rate = (hit.sum(axis=1) + 1) / (known.sum(axis=1) + 2)
    level, slope = np.log(rate / (1 - rate)), np.ones(len(given))
    weights = softmax(-(NODES**2) / 2)
    before = -np.inf
    posterior = np.empty((given.shape[1], NODES.size))
    for _ in range(_STEPS):
        odds = level[:, None] + slope[:, None] * NODES
        joint = hit.T @ log_expit(odds) + miss.T @ log_expit(-odds) + np.log(weights)
        each = logsumexp(joint, axis=1)
        posterior = np.exp(joint - each[:, None])
        weights = (posterior.sum(axis=0) + 0.1 * softmax(-(NODES**2) / 2)) / (len(posterior) + 0.1)
        level, slope = _better_curves(level, slope, hit @ posterior, miss @ posterior)
        total = float(each.sum())
        if total - before < _SMALL * len(posterior) / 100:
            break
        before = total
    mean = posterior @ NODES
    spread = posterior @ NODES**2 - mean**2
    return ItemResponse(
        NODES, weights, level, slope, posterior, float(mean.var() / (mean.var() + spread.mean()))
    )


def shares_given_ease(posterior: FloatArray, category: ArrayLike, n_categories: int) -> FloatArray:
    """How probable each category is at each ease, where the ease of an item is known up to a posterior.

    Parameters
    ----------
    posterior : array, shape ``(N, K)``
        Of :class:`ItemResponse`, from answers that do not include this category.
    category : int array, shape ``(N,)``
        0 ... n_categories - 1.
    n_categories : int

    Returns
    -------
    array, shape ``(K, n_categories)``
        Multinomial logits in ease and its square, by maximum likelihood with a weak prior. The error of
        reading ease is taken out: among items of posteriors q the category has the shares q times this.

    Raises
    ------
    InputError
        Categories outside their range, or of another length.
    """
    found = np.asarray(category, dtype=np.int64)
    if found.shape != (len(posterior),) or found.min() < 0 or found.max() >= n_categories:
        raise InputError(
            f"one category of 0 to {n_categories - 1} for each of {len(posterior)} items is wanted"
        )
    centre = float((posterior @ NODES).mean())
    x = NODES - centre
    bend = x**2 / 4
    columns = np.stack([np.ones_like(x), x, bend - bend.mean()], axis=1)
    beta = np.zeros((3, n_categories))
    held = np.bincount(found, minlength=n_categories)
    beta[0] = np.log(held + 0.5)
    penalty = 1 / np.array([_LEVEL_SD**2 * 4, _SLOPE_SD**2, _SLOPE_SD**2])
    members = np.zeros((len(found), n_categories))
    members[np.arange(len(found)), found] = 1.0
    before = -np.inf
    for _ in range(_STEPS):
        shares = softmax(columns @ beta, axis=1)
        joint = posterior * shares.T[found]
        each = joint.sum(axis=1)
        counts = (joint / each[:, None]).T @ members
        beta = _better_logits(beta, columns, counts, penalty)
        total = float(np.log(each).sum())
        if total - before < _SMALL:
            break
        before = total
    return np.asarray(softmax(columns @ beta, axis=1))


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


def _better_logits(
    beta: FloatArray, columns: FloatArray, counts: FloatArray, penalty: FloatArray
) -> FloatArray:
    """One step of Newton for multinomial logits, from expected counts of shape ``(K, L)``; halved if too far."""
    n_columns, n_categories = beta.shape
    trials = counts.sum(axis=1)

    def objective(b: FloatArray) -> float:
        odds = columns @ b
        return float(
            (counts * (odds - logsumexp(odds, axis=1, keepdims=True))).sum()
            - penalty @ (b**2).sum(axis=1) / 2
        )

    p = softmax(columns @ beta, axis=1)
    gradient = columns.T @ (counts - trials[:, None] * p) - penalty[:, None] * beta
    inner = trials[:, None, None] * (p[:, :, None] * np.eye(n_categories) - p[:, :, None] * p[:, None, :])
    curve = np.einsum("ka,kcd,kb->acbd", columns, inner, columns).reshape((beta.size, beta.size))
    curve[np.diag_indices(beta.size)] += np.repeat(penalty, n_categories)
    step = np.linalg.solve(curve, gradient.ravel()).reshape(n_columns, n_categories)
    now = objective(beta)
    for _ in range(20):
        if objective(beta + step) >= now - 1e-12:
            return np.asarray(beta + step)
        step = step / 2
    return beta
