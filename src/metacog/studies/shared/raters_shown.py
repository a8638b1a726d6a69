"""How the reliability of simulated panels is shown."""

from __future__ import annotations

import math

import pandas as pd

from metacog.report.views import Views
from metacog.studies.shared.raters import ITEMS, RARER, RATERS, Raters

#: Items and raters of a design, and twice as many of either: both cost the same number of judgements.
DOUBLED = (ITEMS[2:4], RATERS[1:3])


def _at(table: pd.DataFrame, rarer: float, n_items: int, n_raters: int) -> float:
    rows = table[(table["rarer"] == rarer) & (table["n_items"] == n_items) & (table["n_raters"] == n_raters)]
    return float(rows["spread"].iloc[0])


def buys(result: Raters) -> str:
    """Whether twice as many judgements buy more as raters or as items, wherever the simulation can tell."""
    (n_items, longer), (n_raters, more) = DOUBLED
    won = set()
    for rarer in (RARER[0], RARER[-1]):
        by_raters = _at(result.designs, rarer, n_items, more)
        by_items = _at(result.designs, rarer, longer, n_raters)
        # of a standard deviation over as many panels as were simulated
        error = math.hypot(by_raters, by_items) / math.sqrt(2 * max(result.simulations - 1, 1))
        gap = by_raters - by_items
        if gap - 2 * error > 0 or gap + 2 * error < 0:
            won.add("items" if gap > 0 else "raters")
    if len(won) == 1:
        best = won.pop()
        other = "raters" if best == "items" else "items"
        return f"To measure agreement more precisely, double the {best}, not the {other}."
    if won:
        return (
            "Whether doubling raters or items measures agreement better depends on how rare one judgement is."
        )
    return "Doubling raters is not shown to measure agreement better or worse than doubling items."


VIEWS = Views("raters", sentences={"answer": buys})
