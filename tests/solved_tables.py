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
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.information_bits import LN2, binary_entropy
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.ledger.roles import INPUTS

IntArray = NDArray[np.int64]

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


def published_summaries() -> dict[tuple[str, str], Summaries]:
    """The printed figures that each count table is solved from, by model and question set."""
    quarters = paper.as_numbers("v1_table5_monotonicity").set_index(["model", "dataset"])
    names = list(INPUTS["v1_table5_monotonicity"])
    digit = paper.precision("v1_table5_monotonicity", *names)
    found = {}
    for row in paper.as_numbers("v2_aggregate").to_dict("records"):
        key = (row["model"], row["dataset"])
        found[key] = Summaries(
            n=int(row["n"]),
            accuracy=row["acc"],
            auroc2=row["auroc2"],
            plugin_meta_i2r=row["meta_i2r"] + row["null_mean"],
            quarters=tuple(float(quarters[name][key]) for name in names),
            half_digit=digit,
        )
    return found
