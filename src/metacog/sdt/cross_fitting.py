"""What several signals say of right and wrong, each answer judged by a model fitted to other questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.checks import FloatArray, InputError, as_correct
from metacog.sdt.information_parts import (
    N_DIVISIONS,
    checked_signals,
    fit_ridge_logistic,
    fits_without,
    fold_units,
    nested_columns,
    normal_scores,
)


@dataclass(frozen=True)
class CrossFitted:
    """What signals say of right and wrong by a smooth model, and what else they predict.

    Attributes
    ----------
    score : array, shape ``(n,)``
        Log-odds of a right answer, less those of an answer with mean columns, by models fitted to other questions; the
        mean over `metacog.sdt.information_parts.N_DIVISIONS` divisions. An answer has no part in its own.
    columns : array, shape ``(n, p)``
        The model's columns, the constant first.
    penalty : array, shape ``(p,)``
    folds : int array, shape ``(d, n)``
        The fold of each answer in each division.
    """

    score: FloatArray = field(repr=False)
    columns: FloatArray = field(repr=False)
    penalty: FloatArray = field(repr=False)
    folds: NDArray[np.int64] = field(repr=False)

    def unpredicted(self, values: ArrayLike) -> FloatArray:
        """What the signals do not predict of a number of each answer, such as its confidence.

        Parameters
        ----------
        values : array, shape ``(n,)``
            Only their order matters.

        Returns
        -------
        array, shape ``(n,)``
            Normal scores of the values less those that a ridge regression on other questions' answers expects, on the
            same columns and divisions as ``score``.
        """
        scores, x = normal_scores(np.asarray(values, dtype=np.float64)[:, None]), self.columns
        if not scores.size:
            raise InputError("all values are the same, so that there is nothing to predict")
        y, expected = scores[:, 0], np.zeros(len(scores))
        for fold in self.folds:
            for k in np.unique(fold):
                out = fold == k
                kept = x[~out]
                line = np.linalg.solve(kept.T @ kept + np.diag(self.penalty), kept.T @ y[~out])
                expected[out] += x[out] @ line / len(self.folds)
        return np.asarray(y - expected)


def cross_fitted(
    correct: ArrayLike,
    signals: Mapping[str, ArrayLike],
    *,
    clusters: ArrayLike | None = None,
    n_folds: int = 10,
    seed: int = 42,
) -> CrossFitted:
    """What signals say of right and wrong, each answer judged by models fitted to other questions.

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
    The model is that of :func:`information_parts`. Folds with more right answers are
    judged by models fitted to fewer, so that signals which say nothing would order right answers below wrong ones.
    Therefore the constants of these models are left out, and every fold has nearly the same share of right answers.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import auroc2, cross_fitted
    >>> rng = np.random.default_rng(1)
    >>> difficulty, own = rng.normal(size=(2, 400))
    >>> correct = difficulty + own + rng.normal(size=400) > 0
    >>> found = cross_fitted(correct, {"difficulty": difficulty, "own": own})
    >>> print(f"{auroc2(correct, difficulty):.2f} {auroc2(correct, found.score):.2f}")
    0.76 0.89
    """
    hits = as_correct(correct)
    _, values = checked_signals(signals, hits.size)
    unit, _ = fold_units(clusters, hits.size, n_folds)
    made = nested_columns(values)
    x, penalty = made.values, made.penalty
    whole = fit_ridge_logistic(x, hits, penalty, np.ones(hits.size))
    rng = np.random.default_rng(seed)
    folds = np.stack([even_folds(hits, unit, n_folds, rng)[unit] for _ in range(N_DIVISIONS)])
    score = np.zeros(hits.size)
    for fold in folds:
        betas = fits_without(x, hits, penalty, whole, fold == np.arange(n_folds)[:, None])
        score += np.einsum("np,np->n", x[:, 1:], betas[fold, 1:]) / N_DIVISIONS
    return CrossFitted(score, x, penalty, folds)


def even_folds(
    hits: NDArray[np.bool_], unit: NDArray[np.int64], n_folds: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The fold of each unit, shape ``(units,)``; units of like share of right answers are dealt to folds in turn."""
    share = np.bincount(unit, weights=hits) / np.bincount(unit)
    order = np.lexsort((rng.random(share.size), share))
    fold = np.empty(share.size, dtype=np.int64)
    for start in range(0, share.size, n_folds):
        some = order[start : start + n_folds]
        fold[some] = rng.permutation(n_folds)[: some.size]
    return fold


#: Folds of questions in which the readings of a question are combined.
N_FOLDS = 10
