"""The picture of suspected keys: whose errors they are, and what becomes of AUROC2 without them."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, height_of, name_rows, new_axes
from metacog.studies.study6_frontier.keys.analysis import MOST, NEARLY_ALL
from metacog.studies.study6_frontier.showing.models import family_legend, family_looks


@drawing(
    name="fig-frontier-keys",
    caption=(
        "Models by accuracy, the most accurate on top. Left: the share of a model's errors on items on which at least "
        "half (pale) or nine tenths (dark) of the models of other families give the same answer, which is not "
        "the key. Right: AUROC2 with all items (grey) and without these items (hollow: half, filled: nine tenths)."
    ),
)
def errors(result: Any) -> Figure | None:
    """Share of errors on suspected items, and AUROC2 with and without them, for 33 models by accuracy."""
    most, nearly = (
        result.table[result.table["threshold"] == limit].set_index("model") for limit in (MOST, NEARLY_ALL)
    )
    if most.empty:
        return None
    order = list(most.sort_values("accuracy", ascending=False, kind="stable").index)
    style = family_looks()
    figure, (left, right) = new_axes(1, 2, height=height_of(len(order)), sharey=True)
    for y, (wide, narrow) in enumerate(
        zip(rows_of(most.loc[order]), rows_of(nearly.loc[order]), strict=True)
    ):
        look = style[wide.family]
        left.barh(y, wide.share_of_errors, color=look["color"], alpha=0.35, height=0.75)
        left.barh(y, narrow.share_of_errors, color=look["color"], height=0.75)
        right.plot([wide.auroc2, narrow.auroc2_without, wide.auroc2_without], [y] * 3, color=GREY, lw=1)
        right.plot(wide.auroc2, y, ls="none", ms=6, marker="|", mew=2.5, color=GREY)
        right.plot(wide.auroc2_without, y, ls="none", ms=6, mfc="white", **look)
        right.plot(narrow.auroc2_without, y, ls="none", ms=6, **look)
    name_rows(left, order)
    left.set_xlabel("Share of errors")
    right.set_xlabel("AUROC2")
    for axis in (left, right):
        axis.grid(axis="y", visible=False)
    family_legend(figure, most["family"])
    return figure
