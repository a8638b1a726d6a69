"""The measures built one after the other from one small table: its figures."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import norm

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, legend_above, looks, new_axes

_KINDS = looks(["positive", "negative"])
_WHO = looks(["the table", "confidence that uses all of d'"])


@drawing(
    name="fig-primer-evidence",
    caption=(
        "What d' and c picture. Each sentence gives the answerer some evidence; that of positive sentences is higher "
        "on average, and d' is the distance between the two peaks. Whatever lies right of the criterion c is called "
        "positive: the solid area are hits, the hatched one false alarms. Moving the line changes both, the "
        "distance neither."
    ),
    alt="Two overlapping bell curves of evidence with a criterion between them; areas of hits and false alarms",
)
def evidence(result: Any) -> Figure:
    """The two bell curves that d' and c imply, with the areas of hits and false alarms."""
    d_prime, c = result.numbers["d_prime"], result.numbers["c"]
    figure, axis = new_axes(height=2.6)
    x = np.linspace(-3.8, 3.8, 400)
    beyond = x >= c
    for mean, kind, dashes, hatch in (
        (-d_prime / 2, "negative", "--", "///"),
        (d_prime / 2, "positive", "-", ""),
    ):
        colour, height = _KINDS[kind]["color"], norm.pdf(x, mean)
        axis.plot(x, height, color=colour, ls=dashes, lw=2.2, label=f"{kind} sentences")
        # two areas: in an SVG the paleness of one would hold for its hatch as well
        axis.fill_between(x[beyond], height[beyond], color=colour, alpha=0.25, linewidth=0)
        if hatch:
            axis.fill_between(
                x[beyond], height[beyond], facecolor="none", edgecolor=colour, hatch=hatch, linewidth=0
            )
    axis.axvline(c, color=GREY, lw=1.6)
    axis.annotate("c", (c, 0.455), (4, 0), textcoords="offset points", ha="left")
    ends = (d_prime / 2, 0.415), (-d_prime / 2, 0.415)
    axis.annotate("", *ends, arrowprops={"arrowstyle": "<->", "color": "black"})
    axis.annotate("d'", (d_prime / 4, 0.42), ha="center", va="bottom")
    axis.set(ylim=(0, 0.5), xlabel="evidence for positive, in standard deviations")
    axis.set_yticks([])
    axis.legend(loc="upper left", fontsize=10)
    return figure


@drawing(
    name="fig-primer-confidence",
    caption=(
        "Left: the type-2 ROC of a table with two levels of confidence is a line with one bend; AUROC2 is the area "
        "below it, the dashed diagonal is confidence that knows nothing. The higher bend is what the d' would allow "
        "if confidence used all of it. Right: uncertainty about being right at each confidence; the dashed line "
        "is the uncertainty before, and meta-I is how far the bars lie below it on average."
    ),
    alt="Type-2 ROC with one bend for the table and a higher one for full use of d'; bars of remaining uncertainty",
)
def confidence(result: Any) -> Figure:
    """The type-2 ROC next to the best that its d' allows, and the bits of uncertainty left at each confidence."""
    figure, axes = new_axes(1, 2, height=2.9)
    shown = result.observers[result.observers["who"].isin(list(_WHO))]
    for row in rows_of(shown):
        axes[0].plot(
            [0, row.sure_wrong, 1], [0, row.sure_right, 1], lw=1.8, ms=7, label=row.who, **_WHO[row.who]
        )
    axes[0].plot([0, 1], [0, 1], color=GREY, ls="--", lw=1.2)
    axes[0].set(
        xlabel="wrong replies that are sure", ylabel="right replies that are sure", title="type-2 ROC"
    )
    legend_above(figure, axes[0])
    table = result.confidence
    axes[1].bar(table["confidence"], table["bits"], color="#9ca3af", edgecolor="white", width=0.6)
    axes[1].axhline(result.numbers["entropy"], color="black", ls="--", lw=1.4)
    axes[1].set(title="uncertainty left (bits)", ylim=(0, 1.05))
    axes[1].grid(axis="x", visible=False)
    return figure
