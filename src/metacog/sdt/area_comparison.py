"""AUROC2 of many confidences against many sets of answers to the same items, under weights of the items.

Confidence takes few distinct values, so an item adds to one level of each confidence. Two sparse products
make the counts by level of all pairs in thousands of resamples at once, and an area is a running sum over
levels. Only wrong and missing answers need a product of pairs; right ones are what is left.

Do the AUROC2 of two sets of few, different answers differ?

Each area has its own questions and its own scale of confidence. An area asks only for the order of
confidence, so that a scale of ten and one of a hundred can be compared by it. The intervals are made for a
dozen answers a set, with few right or wrong ones, where those from placement values
(:mod:`metacog.sdt.type2`) are much too wide or do not exist, as for an area of 1.

Weighted sums of several AUROC2 on the same questions, with an interval.

Each area has its own answers (right or wrong) and its own confidence: two models, two temperatures, a
draw's confidence against its question's. What they share is the questions, so their errors go together.
An area moves with one question by the placement value of its answer (DeLong, DeLong & Clarke-Pearson
1988, Biometrics 44, 837-845); the variance of a weighted sum of areas is that of the weighted sum of
these moves over questions.

Two models on the same questions: does confidence fit a model's own answers better than the other's?

AUROC2 of many confidences against many sets of answers to the same items, under weights of the items.

Confidence takes few distinct values, so an item adds to one level of each confidence. Two sparse products
make the counts by level of all pairs in thousands of resamples at once, and an area is a running sum over
levels. Only wrong and missing answers need a product of pairs; right ones are what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.optimize import brentq
from scipy.special import stdtr, stdtrit

from metacog.sdt.checks import FloatArray, InputError, as_correct, as_scores, check_level
from metacog.sdt.intervals import Interval
from metacog.sdt.type2 import TIED, auroc2, placement_values

_NEAR = 1e-9


@dataclass(frozen=True)
class AreaDifference:
    """AUROC2 of two independent sets of answers, and A minus B.

    Attributes
    ----------
    a, b : Interval
    difference, lower, upper : float
        The limits are NaN where an area has no interval.
    why : str
        Why there is no interval; empty where there is one.
    """

    a: Interval
    b: Interval
    difference: float
    lower: float
    upper: float
    why: str = ""


def auroc2_score_interval(correct: ArrayLike, confidence: ArrayLike, *, level: float = 0.95) -> Interval:
    """AUROC2 with a score-type interval that also holds for few answers and at an area of 0 or 1.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        Only the order matters; ties count one half.
    level : float

    Returns
    -------
    Interval

    Raises
    ------
    InputError
        Missing values, one class only, arrays of different length, or a level outside 0 to 1.

    Notes
    -----
    All areas t with ``|A - t| <= q sqrt(V(t))``, where V is Hanley & McNeil's (1982) variance with both
    group sizes in its products set to their mean: method 5 of Newcombe (2006, Statistics in Medicine 25,
    559-573), but with q of Student's t with n - 2 degrees of freedom. With the normal q the difference of
    two such areas excludes 0 in 6 % of simulated pairs of 24 and 12 answers without self-knowledge, with t in
    3 %. V is that of untied confidence, so that ties make the interval too wide, never too narrow.

    Examples
    --------
    >>> from metacog.sdt import auroc2_score_interval
    >>> correct = [1, 1, 1, 1, 0, 0]
    >>> confidence = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> found = auroc2_score_interval(correct, confidence)
    >>> print(f"{found.estimate:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    1.00 [0.31, 1.00]
    """
    check_level(level)
    hits = as_correct(correct)
    scores = as_scores(confidence, n=hits.size)
    area, right = auroc2(hits, scores), int(hits.sum())
    if np.ptp(scores) == 0:
        return Interval(area, np.nan, np.nan, level, reason=TIED)
    if hits.size < 3:
        return Interval(area, np.nan, np.nan, level, reason="fewer than three answers")
    q = float(stdtrit(hits.size - 2, 0.5 + level / 2))

    def beyond(t: float) -> float:
        return (area - t) ** 2 - q**2 * _variance(t, right, hits.size - right)

    inner = min(max(area, _NEAR), 1 - _NEAR)  # at 0 and 1 V vanishes: those are roots, but no limits
    lower = 0.0 if area == 0 else float(brentq(beyond, 0.0, inner))
    upper = 1.0 if area == 1 else float(brentq(beyond, inner, 1.0))
    se = float(np.sqrt(_variance(area, right, hits.size - right)))
    return Interval(area, lower, upper, level, se)


def _variance(area: float, right: int, wrong: int) -> float:
    times = (right + wrong) / 2 - 1
    products = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) / (right * wrong) * (1 + times * products)


def compare_areas(
    correct_a: ArrayLike,
    confidence_a: ArrayLike,
    correct_b: ArrayLike,
    confidence_b: ArrayLike,
    *,
    level: float = 0.95,
) -> AreaDifference:
    """AUROC2 of A minus that of B, on different answers.

    Parameters
    ----------
    correct_a, confidence_a : arrays, shape ``(n,)``
    correct_b, confidence_b : arrays, shape ``(m,)``
    level : float

    Returns
    -------
    AreaDifference
        A less B.

    Raises
    ------
    InputError
        As :func:`auroc2_score_interval`.

    Notes
    -----
    The limits put those of the two areas together by their squared distances from the estimates (Zou &
    Donner 2008, Statistics in Medicine 27, 1693-1702), which keeps their lopsidedness.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import compare_areas
    >>> rng = np.random.default_rng(1)
    >>> correct_a, correct_b = rng.random(40) < 0.6, rng.random(30) < 0.4
    >>> confidence_a, confidence_b = rng.normal(2 * correct_a, 1), rng.normal(correct_b, 1)
    >>> found = compare_areas(correct_a, confidence_a, correct_b, confidence_b)
    >>> print(f"{found.difference:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    0.09 [-0.10, 0.33]
    """
    a, b = (
        auroc2_score_interval(right, sure, level=level)
        for right, sure in ((correct_a, confidence_a), (correct_b, confidence_b))
    )
    gap = a.estimate - b.estimate
    low = float(np.hypot(a.estimate - a.lower, b.upper - b.estimate))
    high = float(np.hypot(a.upper - a.estimate, b.estimate - b.lower))
    return AreaDifference(a, b, gap, gap - low, gap + high, a.reason or b.reason)


#: Fewer answers of a class than this carry no interval.
MIN_OF_CLASS = 10


@dataclass(frozen=True)
class AreaContrast:
    """A weighted sum of areas.

    Attributes
    ----------
    areas : tuple of float
        AUROC2 of each part; NaN where a part has one class only.
    value, se, lower, upper : float
        Of the sum; NaN where ``why`` says something (``value`` only where an area is undefined).
    df : float
        Degrees of freedom of the interval.
    n : int
        Questions.
    why : str
        Why there is no interval; empty where there is one.
    """

    areas: tuple[float, ...]
    value: float
    se: float
    lower: float
    upper: float
    df: float
    n: int
    why: str = ""


def area_contrast(
    correct: Sequence[ArrayLike],
    confidence: Sequence[ArrayLike],
    weights: Sequence[float],
    *,
    level: float = 0.95,
) -> AreaContrast:
    """A weighted sum of AUROC2, all on the same questions.

    Parameters
    ----------
    correct : sequence of arrays of 0/1, each of shape ``(n,)``
        Answers of each area, one a question, questions in one order.
    confidence : sequence of arrays, each of shape ``(n,)``
    weights : sequence of float
        Of each area; (1, -1) is a difference.
    level : float

    Raises
    ------
    InputError
        Missing values, arrays of different length, or not as many of the three.

    Notes
    -----
    The interval is value +- t se with as many degrees of freedom as the smallest class of any area has
    answers, less one, which errs on the wide side.
    """
    if not len(correct) == len(confidence) == len(weights) > 0:
        raise InputError("as many arrays of answers, arrays of confidence and weights are wanted")
    answers = [as_correct(c) for c in correct]
    n = answers[0].size
    check_level(level)
    scores = [as_scores(c, n=n) for c in confidence]
    if any(a.size != n for a in answers):
        raise InputError("all areas are of the same questions: arrays of one length are wanted")
    none = (np.nan,) * 4
    small = min(min(int(a.sum()), int((~a).sum())) for a in answers)
    if small == 0:
        areas = tuple(
            float(placement_values(a, s)[a].mean()) if 0 < a.sum() < n else np.nan
            for a, s in zip(answers, scores, strict=True)
        )
        return AreaContrast(areas, np.nan, *none, n, "answers of one class only")
    moved = np.zeros(n)
    areas = ()
    for hits, score, weight in zip(answers, scores, weights, strict=True):
        area, moves = _moves(hits, score)
        areas = (*areas, area)
        moved += weight * moves
    value = float(np.dot(weights, areas))
    if small < MIN_OF_CLASS:
        return AreaContrast(areas, value, *none, n, f"fewer than {MIN_OF_CLASS} right or wrong answers")
    se = float(np.sqrt(n / (n - 1) * np.square(moved).sum()))
    if not se > 1e-12:
        return AreaContrast(areas, value, *none, n, "no spread over questions")
    half = float(stdtrit(small - 1, (1 + level) / 2)) * se
    return AreaContrast(areas, value, se, value - half, value + half, small - 1, n)


def _moves(hits: NDArray[np.bool_], score: FloatArray) -> tuple[float, FloatArray]:
    """An area, and what each question adds to its deviation from the truth, in first order."""
    placed = placement_values(hits, score)
    area = float(placed[hits].mean())
    share = np.where(hits, 1 / hits.sum(), 1 / (~hits).sum())
    return area, (placed - area) * share


def areas_and_moves(correct: ArrayLike, confidence: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Areas of one confidence against several sets of answers, and how each moves with the weight of each item.

    Parameters
    ----------
    correct : array of 0, 1 and NaN, shape ``(K, N)``
    confidence : array, shape ``(N,)``
        Only the order matters; ties count one half. NaN where there is none.

    Returns
    -------
    areas : array, shape ``(K,)``
        NaN with answers of one class only.
    moves : array, shape ``(K, N)``
        The derivative at equal weights, 0 where there is no answer or no confidence: the area of items of weights w is,
        to first order, ``areas + moves @ (w - 1)``.
    """
    marks, scores = np.asarray(correct, dtype=np.float64), np.asarray(confidence, dtype=np.float64)
    there = np.isfinite(scores)
    given = marks if there.all() else marks[:, there]
    level = np.unique(scores[there], return_inverse=True)[1]
    n_levels = int(level.max(initial=0)) + 1
    sides = given == 1, given == 0
    right, wrong = (
        np.array([np.bincount(level[one], minlength=n_levels) for one in side], dtype=np.float64)
        for side in sides
    )
    n_right, n_wrong = (side.sum(axis=1, keepdims=True) for side in (right, wrong))
    with np.errstate(invalid="ignore"):
        below = (np.cumsum(wrong, axis=1) - 0.5 * wrong) / n_wrong
        above = (n_right - np.cumsum(right, axis=1) + 0.5 * right) / n_right
        areas = (right * below).sum(axis=1, keepdims=True) / n_right
        of_right, of_wrong = (below - areas) / n_right, (above - areas) / n_wrong
    known = np.isfinite(areas)
    moved = np.where(
        sides[0], np.where(known, of_right, 0.0)[:, level], np.where(known, of_wrong, 0.0)[:, level]
    )
    moved *= sides[0] | sides[1]
    if given is marks:
        return areas[:, 0], moved
    moves = np.zeros(marks.shape)
    moves[:, there] = moved
    return areas[:, 0], moves


#: Sign of each area in the crossing: A's confidence on A's answers, B's on A's, B's on B's, A's on B's.
SIGNS = (0.5, -0.5, 0.5, -0.5)
#: Such a model is no reader of anything, so that only one model's difference would be left.
SAME = "one of the models has the same confidence throughout"


@dataclass(frozen=True)
class Crossing:
    """How much better two models' confidence orders their own answers than each other's, on average.

    Attributes
    ----------
    value, se, lower, upper, p_value, level : float
        Of the crossing; all but ``value`` are NaN where ``why`` says something.
    a_by_a, a_by_b : float
        AUROC2 of A's and of B's confidence for A's answers.
    b_by_b, b_by_a : float
        AUROC2 of B's and of A's confidence for B's answers.
    n : int
        Questions.
    why : str
        Why there is no value or no interval; empty otherwise.
    """

    value: float
    se: float
    lower: float
    upper: float
    p_value: float
    a_by_a: float
    a_by_b: float
    b_by_b: float
    b_by_a: float
    n: int
    level: float = 0.95
    why: str = ""

    @property
    def lead(self) -> float:
        """How much better A's confidence orders the answers of both than B's does, on average; NaN if unknown."""
        return (self.a_by_a - self.a_by_b + self.b_by_a - self.b_by_b) / 2


def crossing(
    correct_a: ArrayLike,
    confidence_a: ArrayLike,
    correct_b: ArrayLike,
    confidence_b: ArrayLike,
    *,
    level: float = 0.95,
) -> Crossing:
    """Half of [AUROC2(A on A) - AUROC2(B on A)] + [AUROC2(B on B) - AUROC2(A on B)], on the same questions.

    Parameters
    ----------
    correct_a, correct_b : arrays of 0/1, shape ``(n,)``
        Of the same questions in the same order.
    confidence_a, confidence_b : arrays, shape ``(n,)``
        Only the order matters; ties count one half.
    level : float

    Returns
    -------
    Crossing

    Raises
    ------
    InputError
        Arrays of different length, values that are missing.

    Notes
    -----
    One model's difference also holds how well the other reads a difficulty that both see: of two readers
    with unequal noise the better one is ahead on its own answers without knowing itself. It is ahead on
    the other's answers by as much, so that the crossing is 0 if both models' answers depend on the
    difficulty alike. If they do not, it is not: the better reader gains more where answers depend more on the
    difficulty. With noise of .4 and 1.4, where difficulty has 1, log-odds that fall three times as fast in the
    better reader give a crossing of +.036, and its 95 % interval lies above 0 in nearly all runs of 1,304
    questions. What such a pair may reach is in `data/simulations/crossing_bound.csv`.

    The interval is that of `area_contrast`.

    References
    ----------
    The interval is that of DeLong, DeLong & Clarke-Pearson (1988), of a weighted sum of areas.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import crossing
    >>> rng = np.random.default_rng(1)
    >>> difficulty = rng.normal(size=600)
    >>> luck_a, luck_b = rng.normal(size=(2, 600))  # what each model alone knows
    >>> correct_a, correct_b = difficulty + luck_a > 0, difficulty + luck_b > 0
    >>> confidence_a, confidence_b = difficulty + 0.5 * luck_a, difficulty + 0.5 * luck_b
    >>> found = crossing(correct_a, confidence_a, correct_b, confidence_b)
    >>> print(f"{found.value:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    0.20 [0.17, 0.23]
    """
    found = area_contrast(
        [correct_a, correct_a, correct_b, correct_b],
        [confidence_a, confidence_b, confidence_b, confidence_a],
        SIGNS,
        level=level,
    )
    why = found.why or (SAME if min(np.ptp(c) for c in (confidence_a, confidence_b)) == 0 else "")
    if why:
        found = replace(found, se=np.nan, lower=np.nan, upper=np.nan, why=why)
    p_value = float(2 * stdtr(found.df, -abs(found.value) / found.se))
    a_by_a, a_by_b, b_by_b, b_by_a = found.areas
    return Crossing(
        found.value,
        found.se,
        found.lower,
        found.upper,
        p_value,
        a_by_a,
        a_by_b,
        b_by_b,
        b_by_a,
        found.n,
        level,
        found.why,
    )


#: Permutations counted at a time: their counts stay in the processor's cache.
_FEW = 16


@dataclass(frozen=True)
class CrossAreas:
    """Counts by level, ready to be weighted.

    Attributes
    ----------
    starts : int array, shape ``(M + 1,)``
        Where the levels of each confidence begin; the last is their number L.
    level : int array, shape ``(M, N)``
        Level of each item's confidence, counted through all confidences; -1 where there is none.
    total : sparse array, shape ``(L, N)``
    wrong, missing : sparse arrays, shape ``(L K, N)``
        Items of a level whose answer in column k is wrong, or is not there.
    n_right, n_wrong : int arrays, shape ``(M, K)``
        Items with a confidence and a right, or a wrong, answer.
    """

    starts: NDArray[np.int64]
    level: NDArray[np.int64]
    total: sparse.csr_array
    wrong: sparse.csr_array
    missing: sparse.csr_array
    n_right: NDArray[np.int64]
    n_wrong: NDArray[np.int64]

    @classmethod
    def of(cls, correct: ArrayLike, confidence: ArrayLike) -> CrossAreas:
        """Sort items into levels.

        Parameters
        ----------
        correct : array of 0, 1 and NaN, shape ``(K, N)``
        confidence : array, shape ``(M, N)``
            Only the order within a row matters; ties count one half. NaN where there is none.

        Raises
        ------
        InputError
            Shapes that do not fit, other marks than 0, 1 and NaN, or a row without a confidence.
        """
        marks, scores = np.asarray(correct, dtype=np.float64), np.asarray(confidence, dtype=np.float64)
        if marks.ndim != 2 or scores.ndim != 2 or marks.shape[1] != scores.shape[1] or not marks.size:
            raise InputError(
                f"answers (K, N) and confidences (M, N) are wanted, got {marks.shape}, {scores.shape}"
            )
        there = np.isfinite(scores)
        if not there.any(axis=1).all():
            raise InputError("a row has no confidence at all; leave it out")
        if not (np.isnan(marks) | (marks == 0) | (marks == 1)).all():
            raise InputError("answers must be 0, 1 or NaN")
        level = np.full(scores.shape, -1, dtype=np.int64)
        starts = [0]
        for row, values, known in zip(level, scores, there, strict=True):
            found, place = np.unique(values[known], return_inverse=True)
            row[known] = starts[-1] + place
            starts.append(starts[-1] + found.size)
        right, wrong = (there.astype(np.int64) @ (marks == side).T.astype(np.int64) for side in (1, 0))
        n_levels, n_columns = starts[-1], marks.shape[0]
        return cls(
            np.array(starts),
            level,
            _cells(level, np.ones((1, marks.shape[1]), dtype=bool), n_levels, 1),
            _cells(level, marks == 0, n_levels, n_columns),
            _cells(level, np.isnan(marks), n_levels, n_columns),
            right,
            wrong,
        )

    @property
    def n_columns(self) -> int:
        """Sets of answers K."""
        return int(self.n_right.shape[1])

    def areas(self, weights: ArrayLike | None = None) -> FloatArray:
        """Area of each confidence against each set of answers.

        Parameters
        ----------
        weights : array, shape ``(B, N)``, optional
            How often an item counts. B some hundreds at a time keep memory small: L K numbers each.

        Returns
        -------
        array, shape ``(B, M, K)``, or ``(M, K)`` without weights
            NaN where a pair has answers of one class only.
        """
        n_items = self.level.shape[1]
        given = np.ones((1, n_items)) if weights is None else np.asarray(weights, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] != n_items:
            raise InputError(f"weights of shape (B, {n_items}) are wanted, got {given.shape}")
        across = np.ascontiguousarray(given.T)
        shape = (int(self.starts[-1]), self.n_columns, given.shape[0])
        wrong = (self.wrong @ across).reshape(shape)
        right = (self.total @ across)[:, None, :] - wrong
        if self.missing.nnz:
            right -= (self.missing @ across).reshape(shape)
        made = np.stack(
            [
                areas_by_level(wrong[a:b], right[a:b])
                for a, b in zip(self.starts, self.starts[1:], strict=False)
            ]
        )  # (M, K, B)
        return made[:, :, 0] if weights is None else np.moveaxis(made, 2, 0)


def areas_by_level(wrong: FloatArray, right: FloatArray) -> FloatArray:
    """Areas of tables whose first axis holds levels, lowest first; the other axes are kept.

    Returns
    -------
    array
        NaN where one class is empty.
    """
    below = np.cumsum(wrong, axis=0)
    pairs = below[-1] * right.sum(axis=0)
    below -= 0.5 * wrong
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(pairs > 0, np.einsum("l...,l...->...", below, right) / pairs, np.nan))


def shuffled_areas(
    correct: ArrayLike,
    asked: CrossAreas,
    row: int,
    strata: ArrayLike,
    n_permutations: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Areas of one confidence against all answers after it changed places within strata.

    Parameters
    ----------
    correct : array of 0, 1 and NaN, shape ``(K, N)``
        As given to :meth:`CrossAreas.of`.
    asked : CrossAreas
    row : int
        Whose confidence is shuffled, among the items where there is one.
    strata : int array, shape ``(N,)``
    n_permutations : int
    rng : Generator

    Returns
    -------
    array, shape ``(n_permutations, K)``
    """
    there = asked.level[row] >= 0
    level = asked.level[row, there] - asked.starts[row]
    stratum = np.asarray(strata)[there]
    marks = np.asarray(correct, dtype=np.float64)[:, there]
    sides = np.concatenate([marks == 0, np.isnan(marks)]).T.astype(
        np.float32
    )  # whole numbers below 2^24: exact
    gaps = sides[:, len(marks) :].any()
    sides = np.ascontiguousarray(sides if gaps else sides[:, : len(marks)])
    n_levels = int(level.max()) + 1
    total = np.bincount(level, minlength=n_levels).astype(np.float64)[:, None]
    order = np.argsort(stratum, kind="stable")
    found = []
    for size in (min(_FEW, n_permutations - start) for start in range(0, n_permutations, _FEW)):
        shuffled = np.empty((size, level.size), dtype=np.int64)
        shuffled[:, order] = level[np.argsort(stratum + rng.random((size, level.size)), axis=1)]
        shuffled += n_levels * np.arange(size)[:, None]
        ends = np.arange(0, shuffled.size + 1, size)
        cells = (np.ones(shuffled.size, dtype=np.float32), shuffled.T.ravel(), ends)
        counts = sparse.csc_array(cells, shape=(size * n_levels, level.size)) @ sides
        for each in counts.astype(np.float64).reshape(size, n_levels, -1):
            wrong = each[:, : len(marks)]
            right = total - wrong - (each[:, len(marks) :] if gaps else 0.0)
            found.append(areas_by_level(wrong, right))
    return np.array(found)


def _cells(
    level: NDArray[np.int64], marked: NDArray[np.bool_], n_levels: int, n_columns: int
) -> sparse.csr_array:
    """Items by level and column, ``(n_levels n_columns, N)``, 1 where a marked item lies."""
    column, item = np.nonzero(marked)
    at = level[:, item]  # (M, marked)
    known = at >= 0
    cell = (at * n_columns + column)[known]
    where = np.broadcast_to(item, at.shape)[known]
    shape = (n_levels * n_columns, level.shape[1])
    return sparse.csr_array(sparse.coo_array((np.ones(cell.size), (cell, where)), shape=shape))
