"""What confidence says about a draw of an answer, and about its question, from several draws of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import expit, logit, stdtrit

from .checks import InputError
from .intervals import percentile_limits
from .resampling import weight_chunks
from .tables import FloatArray, as_correct, as_scores, cluster_index
from .type2 import auroc2_from_counts


@dataclass(frozen=True)
class RepeatedDraws:
    """AUROC2 within questions, and of draws with their own and with another draw's confidence.

    Attributes
    ----------
    within, within_lower, within_upper : float
        Chance that of a right and a wrong draw of the *same* question the right one has more confidence,
        ties one half; the mean over questions with both, each counted once however many draws it has.
    same_draw, same_draw_lower, same_draw_upper : float
        AUROC2 of all draws with their own confidence.
    other_draw, other_draw_lower, other_draw_upper : float
        The same where each draw has the confidence of another draw of its question.
    luck, luck_lower, luck_upper : float
        ``same_draw`` minus ``other_draw``: what confidence says about the draw beyond its question.
    n_questions, n_mixed, n_draws : int
        Questions with two draws or more, those of them with right and wrong draws, and their draws.
    n_single : int
        Questions with one draw, which are left out.
    level : float
    why : str
        Why something is missing (NaN); empty otherwise.
    """

    within: float
    within_lower: float
    within_upper: float
    same_draw: float
    same_draw_lower: float
    same_draw_upper: float
    other_draw: float
    other_draw_lower: float
    other_draw_upper: float
    luck: float
    luck_lower: float
    luck_upper: float
    n_questions: int
    n_mixed: int
    n_draws: int
    n_single: int
    level: float = 0.95
    why: str = ""


def repeated_draws(
    correct: ArrayLike,
    confidence: ArrayLike,
    clusters: ArrayLike,
    *,
    n_resamples: int = 2000,
    seed: int = 42,
    level: float = 0.95,
) -> RepeatedDraws:
    """What confidence says about single draws, beyond what it says about their questions.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
        Of draws from one model at one temperature.
    confidence : array, shape ``(n,)``
        Only the order matters.
    clusters : array of labels, shape ``(n,)``
        The question that each draw answers.
    n_resamples, seed : int
        Of the bootstrap over questions.
    level : float

    Returns
    -------
    RepeatedDraws

    Raises
    ------
    InputError
        Missing values, or arrays of different length.

    Notes
    -----
    ``other_draw`` takes all ordered pairs of different draws of a question, each pair weighing
    1/(m - 1) where a question has m draws, so that every draw weighs the same and nothing is drawn by lot.
    If the draws of a question differ in nothing but luck that confidence does not see, own and other
    confidence are exchangeable and ``luck`` is 0 on average. Intervals of ``same_draw``, ``other_draw`` and
    ``luck`` are percentiles over resampled questions; that of ``within`` is a t interval over the questions
    with both outcomes, on the logit scale.
    """
    hits = as_correct(correct)
    scores = as_scores(confidence, n=hits.size)
    unit = cluster_index(clusters, hits.size)
    if not 0 < level < 1:
        raise InputError(f"level must be between 0 and 1, got {level}")
    size = np.bincount(unit)
    kept = size[unit] > 1
    hits, scores = hits[kept], scores[kept]
    n_questions, n_single = int((size > 1).sum()), int((size == 1).sum())
    if not n_questions:
        return _nothing(0, 0, n_single, level, "no question has two draws or more")
    unit = cluster_index(unit[kept], hits.size)
    if hits.all() or not hits.any():
        why = f"no {'wrong' if hits.all() else 'right'} draws"
        return _nothing(n_questions, hits.size, n_single, level, why)
    share, limits, n_mixed, why = _within(hits, scores, unit, level)
    same, other = _tables(hits, scores, unit)
    point = _areas(same, other, np.ones((1, n_questions)))
    drawn = np.concatenate(
        [
            _areas(same, other, weights)
            for weights in weight_chunks(n_questions, n_resamples, seed, 2 * same.shape[1] + n_questions)
        ]
    )
    same_ends, other_ends, luck_ends = (
        _ends(float(found), values, n_resamples, level)
        for found, values in zip(point[0], drawn.T, strict=True)
    )
    if not why and np.isnan([*same_ends, *other_ends, *luck_ends]).any():
        why = "resamples of the questions do not vary"
    return RepeatedDraws(
        share,
        *limits,
        *same_ends,
        *other_ends,
        *luck_ends,
        n_questions,
        n_mixed,
        int(hits.size),
        n_single,
        level,
        why,
    )


def _ends(found: float, draws: FloatArray, n_resamples: int, level: float) -> tuple[float, float, float]:
    """An estimate with the percentiles of its draws; none where they do not vary or half are undefined."""
    usable = draws[np.isfinite(draws)]
    if 2 * usable.size <= n_resamples or np.ptp(usable) == 0:  # no spread is not no doubt
        return found, float("nan"), float("nan")
    return found, *percentile_limits(usable, level=level)


def _tables(
    hits: NDArray[np.bool_], scores: FloatArray, unit: NDArray[np.int64]
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """What each question adds to wrong and right draws by confidence: its own, and another draw's."""
    levels, level = np.unique(scores, return_inverse=True)
    shape = (int(unit.max()) + 1, 2 * levels.size)
    size = np.bincount(unit)[unit]
    n_right = np.bincount(unit, weights=hits)[unit]
    others_right = (n_right - hits) / (size - 1)
    same = sparse.coo_array((np.ones(hits.size), (unit, level + levels.size * hits)), shape=shape)
    other = sparse.coo_array(
        (
            np.concatenate([1 - others_right, others_right]),
            (np.tile(unit, 2), np.concatenate([level, level + levels.size])),
        ),
        shape=shape,
    )
    return sparse.csr_array(same), sparse.csr_array(other)


