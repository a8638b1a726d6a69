"""Abstention: answer where confidence reaches a threshold that other questions have set.

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

from metacog.sdt.checks import (
    FloatArray,
    InputError,
    as_trials,
    cluster_index,
)


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


def _judged(right: NDArray[np.bool_], answered: NDArray[np.bool_], threshold: float) -> Abstention:
    n = int(answered.sum())
    r_acc = float(right[answered].mean()) if n else float("nan")
    a_acc, coverage, accuracy = (float(shown.mean()) for shown in (right == answered, answered, right))
    return Abstention(threshold, r_acc, a_acc, coverage, accuracy, right.size, n)
