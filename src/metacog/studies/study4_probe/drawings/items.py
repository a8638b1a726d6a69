"""Figures of what lies behind the scores."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes


@drawing(
    name="fig-study4-own-entropy",
    caption=(
        "Stated confidence of T4-CR against the decoding entropy of the answer line, an item a point. A "
        "model whose words follow its own doubt goes from upper left to lower right. Filled: right answers."
    ),
    alt="Stated confidence against decoding entropy, item by item",
)
def entropy(found: Any) -> Figure | None:
    """Stated confidence against decoding entropy, item by item."""
    rows = found.drawn[found.drawn["task"] == "T4_CR"].dropna(subset=["stated", "entropy"])
    if rows.empty:
        return None
    style = looks(found.models)
    figure, axis = new_axes(height=4.0)
    for model, own in rows.groupby("model", sort=False):
        look = style[model]
        for right in (True, False):
            some = rows_of(own[own["correct"] == right])
            axis.plot(
                [r.entropy for r in some],
                [r.stated for r in some],
                ls="none",
                ms=7,
                mec=look["color"],
                mfc=look["color"] if right else "none",
                label=model if right or not own["correct"].any() else None,
                **look,
            )
    axis.set_xlabel("decoding entropy of the answer, nats a token")
    axis.set_ylabel("stated confidence in %")
    axis.set_ylim(-5, 105)
    figure.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return figure


@drawing(
    name="fig-study4-lineages",
    caption=(
        "Correlation of T1-CC with T2-EV over the panel, and over what is left of it without each lineage. "
        "Dashed: the whole panel. Look how far one family's models move it, and whether past 0."
    ),
    alt="Correlation of two tasks over the panel without each lineage",
)
def lineages(found: Any) -> Figure:
    """Correlation of two tasks over the panel without each lineage."""
    rows = found.lineages[found.lineages["r"].notna()]
    figure, axis = new_axes(height=3.6)
    (look,) = looks(["r"]).values()
    whole = rows["r"].iloc[0]
    axis.axvline(0, color=GREY, lw=1)
    axis.axvline(whole, color=GREY, lw=1, ls="--")
    for y, row in enumerate(rows_of(rows)):
        axis.plot([whole, row.r], [y, y], color=GREY, lw=1)
        axis.plot([row.r], [y], ls="none", ms=7, **look)
    axis.set_yticks(range(len(rows)), list(rows["left_out"]))
    axis.invert_yaxis()
    axis.set_xlim(-1, 1)
    axis.set_xlabel("r of T1-CC and T2-EV")
    axis.set_ylabel("left out")
    return figure


FIGURES = {"own_items.entropy": entropy, "printed_panel.lineages": lineages}
