"""Selective prediction: answer the most confident share of questions, abstain on the rest.

Trials of one confidence cannot be ordered, so every figure here is its *expected value* over a
random order of ties: within a tie of g trials with c correct, the first m hold m c / g correct.
The order of rows in a file never matters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma

from metacog.sdt.checks import (
    FloatArray,
    InputError,
    as_tables,
    table_from_trials,
)


@dataclass(frozen=True)
class RiskCoverage:
    """Risk-coverage curve and its area.

    Attributes
    ----------
    coverage, risk : arrays, shape ``(n,)``
        Risk (share wrong) among the ``coverage * n`` most confident trials, at 1/n, 2/n ... 1.
    aurc : float
        Mean of ``risk`` (Geifman & El-Yaniv 2017; Geifman, Uziel & El-Yaniv 2019).
    e_aurc : float
        ``aurc`` minus that of an oracle that ranks every correct trial first.
    oracle_aurc, full_risk : float
        The oracle's area, and the risk at full coverage, which is also the area of random ranking.
    n_ties : int
        Trials that share their confidence with another.
    """

    coverage: FloatArray
    risk: FloatArray
    aurc: float
    e_aurc: float
    oracle_aurc: float
    full_risk: float
    n_ties: int


def accuracy_coverage_from_counts(nR_S1: ArrayLike, nR_S2: ArrayLike, coverage: ArrayLike) -> FloatArray:
    """Accuracy among the most confident ``coverage`` of trials, from type-2 tables ``(..., L)``, lowest rating first.

    ``coverage * n`` trials are answered, a fraction of a trial counting as that fraction. Shape ``(...)`` for
    one coverage, ``(..., m)`` for several; NaN for empty tables.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    shares = np.atleast_1d(np.asarray(coverage, dtype=np.float64))
    if not ((shares > 0) & (shares <= 1)).all():
        raise InputError("coverage must lie in (0, 1]")
    total = (incorrect + correct)[..., ::-1]
    before = np.cumsum(total, axis=-1) - total
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = np.where(total > 0, correct[..., ::-1] / total, 0.0)
        wanted = shares[:, None] * total.sum(axis=-1)[..., None, None]
        taken = np.clip(wanted - before[..., None, :], 0.0, total[..., None, :])
        result = (taken * rate[..., None, :]).sum(axis=-1) / wanted[..., 0]
    return result if np.ndim(coverage) else result[..., 0]


def accuracy_coverage(correct: ArrayLike, confidence: ArrayLike, coverage: float | ArrayLike) -> FloatArray:
    """Accuracy among the most confident ``coverage`` of trials, expected over random tie order.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
    coverage : float or array of shape ``(m,)``

    Returns
    -------
    0-d array for one coverage (use ``float()``), else shape ``(m,)``.

    References
    ----------
    Geifman & El-Yaniv (2017): 1 less the selective risk at a coverage.

    Examples
    --------
    >>> from metacog.sdt import accuracy_coverage
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> accuracy_coverage(correct, confidence, [0.5, 1.0])
    array([0.8, 0.6])
    """
    incorrect, hits, _ = table_from_trials(correct, confidence)
    return np.asarray(accuracy_coverage_from_counts(incorrect, hits, coverage))


def aurc_from_counts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Area under the risk-coverage curve of type-2 tables, shape ``(...)``.

    Within a rating of g trials, e of them wrong, after a trials with E wrong, the expected risk at
    a + j is (E + j e/g)/(a + j); summed over j with harmonic numbers.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    wrong = incorrect[..., ::-1]
    total = (incorrect + correct)[..., ::-1]
    after = np.cumsum(total, axis=-1)
    before = after - total
    wrong_before = np.cumsum(wrong, axis=-1) - wrong
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = np.where(total > 0, wrong / total, 0.0)
        harmonic = digamma(after + 1) - digamma(before + 1)
        area = ((wrong_before - rate * before) * harmonic + rate * total).sum(axis=-1)
        return area / after[..., -1]


def risk_coverage_from_counts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> RiskCoverage:
    """Risk-coverage curve of one type-2 table of whole counts, lowest rating first."""
    incorrect, correct = as_tables(nR_S1, nR_S2)
    total = incorrect + correct
    if incorrect.ndim != 1 or total.sum() < 1 or not np.equal(np.floor(total), total).all():
        raise InputError("one table of shape (L,) with whole counts and at least one trial is wanted")
    n, n_wrong = int(total.sum()), float(incorrect.sum())
    ranks = np.arange(1, n + 1)
    taken, wrong = (np.concatenate([[0.0], np.cumsum(table[::-1])]) for table in (total, incorrect))
    risk = np.interp(ranks, taken, wrong) / ranks
    aurc = float(risk.mean())
    oracle = float((np.maximum(ranks - (n - n_wrong), 0.0) / ranks).mean())
    return RiskCoverage(
        coverage=ranks / n,
        risk=risk,
        aurc=aurc,
        e_aurc=aurc - oracle,
        oracle_aurc=oracle,
        full_risk=n_wrong / n,
        n_ties=int(total[total > 1].sum()),
    )


def risk_coverage(correct: ArrayLike, confidence: ArrayLike) -> RiskCoverage:
    """Risk-coverage curve from trials, expected over random tie order.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        Any scale; only the order matters.

    Returns
    -------
    RiskCoverage

    References
    ----------
    Geifman & El-Yaniv (2017); Geifman, Uziel & El-Yaniv (2019) for E-AURC.

    Examples
    --------
    >>> from metacog.sdt import risk_coverage
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> curve = risk_coverage(correct, confidence)
    >>> print(f"AURC {curve.aurc:.3f}, of an oracle {curve.oracle_aurc:.3f}")
    AURC 0.149, of an oracle 0.113
    """
    incorrect, hits, _ = table_from_trials(correct, confidence)
    return risk_coverage_from_counts(incorrect, hits)
