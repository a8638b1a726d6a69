"""What confidence says about a draw of an answer, and about its question, from several draws of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import expit, logit, ndtri, stdtrit

from metacog.sdt.checks import FloatArray, InputError, as_trials, check_level, cluster_index
from metacog.sdt.cross_fitting import N_FOLDS, even_folds
from metacog.sdt.information_parts import (
    LINE_SD,
    N_DIVISIONS,
    fit_ridge_logistic,
    fits_without,
    normal_scores,
)
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.type2 import auroc2_from_counts


@dataclass(frozen=True)
class RepeatedDraws:
    """AUROC2 within questions, and of draws with their own confidence and with what is known of their question.

    Attributes
    ----------
    within, within_lower, within_upper : float
        Chance that of a right and a wrong draw of the *same* question the right one has more confidence,
        ties one half; the mean over questions with both, each counted once however many draws it has.
    same_draw, same_draw_lower, same_draw_upper : float
        AUROC2 of all draws with their own confidence.
    other_draw, other_draw_lower, other_draw_upper : float
        The same where each draw has the confidence of one other draw of its question. ``same_draw`` exceeds it by
        this draw's luck and by the other's, whose confidence is the worse for it.
    question, question_lower, question_upper : float
        The same with the best reading of the question: the mean confidence of all its other draws, combined with
        ``reference`` where there is one.
    luck, luck_lower, luck_upper : float
        ``same_draw`` minus ``question``: what confidence says about the draw beyond its question. With endlessly many
        questions no less than the same with each question known exactly, since it is read with noise; below 0 where the
        draw's confidence is the noisier reading.
    usual, usual_lower, usual_upper : float
        Chance that of two *wrong* draws of one question, one of which more of the question's answers equal, that one
        has more confidence; the mean over questions with such a pair. One half where confidence reads the question,
        or right and wrong, but not how usual an answer is.
    alike, alike_lower, alike_upper : float
        The same of a right and a wrong draw of one question that equally many of its answers equal.
    gap, gap_lower, gap_upper : float
        ``usual`` minus ``alike``.
    counted, counted_lower, counted_upper : float
        AUROC2 of all draws by how many answers are the same.
    beyond, beyond_lower, beyond_upper : float
        ``same_draw`` minus ``counted``.
    n_questions, n_mixed, n_draws : int
        Questions with two draws or more, those of them with right and wrong draws, and their draws.
    n_single : int
        Questions with one draw, or none with a reading at the reference, which are left out.
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
    question: float
    question_lower: float
    question_upper: float
    luck: float
    luck_lower: float
    luck_upper: float
    usual: float
    usual_lower: float
    usual_upper: float
    alike: float
    alike_lower: float
    alike_upper: float
    gap: float
    gap_lower: float
    gap_upper: float
    counted: float
    counted_lower: float
    counted_upper: float
    beyond: float
    beyond_lower: float
    beyond_upper: float
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
    reference: ArrayLike | None = None,
    agreement: ArrayLike | None = None,
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
    reference : array, shape ``(n,)``, optional
        A reading of each draw's question that knows nothing of the draw, such as the confidence of the answer at a low
        temperature. Draws for which it is not finite are left out. Only the order matters.
    agreement : array, shape ``(n,)``, optional
        How many of the model's other answers to the question are the same answer, or what share. Without it
        ``usual``, ``alike``, ``gap``, ``counted`` and ``beyond`` are NaN.
    n_resamples, seed : int
        Of the bootstrap over questions, and of the division into folds.
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

    ``question`` orders draws by a logistic regression of right and wrong on the normal scores of the reference and the
    mean of those of the other draws: two coefficients with wide Gaussian priors, so that at 82 questions estimating
    them costs little. Ordered by coefficients that were fitted to the same questions the area is too large by that
    cost, by coefficients of other questions (`N_FOLDS` folds, as many divisions as
    `metacog.sdt.information_parts.N_DIVISIONS`) too small by as much, to first order; the mean of both is taken.
    With one reading there is nothing to fit.

    Intervals of areas and their differences are percentiles over resampled questions, with the coefficients kept: at
    the best combination an area does not move with them in first order. Those of ``within``, ``usual`` and ``alike``
    are t intervals over the questions with such pairs, on the logit scale; that of ``gap`` is a normal one, with the
    covariance over questions that have pairs of both kinds. How far all this misses at 82 and 400
    questions is in ``data/simulations/self_knowledge.csv`` (``benchmarks/self_knowledge.py``).

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import repeated_draws
    >>> rng = np.random.default_rng(1)
    >>> question = np.repeat(np.arange(100), 4)  # each of 100 questions drawn four times
    >>> chance = rng.normal(size=100)[question]
    >>> luck = rng.normal(size=400)
    >>> correct = chance + luck > 0
    >>> confidence = chance + 0.5 * luck + 0.5 * rng.normal(size=400)
    >>> found = repeated_draws(correct, confidence, question, n_resamples=300)
    >>> print(f"within questions {found.within:.2f}, all draws {found.same_draw:.2f}")
    within questions 0.89, all draws 0.91
    """
    hits, scores = as_trials(correct, confidence)
    unit = cluster_index(clusters, hits.size)
    check_level(level)
    read = _of_each_draw(reference, "reference", hits.size)
    same = _of_each_draw(agreement, "agreement", hits.size)
    if same is not None and not np.isfinite(same).all():
        raise InputError("agreement must hold a finite number for each draw")
    usable = np.isfinite(hits if read is None else read)
    size = np.bincount(unit, weights=usable)
    kept = usable & (size[unit] > 1)
    hits, scores = hits[kept], scores[kept]
    n_questions, n_single = int((size > 1).sum()), int((size <= 1).sum())
    if not n_questions:
        return _nothing(0, 0, n_single, level, "no question has two draws or more")
    unit = cluster_index(unit[kept], hits.size)
    if hits.all() or not hits.any():
        why = f"no {'wrong' if hits.all() else 'right'} draws"
        return _nothing(n_questions, hits.size, n_single, level, why)
    same = None if same is None else same[kept]
    within, limits, n_mixed, why = _mean_share(_shares(hits, scores, unit, n_questions), level)
    readings = _readings(hits, scores, unit, None if read is None else read[kept], seed)
    tables = [_own(hits, scores, unit), _others(hits, scores, unit)]
    tables += [_own(hits, known, unit) for known in readings]
    if same is not None:
        tables.append(_own(hits, same, unit))
    areas = partial(_areas, tables, counted=same is not None)
    n_cells = n_questions + sum(table.shape[1] for table in tables)
    drawn = np.concatenate(
        [areas(weights) for weights in weight_chunks(n_questions, n_resamples, seed, n_cells)]
    )
    ended = [
        _ends(float(found), values, n_resamples, level)
        for found, values in zip(areas(np.ones((1, n_questions)))[0], drawn.T, strict=True)
    ]
    if not why and np.isnan(ended[:4]).any():
        why = "resamples of the questions do not vary"
    pairs = [_NO_ENDS] * 3
    if same is not None:
        wrong = ~hits
        ranked = _shares(same[wrong], scores[wrong], unit[wrong], n_questions)
        equal = _shares(hits, scores, unit, n_questions, alike=same)
        usual, alike = _mean_share(ranked, level), _mean_share(equal, level)
        pairs = [(usual[0], *usual[1]), (alike[0], *alike[1]), _difference(ranked, equal, level)]
    ends = np.ravel([(within, *limits), *ended[:4], *pairs, *ended[4:]]).tolist()
    return RepeatedDraws(*ends, n_questions, n_mixed, int(hits.size), n_single, level, why)  # type: ignore[call-arg]


_NO_ENDS = (float("nan"),) * 3


def _of_each_draw(given: ArrayLike | None, name: str, n: int) -> FloatArray | None:
    values = None if given is None else np.asarray(given, dtype=np.float64)
    if values is not None and values.shape != (n,):
        raise InputError(f"{name} must hold one number for each of the {n} draws")
    return values


def mean_of_others(scores: FloatArray, unit: NDArray[np.int64]) -> FloatArray:
    """Mean normal score of the other draws of each draw's question, shape ``(n,)``; NaN where there is no other."""
    made = normal_scores(scores[:, None])
    own = made[:, 0] if made.shape[1] else np.zeros(scores.size)
    left, total = np.bincount(unit)[unit] - 1.0, np.bincount(unit, weights=own)[unit] - own
    return np.asarray(np.where(left > 0, total / np.where(left > 0, left, 1), np.nan))


