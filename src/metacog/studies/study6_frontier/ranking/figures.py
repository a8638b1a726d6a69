"""The picture of the ranking: what each model's area is, and which ranks it may have."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, height_of, name_rows, new_axes
from metacog.studies.study6_frontier.showing.models import family_legend, family_looks


@drawing(
    name="fig-frontier-ranking",
    caption=(
        "Left: AUROC2 of each model's confidence with its 95 % interval over items; the dashed line is chance. "
        "Right: the ranks that cannot be ruled out when all pairs of models are judged together; the mark is the rank "
        "of the estimate. A settled order would be a staircase of short bars."
    ),
)
def forest(result: Any) -> Figure | None:
    """AUROC2 of 33 models with intervals, best on top, beside bars of the ranks that each may have."""
    rows = result.models[result.models["auroc2"].notna()]
    if rows.empty:
        return None
    style = family_looks()
    figure, (left, right) = new_axes(
        1, 2, height=height_of(len(rows)), sharey=True, gridspec_kw={"width_ratios": [1.15, 1]}
    )
    left.axvline(0.5, color=GREY, ls="--", lw=1.2)
    for y, row in enumerate(rows_of(rows)):
        look = style[row.family]
        left.plot([row.auroc2_lower, row.auroc2_upper], [y, y], color=look["color"], lw=1.8)
        left.plot(row.auroc2, y, ls="none", ms=6, **look)
        right.plot(
            [row.set_lower, row.set_upper],
            [y, y],
            color=look["color"],
            lw=5,
            alpha=0.45,
            solid_capstyle="butt",
        )
        right.plot(row.rank, y, ls="none", ms=6, **look)
    name_rows(left, rows["model"])
    left.set_xlabel("AUROC2")
    right.set_xlabel("Rank")
    right.set_xlim(0, len(rows) + 1)
    for axis in (left, right):
        axis.grid(axis="y", visible=False)
    family_legend(figure, rows["family"])
    return figure
