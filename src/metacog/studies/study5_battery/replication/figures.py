"""Figures of the battery on the models of the run."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes
from metacog.studies.study5_battery.measures.profiles import PRINTED
from metacog.studies.study5_battery.showing.marks import legend


@drawing(
    name="fig-study5-replication",
    caption=(
        "Rate of KEEP and mean withdraw delta with its 95 % interval: the models of this run in colour, the "
        "twenty published ones, on other items, in grey. The dotted line is the threshold of profile C."
    ),
    alt="Rate of KEEP against mean withdraw delta: models of this run among the twenty published ones",
)
def board(result: Any) -> Figure:
    """The models of the run among the published ones."""
    known = result.board[result.board["delta"].notna()]
    style = looks(result.means["model"])
    figure, axis = new_axes(height=4.6)
    axis.axhline(0, color=GREY, lw=1)
    axis.axhline(PRINTED.delta, color=GREY, lw=1, ls=":")
    for row in rows_of(known):
        look = style[row.model] if row.here else {"color": "0.7", "marker": "o"}
        axis.plot(
            [row.stood, row.stood], [row.lower, row.upper], color=look["color"], lw=2 if row.here else 1
        )
        size, label, above = (9, row.model, 3) if row.here else (5, "published", 2)
        axis.plot(row.stood, row.delta, ls="none", ms=size, label=label, zorder=above, **look)
    axis.set_xlim(-2, 102)
    axis.set_xlabel("KEEP, % (mean of T1 to T5)")
    axis.set_ylabel("mean withdraw delta in points")
    legend(figure, axis, 3, [*result.means["model"], "published"])
    return figure


@drawing(
    name="fig-study5-replication-kinds",
    caption=(
        "Right answers by kind of item with Wilson's 95 % interval; a line marks what guessing gives. Look "
        "for intervals that lie entirely to the right of their line: only there is something known that a "
        "model could know that it knows."
    ),
    alt="Share of right answers of each kind of item with intervals, next to chance",
)
def kinds(result: Any) -> Figure | None:
    """Right answers by kind of item."""
    table = result.kinds
    if table.empty:
        return None
    names = list(dict.fromkeys(zip(table["track"], table["item_type"], strict=True)))
    place = {name: y for y, name in enumerate(names)}
    models = list(dict.fromkeys(table["model"]))
    style, shift = looks(models), np.linspace(-0.18, 0.18, len(models)) if len(models) > 1 else [0.0]
    figure, axis = new_axes(height=1.2 + 0.23 * len(names))
    for model, dy in zip(models, shift, strict=True):
        for row in rows_of(table[table["model"] == model]):
            y, look = place[(row.track, row.item_type)] + dy, style[model]
            axis.plot([row.lower, row.upper], [y, y], color=look["color"], lw=1.2)
            axis.plot(row.accuracy, y, ls="none", ms=5, label=model, **look)
            axis.plot([row.chance, row.chance], [y - 0.4, y + 0.4], color=GREY, lw=1.5)
    axis.set_yticks(range(len(names)), [f"{track} {kind}" for track, kind in names], fontsize=9)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.set_xlim(0, 1.02)
    axis.set_xlabel("share of right answers")
    legend(figure, axis, names=models)
    return figure