def _ends(found: float, draws: FloatArray, n_resamples: int, level: float) -> tuple[float, float, float]:
    """An estimate with the percentiles of its draws; none where they do not vary or half are undefined."""
    usable = draws[np.isfinite(draws)]
    if 2 * usable.size <= n_resamples or np.ptp(usable) == 0:  # no spread is not no doubt
        return found, float("nan"), float("nan")
    return found, *percentile_limits(usable, level=level)


def _readings(
    hits: NDArray[np.bool_],
    scores: FloatArray,
    unit: NDArray[np.int64],
    reference: FloatArray | None,
    seed: int,
) -> list[FloatArray]:
    """What is known of each draw's question without the draw, by fits to all questions and to others'."""
    of_others = mean_of_others(scores, unit)
    columns = [of_others] if reference is None else [reference, of_others]
    x = normal_scores(np.stack(columns, axis=1))
    if x.shape[1] < 2:
        return [x[:, 0] if x.shape[1] else np.zeros(hits.size)]
    x = np.column_stack([x, np.ones(hits.size)])
    penalty = np.array([LINE_SD**-2] * 2 + [0.0])
    whole = fit_ridge_logistic(x, hits, penalty, np.ones(hits.size))
    held_out, rng = np.zeros(hits.size), np.random.default_rng(seed)
    for _ in range(N_DIVISIONS):
        fold = even_folds(hits, unit, N_FOLDS, rng)[unit]
        betas = fits_without(x, hits, penalty, whole, fold == np.arange(N_FOLDS)[:, None])
        # without the constant, which is low where the held-out draws are often right
        held_out += np.einsum("np,np->n", x[:, :2], betas[fold, :2])
    return [x[:, :2] @ whole[:2], held_out]


