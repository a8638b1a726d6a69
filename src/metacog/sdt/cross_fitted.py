"""How probable a right answer is by several signals, each answer judged by a model fitted to other questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from ._ridge_logistic import fit_ridge_logistic
from ._signal_columns import nested_columns
from .checks import InputError
from .information_parts import N_DIVISIONS, checked_signals
from .tables import FloatArray, as_correct, cluster_index


@dataclass(frozen=True)
class CrossFitted:
    """Log-odds of a right answer by a smooth model of signals.

    Attributes
    ----------
    held_out : array, shape ``(n,)``
        By models fitted to other questions, the mean over :data:`metacog.sdt.information_parts.N_DIVISIONS`
        divisions. An answer has no part in its own.
    fitted : array, shape ``(n,)``
        By the model fitted to all answers.
    """

    held_out: FloatArray = field(repr=False)
    fitted: FloatArray = field(repr=False)

    @property
    def chance(self) -> FloatArray:
        """Probability of a right answer: the mean of the fitted and the held-out one.

        The fitted ones lie too near to the answers by what fitting costs, the held-out ones too far from them by as
        much, to first order (Efron 1986, JASA 81, 461-470).
        """
        return np.asarray((expit(self.held_out) + expit(self.fitted)) / 2)


def cross_fitted(
    correct: ArrayLike,
    signals: Mapping[str, ArrayLike],
    *,
    clusters: ArrayLike | None = None,
    n_folds: int = 10,
    seed: int = 42,
) -> CrossFitted:
    """How probable a right answer is by some signals.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    signals : mapping of str to array, shape ``(n,)`` or ``(n, k)``
    clusters : array of labels, shape ``(n,)``, optional
        The question of each trial, where questions repeat: all trials of one are held out together.
    n_folds : int
    seed : int
        Of the division into folds.

    Returns
    -------
    CrossFitted

    Raises
    ------
    InputError
        No signal, arrays of different length, values that are missing, fewer questions than folds.

    Notes
    -----
    The model is that of :func:`metacog.sdt.information_parts.information_parts`. Every fold has nearly the same share
    of right answers: otherwise the folds with more of them are judged by models fitted to fewer, and signals that say
    nothing order right answers below wrong ones.
    """
    hits = as_correct(correct)
    _, values = checked_signals(signals, hits.size)
    unit = cluster_index(clusters, hits.size)
    n_clusters = int(unit.max()) + 1
    if not 2 <= n_folds <= n_clusters:
        raise InputError(
            f"n_folds must lie between 2 and the number of clusters ({n_clusters}), got {n_folds}"
        )
    columns = nested_columns(values)
    x, penalty = columns.values, columns.penalty
    whole = fit_ridge_logistic(x, hits, penalty, np.ones(hits.size))
    rng = np.random.default_rng(seed)
    held_out = np.zeros(hits.size)
    for _ in range(N_DIVISIONS):
        fold = _even_folds(hits, unit, n_folds, rng)[unit]
        for k in range(n_folds):
            out = fold == k
            beta = fit_ridge_logistic(x[~out], hits[~out], penalty, np.ones(int((~out).sum())), start=whole)
            held_out[out] += x[out] @ beta / N_DIVISIONS
    return CrossFitted(held_out, x @ whole)


def _even_folds(
    hits: NDArray[np.bool_], unit: NDArray[np.int64], n_folds: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The fold of each unit; units of like share of right answers are dealt to all folds in turn."""
    share = np.bincount(unit, weights=hits) / np.bincount(unit)
    order = np.lexsort((rng.random(share.size), share))
    fold = np.empty(share.size, dtype=np.int64)
    for start in range(0, share.size, n_folds):
        some = order[start : start + n_folds]
        fold[some] = rng.permutation(n_folds)[: some.size]
    return fold