def _areas(same: sparse.csr_array, other: sparse.csr_array, weights: FloatArray) -> FloatArray:
    """AUROC2 with own confidence, with another draw's, and the difference, for B weightings; ``(B, 3)``."""
    areas = []
    for table in (same, other):
        wrong, right = np.hsplit(np.asarray((table.T @ weights.T).T, dtype=np.float64), 2)
        areas.append(auroc2_from_counts(wrong, right))
    return np.stack([*areas, areas[0] - areas[1]], axis=1)


def _within(
    hits: NDArray[np.bool_], scores: FloatArray, unit: NDArray[np.int64], level: float
) -> tuple[float, tuple[float, float], int, str]:
    """Mean over questions of the share of rightly ordered pairs; its interval; questions with both; why."""
    place = np.unique(scores, return_inverse=True)[1]
    order = np.lexsort((place, unit))
    unit, place, hits = unit[order], place[order], hits[order]
    n_right = np.bincount(unit, weights=hits)
    n_wrong = np.bincount(unit, weights=~hits)
    # groups of equal confidence within a question, lowest first
    group = np.cumsum(np.r_[False, (np.diff(unit) > 0) | (np.diff(place) > 0)])
    wrong, right = np.bincount(group, weights=~hits), np.bincount(group, weights=hits)
    of_group = unit[np.r_[True, np.diff(group) > 0]]
    before = np.cumsum(n_wrong) - n_wrong
    below = np.cumsum(wrong) - wrong - before[of_group]
    wins = np.bincount(of_group, weights=right * (below + wrong / 2))
    mixed = (n_right > 0) & (n_wrong > 0)
    values = wins[mixed] / (n_right * n_wrong)[mixed]
    nan = float("nan")
    if not values.size:
        return nan, (nan, nan), 0, "no question has right and wrong draws"
    mean = float(values.mean())
    if values.size < 2 or not 0 < mean < 1 or values.std() == 0:
        return mean, (nan, nan), values.size, "within questions the order of draws does not vary"
    se = float(values.std(ddof=1) / np.sqrt(values.size))
    room = float(stdtrit(values.size - 1, (1 + level) / 2)) * se / (mean * (1 - mean))
    return mean, (float(expit(logit(mean) - room)), float(expit(logit(mean) + room))), values.size, ""


def _nothing(n_questions: int, n_draws: int, n_single: int, level: float, why: str) -> RepeatedDraws:
    return RepeatedDraws(*(float("nan"),) * 12, n_questions, 0, n_draws, n_single, level, why)
