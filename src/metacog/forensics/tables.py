"""Whole-number tables of correct answers by rating from printed summaries.

A paper may print accuracy, accuracy by quarter of confidence, AUROC2 and meta-I2r of eight equally
filled ratings without printing the counts. With m answers a rating, N = 8 m, and c_r correct ones:

* accuracy gives N+ = sum c_r, a whole number, exactly;
* accuracy by quarter gives c_1 + c_2, c_3 + c_4, ... up to the rounding of the print;
* AUROC2 = [m sum_r (r - 1/2) c_r - N+^2/2]/(N+ N-), so at full precision it gives sum_r r c_r exactly;
* plug-in meta-I2r at full precision gives sum_r [c_r ln c_r + (m - c_r) ln(m - c_r)].

Given the quarters' sums, one unknown a quarter is left, e_j = c_{2j}. AUROC2 fixes their sum and the
information a sum of functions of one e_j each, so all of them are searched by halves: every pair
(e_1, e_2) is sorted by sum and value, and every pair (e_3, e_4) looks up what it lacks. The search is
exhaustive: what it does not return is no solution within the tolerance.

How far coarse counts hem in what finer or other ratings would give.

Counts by bin keep the order of the bins and lose that within them. So a measure of the raw confidence,
or of ratings with other edges, is not known; but it cannot be just anything. With c_b of the m_b trials
of bin b correct:

* AUROC2 of the raw confidence lies between the value with every pair within a bin lost and the value
  with every such pair won (:func:`auroc2_bounds`), and both ends can occur;
* ratings that cut the same trials at other places, but hold known numbers of trials, share whole runs of
  ranks with the bins. Their AUROC2 is linear in their correct answers, so both ends are found by filling
  runs from one side (:func:`rating_auroc2_bounds`); plug-in meta-I2r is convex in them, so its ends are
  bounded too (:func:`rating_information_bounds`);
* marking that many trials otherwise moves AUROC2 furthest if they all lie at one end of the ratings
  (:func:`relabelled_auroc2_bounds`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from metacog.sdt.checks import InputError
from metacog.sdt.information_bits import LN2, binary_entropy
from metacog.sdt.tables import FloatArray, as_integer_tables, as_tables, need_both_classes

IntArray = NDArray[np.int64]
Bounds = tuple[float, float]


def auroc2_bounds(nR_S1: ArrayLike, nR_S2: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Ends of the AUROC2 of the confidence that was cut into these ratings.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(..., L)``
        Incorrect and correct trials, lowest rating first.

    Returns
    -------
    two arrays of shape ``(...)``
        With all pairs of a correct and an incorrect trial of one rating lost, and with all won; NaN where
        a table lacks a class.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    upto = np.cumsum(incorrect, axis=-1)
    pairs = incorrect.sum(axis=-1) * correct.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        lost = (correct * (upto - incorrect)).sum(axis=-1) / pairs
        won = (correct * upto).sum(axis=-1) / pairs
    return np.where(pairs > 0, lost, np.nan), np.where(pairs > 0, won, np.nan)


@dataclass(frozen=True)
class _Runs:
    """Runs of ranks that lie in one bin and in one rating.

    ``size``, ``bin`` and ``rating`` have one value per run; ``correct`` one value per bin and ``sizes`` a rating.
    """

    size: FloatArray
    bin: IntArray
    rating: IntArray
    correct: FloatArray
    sizes: FloatArray

    def filled(self, price: FloatArray) -> FloatArray:
        """Correct trials by rating that make the sum of ``price[rating]`` over them least."""
        order = np.lexsort((price[self.rating], self.bin))  # bin by bin, cheapest run first
        size, bins = self.size[order], self.bin[order]
        before = np.cumsum(size) - size
        first = before[np.searchsorted(bins, bins)]  # trials below each run's bin
        taken = np.clip(self.correct[bins] - (before - first), 0.0, size)
        return _by_rating(self.rating[order], taken, self.sizes.size)


def _by_rating(rating: IntArray, amount: FloatArray, n: int) -> FloatArray:
    return np.asarray(np.bincount(rating, weights=amount, minlength=n), dtype=np.float64)


def _runs(nR_S1: ArrayLike, nR_S2: ArrayLike, sizes: ArrayLike) -> _Runs:
    incorrect, correct = as_integer_tables(nR_S1, nR_S2)
    wanted = np.asarray(sizes, dtype=np.int64)
    totals = incorrect + correct
    if incorrect.ndim != 1 or wanted.ndim != 1 or (wanted < 0).any() or wanted.sum() != totals.sum():
        raise InputError("one table of bins is wanted, and ratings that hold as many trials in all")
    need_both_classes(incorrect.astype(np.float64), correct.astype(np.float64))
    ends = [np.cumsum(totals), np.cumsum(wanted)]
    edges = np.unique(np.concatenate([[0], *ends]))
    starts = edges[:-1]
    owner = [np.searchsorted(end, starts, side="right") for end in ends]
    return _Runs(
        np.diff(edges).astype(np.float64),
        owner[0],
        owner[1],
        correct.astype(np.float64),
        wanted.astype(np.float64),
    )


def rating_auroc2_bounds(nR_S1: ArrayLike, nR_S2: ArrayLike, sizes: ArrayLike) -> Bounds:
    """Ends of the AUROC2 of ratings that cut the same trials, in the same order, at other places.

    Parameters
    ----------
    nR_S1, nR_S2 : whole-number arrays, shape ``(L,)``
        Incorrect and correct trials by bin, lowest first.
    sizes : whole-number array, shape ``(M,)``
        Trials of each rating, lowest first; as many in all as in the bins.

    Raises
    ------
    InputError
        If the numbers of trials differ, or a class is empty.

    Notes
    -----
    With M_r trials below rating r and c_r correct ones in it, AUROC2 with midranks is
    [sum_r c_r (M_r + m_r/2) - N+^2/2]/(N+ N-), which is linear in c_r. Both ends can occur.
    """
    runs = _runs(nR_S1, nR_S2, sizes)
    weight = np.cumsum(runs.sizes) - runs.sizes / 2
    right = runs.correct.sum()
    pairs = right * (runs.sizes.sum() - right)
    low, high = (float((runs.filled(price) @ weight - right**2 / 2) / pairs) for price in (weight, -weight))
    return low, high


def rating_information_bounds(
    nR_S1: ArrayLike, nR_S2: ArrayLike, sizes: ArrayLike, *, steps: int = 100
) -> Bounds:
    """Numbers that the plug-in meta-I2r of such ratings cannot leave.

    Parameters
    ----------
    nR_S1, nR_S2, sizes
        As in :func:`rating_auroc2_bounds`.
    steps : int
        Of the search for the lower end; more raise it towards the least value.

    Notes
    -----
    Plug-in information is a sum of convex functions of the ratings' correct answers. The lower end is that
    of a tangent plane at a point found by conditional gradients (Frank & Wolfe 1956), which no table can
    undercut wherever the search stands. The upper end is the information that the runs of ranks
    common to bins and ratings could hold: ratings merge runs, and merging never adds information. It
    need not be reached.
    """
    runs = _runs(nR_S1, nR_S2, sizes)
    n, right = runs.sizes.sum(), runs.correct.sum()
    nats = n * float(binary_entropy(right / n)) * LN2
    margin = float(xlogy(n, n) - xlogy(right, right) - xlogy(n - right, n - right))
    low = _least(runs, steps) - float(xlogy(runs.sizes, runs.sizes).sum())
    high = _most(runs) - float(xlogy(runs.size, runs.size).sum())
    return max(0.0, (low + margin) / nats), min(1.0, (high + margin) / nats)


def _least(runs: _Runs, steps: int) -> float:
    """Largest tangent bound met on the sum of c ln c + (m - c) ln(m - c) over the ratings."""
    used = runs.sizes > 0
    share = np.bincount(runs.bin, weights=runs.size, minlength=runs.correct.size)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = np.where(share > 0, runs.correct / share, 0.0)
    point = _by_rating(runs.rating, runs.size * rate[runs.bin], runs.sizes.size)
    best = -np.inf
    for step in range(steps):
        inner = np.clip(point, 1e-6, np.maximum(runs.sizes - 1e-6, 1e-6))
        slope = np.where(used, np.log(inner) - np.log(np.maximum(runs.sizes - inner, 1e-12)), 0.0)
        value = (xlogy(inner, inner) + xlogy(runs.sizes - inner, runs.sizes - inner))[used].sum()
        corner = runs.filled(slope)
        best = max(best, float(value + (slope * (corner - inner))[used].sum()))
        point = point + 2 / (step + 2) * (corner - point) if step else (point + corner) / 2
    return best


def _most(runs: _Runs) -> float:
    """Largest sum of c ln c + (m - c) ln(m - c) over the runs: a corner, all full or empty but one."""
    total = 0.0
    for b, correct in enumerate(runs.correct):
        size = runs.size[runs.bin == b]
        best = -np.inf
        for partial in range(size.size):
            others = [i for i in range(size.size) if i != partial]
            for k in range(len(others) + 1):
                for full in combinations(others, k):
                    left = correct - size[list(full)].sum()
                    if 0 <= left <= size[partial]:
                        rest = sum(float(xlogy(size[i], size[i])) for i in others)
                        best = max(best, rest + float(xlogy(left, left) + xlogy(*[size[partial] - left] * 2)))
        total += best if size.size else 0.0
    return total


def relabelled_auroc2_bounds(nR_S1: ArrayLike, nR_S2: ArrayLike, change: int) -> Bounds:
    """Ends of AUROC2 on the same ratings if ``change`` more trials were marked correct (fewer, below 0).

    Raises
    ------
    InputError
        If there are not that many trials to mark otherwise.
    """
    incorrect, correct = as_integer_tables(nR_S1, nR_S2)
    sizes = (incorrect + correct).astype(np.float64)
    weight = np.cumsum(sizes) - sizes / 2
    right = float(correct.sum() + change)
    room = incorrect if change > 0 else correct
    if abs(change) > room.sum() or not 0 < right < sizes.sum():
        raise InputError(f"{abs(change)} trials cannot be marked otherwise in this table")
    ends = []
    for order in (np.arange(sizes.size), np.arange(sizes.size)[::-1]):
        left = np.minimum(np.cumsum(room[order]), abs(change))
        moved = np.zeros(sizes.size)
        moved[order] = np.diff(left, prepend=0)
        marked = correct + np.sign(change) * moved
        ends.append(float((marked @ weight - right**2 / 2) / (right * (sizes.sum() - right))))
    return min(ends), max(ends)


def with_one_trial(nR_S1: ArrayLike, nR_S2: ArrayLike, n: int) -> tuple[IntArray, IntArray]:
    """Every table of n trials that this one becomes if one trial is added or taken away.

    Parameters
    ----------
    nR_S1, nR_S2 : whole-number arrays, shape ``(L,)``
    n : int
        Trials wanted: as many as there are, one more, or one less.

    Returns
    -------
    two arrays, shape ``(tables, L)``; the table itself where it holds n.

    Raises
    ------
    InputError
        If more than one trial would have to change.
    """
    incorrect, correct = as_integer_tables(nR_S1, nR_S2)
    change = n - int(incorrect.sum() + correct.sum())
    if abs(change) > 1:
        raise InputError(f"{abs(change)} trials are lacking or too many; only one may be")
    if change == 0:
        return incorrect[None], correct[None]
    one, none = change * np.eye(incorrect.size, dtype=np.int64), np.zeros_like(incorrect)[None]
    a = np.concatenate([incorrect + one, np.repeat(incorrect + none, incorrect.size, axis=0)])
    b = np.concatenate([np.repeat(correct + none, correct.size, axis=0), correct + one])
    whole = ((a >= 0) & (b >= 0)).all(axis=1)
    return a[whole], b[whole]


#: Ratings that the summaries describe, and the quarters of confidence, two ratings each.
RATINGS, QUARTERS = 8, 4
#: A printed figure of full precision gives a whole number up to this share of one.
WHOLE = 1e-6
#: Apart from each other further than any value, so that a sum and a value make one sorting key.
_STEP = 1e7


@dataclass(frozen=True)
class Summaries:
    """Printed summaries of one table of eight equally filled ratings.

    Attributes
    ----------
    n : int
        Answers; a multiple of eight.
    accuracy, auroc2 : float
        At full precision; AUROC2 is that of the ratings.
    plugin_meta_i2r : float
        At full precision: meta-I2r with nothing taken off (a printed value plus its null mean).
    quarters : tuple of float
        Accuracy by quarter of confidence, lowest first.
    half_digit : float
        Half the last printed digit of the quarters.
    """

    n: int
    accuracy: float
    auroc2: float
    plugin_meta_i2r: float
    quarters: tuple[float, ...]
    half_digit: float

    @property
    def per_rating(self) -> int:
        """Answers a rating, m."""
        return self.n // RATINGS

    @property
    def n_correct(self) -> int:
        """Correct answers."""
        return round(self.accuracy * self.n)


def quarter_sums(printed: Summaries) -> list[tuple[int, ...]]:
    """All correct answers by quarter that the printed quarters and the exact accuracy allow.

    Raises
    ------
    InputError
        If n is no multiple of eight, there are not four quarters, or accuracy times n is no whole number.
    """
    if printed.n <= 0 or printed.n % RATINGS or len(printed.quarters) != QUARTERS:
        raise InputError(
            f"need {RATINGS} equally filled ratings and {QUARTERS} quarters, got n = {printed.n}"
        )
    if abs(printed.accuracy * printed.n - printed.n_correct) > WHOLE:
        raise InputError(f"accuracy {printed.accuracy} of {printed.n} answers is no whole number of them")
    size = 2 * printed.per_rating
    counts = np.arange(size + 1)
    slack = printed.half_digit * (1 + 1e-9)
    allowed = [np.flatnonzero(np.abs(counts / size - q) <= slack).tolist() for q in printed.quarters]
    return [tuple(sums) for sums in product(*allowed) if sum(sums) == printed.n_correct]


def correct_by_rating(printed: Summaries, *, tolerance: float = 1e-12) -> IntArray:
    """Every table of correct answers by rating that agrees with printed summaries.

    Parameters
    ----------
    printed : Summaries
    tolerance : float
        How far meta-I2r of a table may lie from the printed one.

    Returns
    -------
    int array, shape ``(solutions, 8)``
        Lowest rating first; each rating holds ``printed.per_rating`` answers.

    Raises
    ------
    InputError
        As :func:`quarter_sums`, or if all answers or none are correct.
    """
    options = quarter_sums(printed)
    m, n, right = printed.per_rating, printed.n, printed.n_correct
    wrong = n - right
    if right == 0 or wrong == 0:
        raise InputError("all answers are of one class: AUROC2 and meta-I2r say nothing about the ratings")
    weighted = printed.auroc2 * right * wrong / m + right**2 / (2 * m) + right / 2
    if abs(weighted - round(weighted)) > WHOLE:
        return np.empty((0, RATINGS), dtype=np.int64)
    nats = n * float(binary_entropy(right / n)) * LN2  # of one unit of meta-I2r
    target = printed.plugin_meta_i2r * nats - float(xlogy(n, n) - xlogy(right, right) - xlogy(wrong, wrong))
    target += n * float(np.log(m))
    found = [_of_quarters(sums, round(weighted), target, tolerance * nats, m) for sums in options]
    return np.concatenate([np.empty((0, RATINGS), dtype=np.int64), *found])


def _of_quarters(sums: tuple[int, ...], weighted: int, target: float, slack: float, m: int) -> IntArray:
    """Solutions with these sums by quarter: sum_j e_j and sum_j F_j(e_j) are given, e_j = c_{2j}."""
    upper_total = weighted - sum((2 * j + 1) * p for j, p in enumerate(sums))
    halves = [_half(sums[:2], m), _half(sums[2:], m)]
    (total_a, value_a, first_a, second_a), (total_b, value_b, first_b, second_b) = halves
    order = np.lexsort((value_a, total_a))
    keys = total_a[order] * _STEP + value_a[order]
    # keys are of size 1e10 and hold 1e-6; the exact sums are compared again below
    wanted = (upper_total - total_b) * _STEP + (target - value_b)
    reach = slack + 1e-5
    low, high = np.searchsorted(keys, wanted - reach), np.searchsorted(keys, wanted + reach, side="right")
    tables = []
    for b in np.flatnonzero(high > low):
        for a in order[low[b] : high[b]]:
            if total_a[a] + total_b[b] == upper_total and abs(value_a[a] + value_b[b] - target) <= slack:
                upper = np.array([first_a[a], second_a[a], first_b[b], second_b[b]])
                tables.append(np.stack([np.array(sums) - upper, upper], axis=1).ravel())
    return np.array(tables, dtype=np.int64).reshape(-1, RATINGS)


def _half(sums: tuple[int, ...], m: int) -> tuple[IntArray, FloatArray, IntArray, IntArray]:
    """All pairs of upper ratings of two quarters: their total, their value, and both themselves."""
    ranges = [np.arange(max(0, p - m), min(m, p) + 1) for p in sums]
    values = [_log_sum(e, m) + _log_sum(p - e, m) for e, p in zip(ranges, sums, strict=True)]
    first, second = (grid.ravel() for grid in np.meshgrid(*ranges, indexing="ij"))
    return first + second, np.add.outer(*values).ravel(), first, second


def _log_sum(correct: IntArray, m: int) -> FloatArray:
    """c ln c + (m - c) ln(m - c)."""
    return np.asarray(xlogy(correct, correct) + xlogy(m - correct, m - correct), dtype=np.float64)
