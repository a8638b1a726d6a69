"""How far coarse counts hem in what finer or other ratings would give.

Counts by bin keep the order of the bins and lose that within them. So a measure of the raw confidence,
or of ratings with other edges, is not known; but it cannot be just anything. With c_b of the m_b trials
of bin b correct:

* AUROC2 of the raw confidence lies between the value with every pair within a bin lost and the value
  with every such pair won (:func:`auroc2_bounds`), and both ends can occur;
* ratings that cut the same trials at other places, but hold known numbers of trials, share whole runs of
  ranks with the bins. Their AUROC2 is linear in their correct answers, so both ends are found by filling
  runs from one side (:func:`rating_auroc2_bounds`); plug-in meta-I2r is convex in them, so its ends are
  bounded too (:func:`rating_information_bounds`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from metacog.sdt.checks import FloatArray, InputError, as_integer_tables, as_tables, need_both_classes
from metacog.sdt.information_bits import LN2, binary_entropy

IntArray = NDArray[np.int64]
Bounds = tuple[float, float]


def auroc2_bounds(nR_S1: ArrayLike, nR_S2: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Ends of the AUROC2 of the confidence that was cut into these ratings, lowest first, ``(..., L)``.

    With all pairs of a correct and an incorrect trial of one rating lost, and with all won; NaN where a table
    lacks a class.
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
    """Ends of the AUROC2 of ratings of known ``sizes`` that cut the same trials, in the same order, at other places.

    With M_r trials below rating r and c_r correct ones in it, AUROC2 with midranks is [sum_r c_r (M_r + m_r/2)
    - N+^2/2]/(N+ N-), which is linear in c_r. Both ends can occur.
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

    Plug-in information is a sum of convex functions of the ratings' correct answers. The lower end is that of a
    tangent plane at a point found by conditional gradients (Frank & Wolfe 1956), which no table can undercut
    wherever the search stands; more ``steps`` raise it towards the least value. The upper end is the
    information that the runs of ranks common to bins and ratings could hold: ratings merge runs, and merging
    never adds information. It need not be reached.
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


def with_one_trial(nR_S1: ArrayLike, nR_S2: ArrayLike, n: int) -> tuple[IntArray, IntArray]:
    """Every table of n trials that this one becomes if a trial is added or taken away; itself where it holds n."""
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
