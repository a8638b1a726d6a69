"""How the reliability of simulated panels is shown."""

from __future__ import annotations

import math

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import Drawing
from metacog.report.show import spaced
from metacog.report.style import looks, new_axes
from metacog.report.tables import Column, Schema, Sort, columns_of, count, number
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


def spread_figure(result: Raters) -> Figure:
    """Half-width of alpha against the number of raters, one line per number of items, one panel per share."""
    table, shares = result.designs, (RARER[0], RARER[-1])
    figure, axes = new_axes(1, len(shares), sharey=True)
    style = looks(f"{n} items" for n in ITEMS)
    for axis, rarer in zip(axes, shares, strict=True):
        for n_items in ITEMS:
            rows = table[(table["rarer"] == rarer) & (table["n_items"] == n_items)]
            name = f"{n_items} items"
            axis.plot(rows["n_raters"], rows["spread"], label=name, lw=1.6, ms=6, **style[name])
        axis.set_xscale("log")
        axis.set_xticks(RATERS, [str(n) for n in RATERS])
        axis.minorticks_off()
        axis.set_xlabel("raters")
        axis.set_title(spaced(f"rarer judgement {rarer:.0%}"))
    axes[0].set_ylim(bottom=0)  # once all is drawn: both panels have one scale, which it fixes
    axes[0].set_ylabel("half-width of alpha")
    axes[0].legend()
    return figure


SHARES = tuple(
    Column(f"share_{share:g}", spaced(f"{share:.0%}"), Sort.TEXT, group="Rarer judgement") for share in RARER
)


VIEWS = Views(
    "raters",
    tables={
        "needed": Schema(
            "needed",
            columns_of(count("n_items", "Items"), *SHARES),
            "The smallest simulated number of raters whose alpha spreads no further than the wanted half-width.",
        ),
        "bars": Schema(
            "bars",
            columns_of(
                number("rarer", "Rarer judgement", 2),
                number("chance", "Agreement of raters who know nothing", 3),
                number("agreement", "Agreement at the bar of alpha", 3),
                number("alpha", "Alpha at the bar of agreement", 3),
            ),
            "What the two bars require of the same raters; in closed form.",
        ),
        "designs": Schema(
            "designs",
            columns_of(
                number("rarer", "Rarer judgement", 2),
                count("n_items", "Items"),
                count("n_raters", "Raters"),
                number("mean", "mean", 3, "Alpha"),
                number("spread", "1.96 sd", 3, "Alpha"),
                number("half_width", "half-width", 3, "Interval"),
                number("coverage", "coverage", 3, "Interval"),
                number("coverage_se", "its Monte-Carlo error", 3, "Interval"),
                number("undefined", "Share undefined", 3),
            ),
            "All designs. Alpha is undefined where all judgements of a panel are of one category.",
        ),
    },
    figures={
        "spread": Drawing(
            spread_figure,
            name="fig-raters-spread",
            caption=(
                "How far Krippendorff's alpha spreads (1.96 standard deviations over simulated panels), by "
                "number of raters. More raters help less and less, since all judge the same few items."
            ),
            alt="Half-width of Krippendorff's alpha against the number of raters, for four numbers of items",
        ),
    },
    sentences={"answer": buys, "trade": trade, "coverage": coverage},
)
