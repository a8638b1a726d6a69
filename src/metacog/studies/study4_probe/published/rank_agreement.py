"""Kendall's tau-b of everything printed that ranks the same models, or the same tasks.

Hypotheses H1 and H2 are about people and H3 about raters, whose answers were not published. What follows from
the print is the same question asked of the eight models (H1) and of the five tasks (H3); there is none for
H2, since no model has an education.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.tolerances import half_last_digit
from metacog.sdt.concordance import kendall, tau_interval
from metacog.sdt.correlation import fisher_interval
from metacog.sdt.intervals import Interval
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import TASKS, short
from metacog.studies.study4_probe.published import benchmarks, reliability
from metacog.studies.study4_probe.published.benchmarks import COMPOSITES

#: Level of one test.
ALPHA = 0.05
#: Numbers of people that are tried behind the intervals of H1 and H2.
PEOPLE = range(6, 401)
TASK_PAIRS, COMPOSITE_PAIRS, WITH_BENCHMARKS = "two tasks", "two composites", "composite and benchmark"
RATERS = "agreement and alpha"


def pairs() -> pd.DataFrame:
    """One row per pair of rankings.

    Returns
    -------
    DataFrame
        ``kind, first, second, tau, lower, upper, p, n, hypothesis``; ``p`` goes through all orders. Ranks on
        benchmarks are those solved from table 7, where there is only one solution.
    """
    rows = []
    for kind, first, second, x, y, hypothesis in _lists():
        found = kendall(x, y)
        rows.append(
            {
                "kind": kind,
                "first": first,
                "second": second,
                "tau": found.tau,
                "lower": found.lower,
                "upper": found.upper,
                "p": found.p_value,
                "n": found.n,
                "hypothesis": hypothesis,
            }
        )
    return pd.DataFrame(rows)


def _lists() -> Iterator[tuple[str, str, str, np.ndarray, np.ndarray, str]]:
    table = published.scores()
    for a, b in combinations(TASKS, 2):
        hypothesis = "H1, on models" if (a, b) == ("T1_CC", "T2_EV") else ""
        yield TASK_PAIRS, short(a), short(b), table[a].to_numpy(), table[b].to_numpy(), hypothesis
    for a, b in combinations(COMPOSITES, 2):
        x, y = (published.composite(name).to_numpy() for name in (a, b))
        yield COMPOSITE_PAIRS, COMPOSITES[a], COMPOSITES[b], x, y, ""
    slots = published.composite("composite_15_slot").to_numpy()
    for one in benchmarks.solved():
        if one.found and len(one.ranks) == 1:
            yield WITH_BENCHMARKS, COMPOSITES["composite_15_slot"], one.benchmark, slots, one.ranks[0], ""
    rated = reliability.table()
    yield (
        RATERS,
        "Agreement",
        "Krippendorff's alpha",
        rated["agreement"].to_numpy(),
        rated["alpha"].to_numpy(),
        "H3, on tasks",
    )


def sizes(hypothesis: str) -> list[int]:
    """Numbers of people at whom the printed statistic of H1 or H2 would have its printed interval.

    H1 is a Pearson correlation (Fisher's z), H2 a tau-b (Fieller's variance). Rounding is allowed for.
    """
    row, slack = _printed(hypothesis)
    return [
        n
        for n, low, high in _ends(hypothesis)
        if _holds(row.ci_lo, low, slack) and _holds(row.ci_hi, high, slack)
    ]


def upper_end(hypothesis: str) -> tuple[list[int], float, float]:
    """Where the upper end of H1 or H2 can lie at the numbers of people that give its printed lower end.

    Returns
    -------
    people : list of int
        Empty where no number gives the lower end; the ends are NaN then.
    low, high : float
        Smallest and largest upper end at these numbers, rounding of the statistic allowed for.
    """
    row, slack = _printed(hypothesis)
    fits = [(n, high) for n, low, high in _ends(hypothesis) if _holds(row.ci_lo, low, slack)]
    if not fits:
        return [], float("nan"), float("nan")
    return [n for n, _ in fits], min(a for _, (a, _) in fits), max(b for _, (_, b) in fits)


def _printed(hypothesis: str) -> tuple[Any, float]:
    """The printed row of a hypothesis, and half the last digit of its ends."""
    row = next(r for r in rows_of(published.as_text("table9_hypotheses")) if r.id == hypothesis)
    return row, min(half_last_digit(x) for x in (row.ci_lo, row.ci_hi))


def _ends(hypothesis: str) -> Iterator[tuple[int, tuple[float, float], tuple[float, float]]]:
    """Between which values the lower and the upper end lie at each number of people, by rounding."""
    row, _ = _printed(hypothesis)
    interval: Callable[[float, int], Interval] = fisher_interval if hypothesis == "H1" else tau_interval
    value, half = float(row.value), half_last_digit(row.value)
    for n in PEOPLE:
        low, high = interval(value - half, n).ends, interval(value + half, n).ends
        yield n, (low[0], high[0]), (low[1], high[1])


def _holds(text: str, ends: tuple[float, float], slack: float) -> bool:
    return ends[0] - slack <= float(text) <= ends[1] + slack
