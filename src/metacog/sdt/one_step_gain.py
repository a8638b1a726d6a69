"""What columns add to a logistic model, by one step of Newton: fast enough for thousands of permutations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from metacog.sdt.checks import InputError
from metacog.sdt.information_parts import checked_signals, fit_ridge_logistic, nested_columns
from metacog.sdt.tables import FloatArray


class OneStepGain:
    """Gain of the last signal's columns over the model of the earlier ones, for many sets of answers.

    Parameters
    ----------
    correct : bool array, shape ``(n,)``
        The answers to which the model of the earlier signals is fitted. Other answers must leave its
        probabilities as they are, as permuting answers within strata does where earlier signals are constant; or
        the probabilities with which they were dealt are given to :meth:`bits`.
    signals : mapping of str to array, shape ``(n,)`` or ``(n, k)``
        The last is the one whose gain is wanted.
    n_folds : int
    seed : int
        Of the division into folds.

    Raises
    ------
    InputError
        Fewer than two signals, arrays of different length, values that are missing.

    Notes
    -----
    With efficient columns Z (their regression on the earlier ones, weighted by p (1 - p), taken out), score
    U = Z'(y - p) and information J = Z'WZ the gain of fitted answers is U'b - b'Jb/2 at b = (J + prior)^-1 U, and
    that of a fold held out the same with its own U, a J of its size and b from the others. The mean of both has
    mean near 0 where the columns say nothing, as :func:`metacog.sdt.information_parts.information_parts` has.
    """

    def __init__(
        self,
        correct: NDArray[np.bool_],
        signals: Mapping[str, ArrayLike],
        *,
        n_folds: int = 10,
        seed: int = 42,
    ) -> None:
        if len(signals) < 2:
            raise InputError("a gain over earlier signals needs at least two signals")
        columns = nested_columns(checked_signals(signals, correct.size)[1])
        first = columns.ends[-2]
        base, added = columns.values[:, :first], columns.values[:, first:]
        beta = fit_ridge_logistic(base, correct, columns.penalty[:first], np.ones(len(base)))
        self.p = expit(base @ beta)
        w = (self.p * (1 - self.p))[:, None]
        curve = base.T @ (w * base)
        curve[np.diag_indices_from(curve)] += columns.penalty[:first] + 1e-10
        self.z = added - base @ np.linalg.solve(curve, base.T @ (w * added))
        self.information = self.z.T @ (w * self.z)
        self.prior = np.diag(columns.penalty[first:])
        self.fold = np.random.default_rng(seed).permutation(len(base)) % n_folds
        self.n_folds = n_folds

    def bits(self, correct: NDArray[np.bool_], *, expected: FloatArray | None = None) -> FloatArray:
        """Mean gain in bits of each set of answers.

        Parameters
        ----------
        correct : bool array, shape ``(B, n)``
        expected : array, shape ``(n,)``, optional
            Probabilities with which the answers were dealt, where those are not the earlier signals' own, as in
            strata within which earlier signals vary.
        """
        n, k = correct.shape[1], self.n_folds
        gap = correct - (self.p if expected is None else expected)
        scores = np.stack(
            [gap[:, self.fold == f] @ self.z[self.fold == f] for f in range(k)]
        )  # (folds, B, columns)
        total = scores.sum(axis=0)
        whole = np.linalg.solve(self.information + self.prior, total.T).T
        fitted = _gain(total, whole, self.information)
        part = np.linalg.inv(self.information * (1 - 1 / k) + self.prior)
        held_out = sum(_gain(s, (total - s) @ part, self.information / k) for s in scores)
        return np.asarray((fitted + held_out) / (2 * n * np.log(2.0)))


def _gain(score: FloatArray, beta: FloatArray, information: FloatArray) -> FloatArray:
    return np.asarray((score * beta).sum(axis=1) - 0.5 * ((beta @ information) * beta).sum(axis=1))