def _own(hits: NDArray[np.bool_], scores: FloatArray, unit: NDArray[np.int64]) -> sparse.csr_array:
    """What each question adds to wrong and right draws by a score of theirs, shape ``(questions, 2 levels)``."""
    levels, level = np.unique(scores, return_inverse=True)
    return _table(np.ones(hits.size), unit, level + levels.size * hits, levels.size)


def _others(hits: NDArray[np.bool_], scores: FloatArray, unit: NDArray[np.int64]) -> sparse.csr_array:
    """The same where each draw has the score of another draw of its question."""
    levels, level = np.unique(scores, return_inverse=True)
    n_right = np.bincount(unit, weights=hits)[unit]
    right = (n_right - hits) / (np.bincount(unit)[unit] - 1)
    columns = np.concatenate([level, level + levels.size])
    return _table(np.concatenate([1 - right, right]), np.tile(unit, 2), columns, levels.size)


def _table(
    entries: FloatArray, rows: NDArray[np.int64], columns: NDArray[np.int64], n_levels: int
) -> sparse.csr_array:
    shape = (int(rows.max()) + 1, 2 * n_levels)
    return sparse.csr_array(sparse.coo_array((entries, (rows, columns)), shape=shape))


def _areas(tables: list[sparse.csr_array], weights: FloatArray, *, counted: bool) -> FloatArray:
    """AUROC2 by own, another draw's, the question's confidence, own less the last; by counting, own less that.

    For B weightings, ``(B, 4)`` or, with what was ``counted``, ``(B, 6)``.
    """
    areas = []
    for table in tables:
        wrong, right = np.hsplit(np.asarray((table.T @ weights.T).T, dtype=np.float64), 2)
        areas.append(auroc2_from_counts(wrong, right))
    own, other, *readings = areas
    same = readings.pop() if counted else np.full_like(own, np.nan)
    question = np.mean(readings, axis=0)
    return np.stack([own, other, question, own - question, same, own - same], axis=1)


def _shares(
    rank: NDArray[Any],
    scores: FloatArray,
    unit: NDArray[np.int64],
    n_questions: int,
    *,
    alike: FloatArray | None = None,
) -> FloatArray:
    """Of each question the share of pairs in which the draw that ranks higher has the higher score; NaN without a pair.

    With ``alike``, of pairs of draws that are equal in it.
    """
    order = np.argsort(unit, kind="stable")
    rank, scores, unit = rank[order].astype(np.float64), scores[order], unit[order]
    equal = np.zeros(unit.size) if alike is None else alike[order]
    wins, pairs = np.zeros((2, n_questions))
    for lag in range(1, int(np.bincount(unit).max(initial=0))):
        one, two = np.arange(unit.size - lag), np.arange(lag, unit.size)
        counts = (unit[one] == unit[two]) & (rank[one] != rank[two]) & (equal[one] == equal[two])
        one, two = one[counts], two[counts]
        won = (1 + np.sign(rank[one] - rank[two]) * np.sign(scores[one] - scores[two])) / 2
        wins += np.bincount(unit[one], weights=won, minlength=n_questions)
        pairs += np.bincount(unit[one], minlength=n_questions)
    return np.asarray(np.where(pairs > 0, wins / np.where(pairs > 0, pairs, 1), np.nan))


def _mean_share(shares: FloatArray, level: float) -> tuple[float, tuple[float, float], int, str]:
    """Mean over questions with its interval, the questions with a pair, and why there is none."""
    values = shares[np.isfinite(shares)]
    if not values.size:
        return np.nan, (np.nan, np.nan), 0, "no question has right and wrong draws"
    mean = float(values.mean())
    if values.size < 2 or not 0 < mean < 1 or values.std() == 0:
        return mean, (np.nan, np.nan), values.size, "within questions the order of draws does not vary"
    se = float(values.std(ddof=1) / np.sqrt(values.size))
    room = float(stdtrit(values.size - 1, (1 + level) / 2)) * se / (mean * (1 - mean))
    return mean, (float(expit(logit(mean) - room)), float(expit(logit(mean) + room))), values.size, ""


def _difference(one: FloatArray, other: FloatArray, level: float) -> tuple[float, float, float]:
    """Difference of two means over questions, some of which are in both, with its interval."""
    here = np.isfinite([one, other])
    n = here.sum(axis=1)
    if n.min() < 2:
        return _NO_ENDS
    centred = np.where(here, [one, other], 0) - np.where(here, [[np.nanmean(one)], [np.nanmean(other)]], 0)
    of_each = centred[0] / n[0] - centred[1] / n[1]
    room = float(ndtri((1 + level) / 2) * np.sqrt((of_each**2).sum()))
    difference = float(np.nanmean(one) - np.nanmean(other))
    return difference, difference - room, difference + room


def _nothing(n_questions: int, n_draws: int, n_single: int, level: float, why: str) -> RepeatedDraws:
    return RepeatedDraws(*(float("nan"),) * 30, n_questions, 0, n_draws, n_single, level, why)
