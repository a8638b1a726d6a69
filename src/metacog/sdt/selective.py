"""Selective prediction: answer the most confident share of questions, abstain on the rest.

Trials of one confidence cannot be ordered, so every figure here is its *expected value* over a
random order of ties: within a tie of g trials with c correct, the first m hold m c / g correct.
The order of rows in a file never matters.

Abstention: answer where confidence reaches a threshold that other questions have set.

Two shares judge it (the AbstainQA task of Wang et al. 2025, RQ4). *R-Acc* is the accuracy among answered
questions. *A-Acc* is the share of decisions that were right: answered and right, or abstained and wrong. A
threshold chosen on the questions it is judged by would flatter both, so it is chosen on one half and judged
on the other, then the halves change places.

A-Acc alone says nothing of confidence: a model that is mostly right decides well by always answering, and one
that is mostly wrong by never answering. What confidence is worth is therefore A-Acc minus that of the better
*constant strategy*, answering all or abstaining from all, which is chosen on the other half too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, digamma

from metacog.sdt.checks import (
    FloatArray,
    InputError,
    as_correct,
    as_tables,
    as_trials,
    check_level,
    cluster_index,
    table_from_trials,
)
from metacog.sdt.intervals import clopper_pearson, effective_trials, wilson


@dataclass(frozen=True)
class Abstention:
    """Answers and abstentions at one threshold, or pooled over both halves.

    Attributes
    ----------
    threshold : float
        Confidence at or above which a question is answered; infinite if none is. NaN where pooled.
    r_acc : float
        Accuracy among answered; NaN if nothing was answered.
    a_acc : float
        Share of decisions that were right.
    coverage : float
        Share answered.
    accuracy : float
        Of all answers, had every question been answered.
    n, n_answered : int
    """

    threshold: float
    r_acc: float
    a_acc: float
    coverage: float
    accuracy: float
    n: int
    n_answered: int


@dataclass(frozen=True)
class HeldOut:
    """Abstention whose thresholds come from the other half.

    Attributes
    ----------
    pooled : Abstention
        Every question once, judged by the other half's threshold.
    halves : tuple of Abstention
        The first half judged by the second's threshold, and the other way round.
    constant : float
        A-Acc of the better constant strategy: every question answered where at least half of the other half's
        answers are right, none where they are not.
    seed : int or None
        Of the split.
    """

    pooled: Abstention
    halves: tuple[Abstention, Abstention]
    constant: float
    seed: int | None

    @property
    def gain(self) -> float:
        """A-Acc minus that of the better constant strategy: what confidence is worth."""
        return self.pooled.a_acc - self.constant


def choose_threshold(correct: ArrayLike, confidence: ArrayLike) -> float:
    """The threshold with the highest A-Acc; of equal ones the lowest, which answers most.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        Any scale; thresholds are its distinct values, and infinity, which answers nothing.

    Returns
    -------
    float

    Raises
    ------
    InputError
        Bad arrays.

    References
    ----------
    Wang et al. 2025 (AAAI), question 4: R-Acc is the accuracy among answered questions, A-Acc the share of right
    decisions.

    Examples
    --------
    >>> from metacog.sdt import choose_threshold
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> choose_threshold(correct, confidence)
    0.55
    """
    right, scores = as_trials(correct, confidence)
    levels, index = np.unique(scores, return_inverse=True)
    gain = np.bincount(index, weights=np.where(right, 1.0, -1.0), minlength=levels.size)
    # right decisions at threshold j: right answers at j and above, wrong ones below
    decided = np.append(np.cumsum(gain[::-1])[::-1], 0.0)
    best = int(np.argmax(decided))
    return float(levels[best]) if best < levels.size else float("inf")


def abstain_at(correct: ArrayLike, confidence: ArrayLike, threshold: float) -> Abstention:
    """Answer where ``confidence >= threshold``, and judge what comes of it.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
    threshold : float

    Returns
    -------
    Abstention

    Raises
    ------
    InputError
        Bad arrays, or a threshold that is NaN.

    References
    ----------
    Wang et al. 2025 (AAAI), question 4: R-Acc is the accuracy among answered questions, A-Acc the share of right
    decisions.

    Examples
    --------
    >>> from metacog.sdt import abstain_at
    >>> correct = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> confidence = [0.9, 0.8, 0.95, 0.4, 0.7, 0.75, 0.55, 0.3, 0.5, 0.85]
    >>> found = abstain_at(correct, confidence, threshold=0.6)
    >>> print(f"answers {found.coverage:.0%}, right in {found.r_acc:.0%} of them")
    answers 60%, right in 83% of them
    """
    right, scores = as_trials(correct, confidence)
    if np.isnan(threshold):
        raise InputError("threshold is NaN; choose one with choose_threshold")
    return _judged(right, scores >= threshold, float(threshold))


def abstain_held_out(
    correct: ArrayLike, confidence: ArrayLike, *, clusters: ArrayLike | None = None, seed: int | None = 42
) -> HeldOut:
    """Choose the threshold on one half of the questions and judge it on the other, both ways.

    Parameters
    ----------
    correct, confidence : arrays, shape ``(n,)``
    clusters : array of labels, shape ``(n,)``, optional
        Trials of one cluster (a question) stay in one half; each trial is its own cluster without it.
    seed : int
        Of the random halves.

    Returns
    -------
    HeldOut

    Raises
    ------
    InputError
        Bad arrays, or fewer than two questions.

    References
    ----------
    Wang et al. 2025 (AAAI), question 4: R-Acc is the accuracy among answered questions, A-Acc the share of right
    decisions.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import abstain_held_out
    >>> rng = np.random.default_rng(1)
    >>> correct = rng.random(400) < 0.6
    >>> confidence = rng.normal(correct, 1)
    >>> found = abstain_held_out(correct, confidence, seed=1)
    >>> print(f"{found.pooled.a_acc:.3f} of decisions right, {found.constant:.3f} without confidence")
    0.637 of decisions right, 0.615 without confidence
    """
    right, scores = as_trials(correct, confidence)
    index, first = cluster_halves(clusters, right.size, seed=seed)
    half = first[index]
    answered, always = np.zeros((2, right.size), dtype=bool)
    found = []
    for here in (half, ~half):
        threshold = choose_threshold(right[~here], scores[~here])
        answered[here], always[here] = scores[here] >= threshold, right[~here].mean() >= 0.5
        found.append(_judged(right[here], answered[here], threshold))
    pooled = _judged(right, answered, float("nan"))
    return HeldOut(pooled, (found[0], found[1]), float((right == always).mean()), seed)


@dataclass(frozen=True, eq=False)
class AbstentionDraws:
    """Shares of resampled questions, thresholds and constant strategies chosen again; arrays ``(B,)``."""

    r_acc: FloatArray
    a_acc: FloatArray
    coverage: FloatArray
    accuracy: FloatArray
    constant: FloatArray

    @property
    def gain(self) -> FloatArray:
        """A-Acc minus that of the better constant strategy."""
        return self.a_acc - self.constant


def resample_held_out(
    correct: ArrayLike,
    confidence: ArrayLike,
    clusters: ArrayLike,
    weights: ArrayLike,
    *,
    seed: int | None = 42,
) -> AbstentionDraws:
    """Abstention of resampled questions, the halves as in :func:`abstain_held_out`.

    ``weights`` ``(B, C)``: how often each cluster (sorted) is in each resample. A cluster stays in its half, so
    that no copy of it is judged by a threshold that it had a part in.
    """
    right, scores = as_trials(correct, confidence)
    index, half = cluster_halves(clusters, right.size, seed=seed)
    w = np.asarray(weights, dtype=np.float64)
    if w.ndim != 2 or w.shape[1] != half.size:
        raise InputError(f"weights must have shape (B, {half.size}), one column per question; got {w.shape}")
    levels, level = np.unique(scores, return_inverse=True)
    counts = np.zeros((2, half.size, levels.size))
    np.add.at(counts, (right.astype(np.int64), index, level), 1.0)
    answered, good, decided, constant = np.zeros((4, len(w)))
    for here in (half, ~half):
        wrong_here, right_here = (w[:, here] @ counts[i, here] for i in (0, 1))
        wrong_there, right_there = (w[:, ~here] @ counts[i, ~here] for i in (0, 1))
        sums = np.cumsum((right_there - wrong_there)[:, ::-1], axis=1)[:, ::-1]
        sums[wrong_there + right_there == 0] = -np.inf  # a value that the other half does not have
        best = np.append(sums, np.zeros((len(w), 1)), axis=1).argmax(axis=1)
        kept = np.arange(levels.size) >= best[:, None]
        hits, misses = (right_here * kept).sum(axis=1), (wrong_here * kept).sum(axis=1)
        good, answered = good + hits, answered + hits + misses
        decided = decided + hits + wrong_here.sum(axis=1) - misses
        always = right_there.sum(axis=1) >= wrong_there.sum(axis=1)
        constant += np.where(always, right_here.sum(axis=1), wrong_here.sum(axis=1))
    total = w @ counts.sum(axis=(0, 2))
    with np.errstate(invalid="ignore"):
        accuracy = w @ counts[1].sum(axis=1) / total
        return AbstentionDraws(good / answered, decided / total, answered / total, accuracy, constant / total)


def cluster_halves(
    clusters: ArrayLike | None, n: int, *, seed: int | None = 42
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Cluster of each trial, shape ``(n,)``, and which clusters are in the first half, shape ``(C,)``."""
    index = cluster_index(clusters, n)
    size = int(index.max(initial=-1)) + 1
    if size < 2:
        raise InputError("at least two clusters are needed to hold one half out")
    first = np.zeros(size, dtype=bool)
    first[np.random.default_rng(seed).permutation(size)[: size // 2]] = True
    return index, first


#: Thresholds that a promise is tested at: the surest twentieth of the answers, the surest two twentieths ...
STEPS = 20


@dataclass(frozen=True)
class Promise:
    """A threshold for a promised share of wrong answers, and what it does to answers it was not chosen on.

    Attributes
    ----------
    most_errors : float
        The share that is promised.
    threshold : float
        Confidence at or above which an answer is let through; infinite where the promise cannot be made.
    why : str
        Why it cannot be made; empty where it can.
    chosen_on : int
        Answers of the half that the threshold was chosen on.
    n, n_through, errors : int
        Answers of the other half, those let through, and the wrong ones among them.
    coverage, coverage_lower, coverage_upper : float
        Share of the other half that is let through, with Wilson's interval.
    error_rate, error_rate_lower, error_rate_upper : float
        Share of wrong answers among those let through, with the interval of Clopper and Pearson; NaN without any.
    """

    most_errors: float
    threshold: float
    why: str
    chosen_on: int
    n: int
    n_through: int
    errors: int
    coverage: float
    coverage_lower: float
    coverage_upper: float
    error_rate: float
    error_rate_lower: float
    error_rate_upper: float


def fewest_answers(most_errors: float, *, level: float = 0.95) -> int:
    """Answers, all of them right, that it takes to promise that no more than a share of answers is wrong.

    Parameters
    ----------
    most_errors : float
        The share, above 0 and below 1.
    level : float
        How often the promise is to be kept.

    Returns
    -------
    int
        The least n whose upper limit of Clopper and Pearson (1934, one-sided) without an error is the share.

    Examples
    --------
    >>> from metacog.sdt import fewest_answers
    >>> fewest_answers(0.05), fewest_answers(0.01)
    (59, 299)
    """
    _check_promise(most_errors)
    check_level(level)
    return int(np.ceil(np.log1p(-level) / np.log1p(-most_errors)))


def promised_threshold(
    correct: ArrayLike,
    confidence: ArrayLike,
    most_errors: float,
    *,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> tuple[float, str]:
    """The lowest threshold that is shown to let through no more than a share of wrong answers.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        On any scale; NaN where none was given, which no threshold lets through.
    most_errors : float
        Share of wrong answers among those let through, above 0 and below 1.
    clusters : array of labels, shape ``(n,)``, optional
        The question of each answer, where questions repeat.
    level : float
        How often the promise is to be kept.

    Returns
    -------
    threshold : float
        A confidence that occurs; infinite where none is shown to.
    why : str
        Why none is; empty where there is one.

    Raises
    ------
    InputError
        Bad arrays, a share outside (0, 1).

    Notes
    -----
    Thresholds that let through the surest 1/20, 2/20 ... of the answers are tried from the surest on, starting with
    the first that so many right answers could pass (:func:`fewest_answers`), up to the first at which the upper
    limit of Clopper and Pearson (1934, one-sided) lies above the share. Their order rests on confidence alone, so
    that all of them together err in no more than 1 - level (tests in a fixed sequence; for thresholds Angelopoulos
    et al. 2021, Learn then Test). Where questions repeat, answers count as many as they are worth (Kish 1965).

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import promised_threshold
    >>> rng = np.random.default_rng(1)
    >>> correct = rng.random(1000) < 0.8
    >>> confidence = rng.normal(2 * correct, 1)
    >>> threshold, why = promised_threshold(correct, confidence, 0.05)
    >>> through = confidence >= threshold
    >>> print(f"lets {through.mean():.0%} through, {1 - correct[through].mean():.1%} of them wrong")
    lets 55% through, 2.5% of them wrong
    """
    right, sure = _with_gaps(correct, confidence)
    _check_promise(most_errors)
    check_level(level)
    unit = cluster_index(clusters, right.size)
    known = np.isfinite(sure)
    wrong, sure, unit = ~right[known], sure[known], unit[known]
    if not wrong.size:
        return float("inf"), "no answer has a confidence"
    levels, at = np.unique(sure, return_inverse=True)
    passes = np.cumsum(np.bincount(at, minlength=levels.size)[::-1])
    shares = np.arange(1, STEPS + 1) / STEPS
    best, fewest = float("inf"), fewest_answers(most_errors, level=level)
    why = f"it takes {fewest:,} answers, all right; the half has {wrong.size:,} with confidence"
    for place in np.unique(np.searchsorted(passes, np.ceil(shares * sure.size - 1e-9))):
        threshold = float(levels[::-1][place])
        through = sure >= threshold
        if _worth(np.zeros(through.sum(), dtype=bool), unit[through]) < fewest:
            continue  # not even right answers alone could pass: it rests on confidence, not on who was right
        worth = _worth(wrong[through], unit[through])
        share = float(wrong[through].mean())
        limit = float(betaincinv(share * worth + 1, worth * (1 - share), level)) if share < 1 else 1.0
        if limit > most_errors:
            why = f"{share:.1%} of the {through.sum():,} surest are wrong; it could be {limit:.1%} in truth"
            break
        best = threshold
    return best, why if np.isinf(best) else ""


def promise_held_out(
    correct: ArrayLike,
    confidence: ArrayLike,
    most_errors: float,
    *,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    seed: int | None = 42,
) -> Promise:
    """Choose a threshold for a promised share of wrong answers on one half, and judge it on the other.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        On any scale; NaN where none was given, which no threshold lets through.
    most_errors : float
        Share of wrong answers among those let through, above 0 and below 1.
    clusters : array of labels, shape ``(n,)``, optional
        Answers of one cluster (a question) stay in one half.
    level : float
        How often the promise is to be kept.
    seed : int
        Of the halves.

    Returns
    -------
    Promise

    Raises
    ------
    InputError
        Bad arrays, a share outside (0, 1), or fewer than two clusters.

    Notes
    -----
    The rule is that of :func:`promised_threshold`; the other half's interval of the error rate is that of Clopper and
    Pearson (1934), that of the share let through Wilson's (1927).

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import promise_held_out
    >>> rng = np.random.default_rng(1)
    >>> correct = rng.random(2000) < 0.8
    >>> confidence = rng.normal(2 * correct, 1)
    >>> found = promise_held_out(correct, confidence, 0.05)
    >>> print(f"{found.coverage:.0%} let through, {found.error_rate:.1%} of them wrong")
    60% let through, 1.8% of them wrong
    """
    right, sure = _with_gaps(correct, confidence)
    unit, first = cluster_halves(clusters, right.size, seed=seed)
    half = first[unit]
    threshold, why = promised_threshold(
        right[half], sure[half], most_errors, clusters=unit[half], level=level
    )
    with np.errstate(invalid="ignore"):
        through = sure[~half] >= threshold
    here, wrong = unit[~half], ~right[~half][through]
    coverage, rate, ends = float(through.mean()), float("nan"), (float("nan"), float("nan"))
    low, high = wilson(coverage, _worth(through, here))
    if wrong.size:
        rate = float(wrong.mean())
        ends = clopper_pearson(rate, _worth(wrong, here[through]))
    counts = int(half.sum()), through.size, wrong.size, int(wrong.sum())
    return Promise(most_errors, threshold, why, *counts, coverage, float(low), float(high), rate, *ends)


def _worth(hits: NDArray[np.bool_], unit: NDArray[np.int64]) -> float:
    """How many independent answers those of clusters are worth."""
    return effective_trials(np.bincount(unit, weights=hits), np.bincount(unit))


def _check_promise(most_errors: float) -> None:
    if not 0 < most_errors < 1:
        raise InputError(f"a promised share of wrong answers lies between 0 and 1, not at {most_errors}")


def _with_gaps(correct: ArrayLike, confidence: ArrayLike) -> tuple[NDArray[np.bool_], FloatArray]:
    """Correctness, and confidence that may be missing."""
    right, sure = as_correct(correct), np.asarray(confidence, dtype=np.float64)
    if right.shape != sure.shape or np.isinf(sure).any():
        raise InputError("confidence must be finite, or NaN where there is none, one for each answer")
    return right, sure


def _judged(right: NDArray[np.bool_], answered: NDArray[np.bool_], threshold: float) -> Abstention:
    n = int(answered.sum())
    r_acc = float(right[answered].mean()) if n else float("nan")
    a_acc, coverage, accuracy = (float(shown.mean()) for shown in (right == answered, answered, right))
    return Abstention(threshold, r_acc, a_acc, coverage, accuracy, right.size, n)


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
