"""Logistic regression with a ridge penalty, fitted to many subsets of the same trials."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from .tables import FloatArray

_STEPS = 60
_HALVINGS = 30
_SMALL = 1e-7  # fall of the objective in nats, over all trials, at which a fit has converged


def fit_ridge_logistic(
    columns: FloatArray,
    correct: NDArray[np.bool_],
    penalty: FloatArray,
    weights: FloatArray,
    *,
    start: FloatArray | None = None,
    offset: FloatArray | None = None,
) -> FloatArray:
    """Coefficients that minimise -sum w log p(y) + sum penalty beta^2 / 2, by Newton's method.

    Parameters
    ----------
    columns : array, shape ``(n, p)``
    correct : array of bool, shape ``(n,)``
    penalty : array, shape ``(p,)``
        Inverse variances of a Gaussian prior on each coefficient; 0 for the constant.
    weights : array, shape ``(n,)``
        Of the trials; 0 leaves one out.
    start : array, shape ``(p,)``, optional
    offset : array, shape ``(n,)``, optional
        Log-odds that are known and added to those of the columns.

    Returns
    -------
    array, shape ``(p,)``

    Notes
    -----
    The objective is convex; a step that raises it is halved, so that the iteration cannot diverge.
    """
    y = correct.astype(np.float64)
    beta = np.zeros(columns.shape[1]) if start is None else start.copy()
    known = np.zeros(len(columns)) if offset is None else offset
    value = _objective(beta, columns, y, penalty, weights, known)
    for _ in range(_STEPS):
        p = expit(columns @ beta + known)
        gradient = columns.T @ (weights * (p - y)) + penalty * beta
        curvature = (columns * (weights * p * (1 - p))[:, None]).T @ columns
        curvature[np.diag_indices_from(curvature)] += penalty + 1e-10
        step = np.linalg.solve(curvature, gradient)
        gain = float(gradient @ step)
        for _ in range(_HALVINGS):
            moved = beta - step
            new = _objective(moved, columns, y, penalty, weights, known)
            if new <= value:
                beta, value = moved, new
                break
            step = step / 2
        if gain < _SMALL:
            break
    return beta


def log_loss_bits(log_odds: FloatArray, correct: NDArray[np.bool_]) -> FloatArray:
    """-log2 of the probability given to what happened, for each trial."""
    return np.asarray(np.logaddexp(0.0, np.where(correct, -log_odds, log_odds))) / np.log(2.0)


def _objective(
    beta: FloatArray,
    columns: FloatArray,
    y: FloatArray,
    penalty: FloatArray,
    weights: FloatArray,
    offset: FloatArray,
) -> float:
    log_odds = columns @ beta + offset
    return float(weights @ (np.logaddexp(0.0, log_odds) - y * log_odds) + 0.5 * penalty @ beta**2)
