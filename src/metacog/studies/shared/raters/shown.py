"""How the reliability of simulated panels is shown."""

from __future__ import annotations

import math

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.shared.raters.analysis import ITEMS, RARER, RATERS, Raters

#: From this coverage on an interval of level 95 % is taken to keep its promise.
KEPT = 0.93
#: Items and raters of a design, and twice as many of either: both cost the same number of judgements.
DOUBLED = (ITEMS[2:4], RATERS[1:3])


def _at(table: pd.DataFrame, rarer: float, n_items: int, n_raters: int) -> float:
    rows = table[(table["rarer"] == rarer) & (table["n_items"] == n_items) & (table["n_raters"] == n_raters)]
    return float(rows["spread"].iloc[0])


def trade(result: Raters) -> str:
    """What twice as many judgements buy, as raters and as items: one wins only beyond the error of the simulation."""
    (n_items, longer), (n_raters, more) = DOUBLED
    parts = []
    for rarer in (RARER[0], RARER[-1]):
        base, by_raters, by_items = (
            _at(result.designs, rarer, *design)
            for design in ((n_items, n_raters), (n_items, more), (longer, n_raters))
        )
        # of a standard deviation over as many panels as were simulated
        error = math.hypot(by_raters, by_items) / math.sqrt(2 * max(result.simulations - 1, 1))
        gain = by_raters - by_items
        wins = "the simulation does not tell the two apart"
        if gain > 2 * error:
            wins = "more items buy more"
        elif gain < -2 * error:
            wins = "more raters buy more"
        parts.append(
            f"With the rarer judgement at {rarer:.0%}, {n_items} items and {n_raters} raters give a half-width of "
            f"{base:.3f}. Twice as many judgements give {by_raters:.3f} as {more} raters and {by_items:.3f} as "
            f"{longer} items: {wins}."
        )
    return " ".join(parts)


def buys(result: Raters) -> str:
    """Whether twice as many judgements buy more as raters or as items, wherever the simulation can tell."""
    told = trade(result)
    items, raters = ("more items buy more" in told, "more raters buy more" in told)
    if items and raters:
        return "Whether more raters or more items make agreement more precise depends on how rare one judgement is."
    if items or raters:
        return (
            f"Twice as many judgements make agreement more precise as more {'items' if items else 'raters'}."
        )
    return "Twice as many judgements help as much, as far as can be told, as more raters or as more items."


def coverage(result: Raters) -> str:
    """In which designs intervals contain the truth less often than they promise."""
    table = result.designs
    low = table[table["coverage"] < KEPT]
    if low.empty:
        everywhere = f"In all {plural(len(table), 'design')} the intervals contain the truth in at least"
        return f"{everywhere} {KEPT:.0%} of simulations."
    worst = rows_of(low.sort_values("coverage"))[0]
    by_share = [
        f"{(low['rarer'] == rarer).sum()} of {(table['rarer'] == rarer).sum()} at {rarer:.0%}"
        for rarer in RARER
    ]
    return (
        f"A 95 % interval contains the truth in less than {KEPT:.0%} of simulations in "
        f"{plural(len(low), 'design')} of {len(table)}: {listed(by_share)}. The worst is "
        f"{worst.coverage:.0%}, with {worst.n_items} items, {worst.n_raters} raters and the rarer judgement "
        f"at {worst.rarer:.0%}. Where few items are of the rarer kind, these few decide, and resampling them "
        "cannot show what other items would have done."
    )


VIEWS = Views("raters", sentences={"answer": buys, "trade": trade, "coverage": coverage})
