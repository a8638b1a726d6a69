"""What must lie behind printed figures of study 4: people, a lineage left out, shares of items, one confidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from metacog.ledger.judging import agrees, inside
from metacog.ledger.tolerances import half_last_digit
from metacog.sdt.concordance import tau_interval
from metacog.sdt.correlation import fisher_interval
from metacog.sdt.intervals import Interval
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import ITEMS
from metacog.studies.study4_probe.measures import lineages, panel
from metacog.studies.study4_probe.measures.range_score import constant_scores

#: Numbers of people that are tried behind the intervals of H1 and H2.
PEOPLE = range(6, 401)


def sizes(hypothesis: str) -> list[int]:
    """Numbers of people at whom the printed statistic of H1 or H2 would have its printed interval.

    H1 is a Pearson correlation (Fisher's z), H2 a tau-b (Fieller's variance). Rounding is allowed for.
    """
    row, slack = _printed(hypothesis)
    return [
        n
        for n, low, high in _ends(hypothesis)
        if inside(row.lower, *low, slack) and inside(row.upper, *high, slack)
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
    fits = [(n, high) for n, low, high in _ends(hypothesis) if inside(row.lower, *low, slack)]
    if not fits:
        return [], float("nan"), float("nan")
    return [n for n, _ in fits], min(a for _, (a, _) in fits), max(b for _, (_, b) in fits)


def _printed(hypothesis: str) -> tuple[Any, float]:
    """The printed row of a hypothesis, and half the last digit of its ends."""
    row = published.row("table9_hypotheses", id=hypothesis)
    return row, min(half_last_digit(x) for x in (row.lower, row.upper))


def _ends(hypothesis: str) -> Iterator[tuple[int, tuple[float, float], tuple[float, float]]]:
    """Between which values the lower and the upper end lie at each number of people, by rounding."""
    row, _ = _printed(hypothesis)
    interval: Callable[[float, int], Interval] = fisher_interval if hypothesis == "H1" else tau_interval
    value, half = float(row.value), half_last_digit(row.value)
    for n in PEOPLE:
        low, high = interval(value - half, n).ends, interval(value + half, n).ends
        yield n, (low[0], high[0]), (low[1], high[1])


def without_dropped(frame: pd.DataFrame) -> pd.DataFrame:
    """Does some panel without a lineage give the printed correlation, and then the printed one without one more?

    Parameters
    ----------
    frame : DataFrame
        Of :func:`.lineages.leave_out` for the published panel.

    Returns
    -------
    DataFrame
        ``left_out, r`` (without :data:`.panel.DROPPED` as well) and ``fits``: whether that is printed; one row per
        panel whose correlation is the printed one.
    """
    text, other = printed_correlations()
    table = published.scores()
    families = lineages.groups_of(list(table.index))
    rows = []
    for name in frame.loc[agrees(text, frame["r"]), "left_out"]:
        left = table.drop(index=[*families.get(name, ()), panel.DROPPED])
        r = float(np.corrcoef(left["T1_CC"], left["T2_EV"])[0, 1])
        rows.append({"left_out": name, "r": r, "fits": bool(agrees(other, r))})
    return pd.DataFrame(rows, columns=["left_out", "r", "fits"])


def printed_correlations() -> tuple[str, str]:
    """The correlation of T1-CC with T2-EV as printed of the panel, and without one model."""
    return published.claim("r_panel"), published.claim("r_without_gemma")


def shares_of_items(task: str) -> int:
    """How many printed scores of a task are a share of its items, in percent."""
    shares = 100 * np.arange(ITEMS[task] + 1) / ITEMS[task]
    return sum(bool(agrees(text, shares).any()) for text in published.as_text("table1_leaderboard")[task])


def constant_confidence(model: str) -> list[tuple[int, int]]:
    """Right answers and one confidence for all items, in percent, that give a model's printed T4-CR."""
    text = published.as_text("table1_leaderboard").set_index("model")["T4_CR"][model]
    return [(int(k), int(c)) for k, c in np.argwhere(agrees(text, constant_scores(ITEMS["T4_CR"])))]
