"""What must lie behind printed figures of study 4: people, a lineage left out, items, one confidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from metacog.ledger.judging import agrees, inside
from metacog.ledger.tolerances import half_last_digit
from metacog.sdt.correlations import fisher_interval
from metacog.sdt.intervals import Interval
from metacog.sdt.kendall_tau import tau_interval
from metacog.studies.study4_probe import panel, paper
from metacog.studies.study4_probe.paper import ITEMS
from metacog.studies.study4_probe.range_score import constant_scores

#: Numbers of people that are tried behind the intervals of H1 and H2.
PEOPLE = range(6, 401)


def upper_end(hypothesis: str) -> tuple[list[int], float, float]:
    """Numbers of people that give the printed lower end of H1 or H2, and between what the upper end then lies.

    No people, and NaN, where no number gives it; rounding of the statistic is allowed for.
    """
    fits = _with_lower_end(hypothesis)
    if not fits:
        return [], float("nan"), float("nan")
    return [n for n, _ in fits], min(low for _, (low, _) in fits), max(high for _, (_, high) in fits)


def _with_lower_end(hypothesis: str) -> list[tuple[int, tuple[float, float]]]:
    """Numbers of people that give the printed lower end, and between which values the upper then lies."""
    row, slack = _printed(hypothesis)
    interval: Callable[[float, int], Interval] = fisher_interval if hypothesis == "H1" else tau_interval
    value, half = float(row.value), half_last_digit(row.value)
    ends = [(n, interval(value - half, n).ends, interval(value + half, n).ends) for n in PEOPLE]
    return [(n, (a[1], b[1])) for n, a, b in ends if inside(row.lower, a[0], b[0], slack)]


def _printed(hypothesis: str) -> tuple[Any, float]:
    """The printed row of a hypothesis, and half the last digit of its ends."""
    row = paper.row("table9_hypotheses", id=hypothesis)
    return row, min(half_last_digit(x) for x in (row.lower, row.upper))


def without_dropped(frame: pd.DataFrame) -> pd.DataFrame:
    """Does some panel without a lineage (a row of :func:`.panel.leave_out`) give the printed correlation, and then the
    printed one without one more?

    ``left_out, r`` (without :data:`.panel.DROPPED` as well) and ``fits``: whether that is printed; one row per panel
    whose correlation is the printed one.
    """
    text, other = paper.claim("r_panel"), paper.claim("r_without_gemma")
    table = paper.scores()
    families = panel.groups_of(list(table.index))
    rows = []
    for name in frame.loc[agrees(text, frame["r"]), "left_out"]:
        left = table.drop(index=[*families.get(name, ()), panel.DROPPED])
        r = float(np.corrcoef(left["T1_CC"], left["T2_EV"])[0, 1])
        rows.append({"left_out": name, "r": r, "fits": bool(agrees(other, r))})
    return pd.DataFrame(rows, columns=["left_out", "r", "fits"])


def shares_of_items(task: str) -> int:
    """How many printed scores of a task are a share of its items, in percent."""
    shares = 100 * np.arange(ITEMS[task] + 1) / ITEMS[task]
    return sum(bool(agrees(text, shares).any()) for text in paper.as_text("table1_leaderboard")[task])


def constant_confidence(model: str) -> list[tuple[int, int]]:
    """Right answers and one confidence for all items, in percent, that give a model's printed T4-CR."""
    text = paper.as_text("table1_leaderboard").set_index("model")["T4_CR"][model]
    return [(int(k), int(c)) for k, c in np.argwhere(agrees(text, constant_scores(ITEMS["T4_CR"])))]


def most_with_one_confidence(right: int) -> float:
    """The highest T4-CR that any one confidence for all items can give with so many right answers."""
    return float(constant_scores(ITEMS["T4_CR"])[right].max())
