"""Is it only the surface? Its picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.measures.answer_surface import ALL, SURFACE
from metacog.report.drawing import drawing
from metacog.report.style import GREY, legend_above, looks, panel_axes

#: Lines of a panel: the control and the column of the table, and what readers call it.
LINES = {
    (SURFACE, "auroc2"): "NLP, all answers",
    (SURFACE, "alike"): "NLP, answers alike in length and rarity",
    (ALL, "alike"): "and in other models' NLP",
    (SURFACE, "alone"): "length and rarity alone",
}


@drawing(
    name="fig-surface-left",
    caption=(
        "How often a right answer is put above a wrong one (AUROC2) by temperature: by NLP among all answers; by NLP "
        "among answers that are alike in length and word rarity, and also in the other models' NLP on the question; "
        "and by length and word rarity alone. 95 % intervals over questions, the dashed line is chance. If NLP were "
        "only the surface, the second line would lie on the dashed one."
    ),
)
def left(result: Any) -> Figure | None:
    """AUROC2 against temperature, one panel per model: of NLP, of NLP among answers alike, of the surface alone."""
    rows = result.left[result.left["auroc2"].notna()]
    if rows.empty:
        return None
    models = list(dict.fromkeys(rows["model"]))
    style = looks(LINES.values())
    temperatures = sorted(rows["temperature"].unique())
    figure, axes = panel_axes(len(models), "Temperature", "AUROC2", height=3.8 if len(models) < 3 else 3.0)
    for axis, model in zip(axes, models, strict=True):
        for place, ((control, column), title) in enumerate(LINES.items()):
            own = rows[(rows["model"] == model) & (rows["control"] == control)].set_index("temperature")
            if own.empty:
                continue
            value, low, high = (
                own[f"{column}{end}"].reindex(temperatures) for end in ("", "_lower", "_upper")
            )
            x = np.arange(len(temperatures)) + 0.08 * (place - 1.5)
            axis.vlines(x, low, high, color=style[title]["color"], lw=1.5)
            axis.plot(x, value, ms=6, lw=1.2, label=title, **style[title])
        axis.axhline(0.5, color=GREY, ls="--", lw=1.2)
        axis.set_title(model)
        axis.set_xticks(range(len(temperatures)), [f"{t:g}" for t in temperatures])
    legend_above(figure, axes[0])
    return figure
