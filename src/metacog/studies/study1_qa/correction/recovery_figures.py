"""Figures of simulated answerers: what the measures make of a known efficiency."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes
from metacog.studies.study1_qa.correction.recovery import (
    ASKED,
    BOTH,
    NEITHER,
    NO_VALUE,
    ORDER_ONLY,
    SLOPES,
    TURNED,
)
from metacog.studies.study1_qa.correction.recovery_judging import SHOWN

_LOOKS = looks(ASKED)


@drawing(
    name="fig-correction-families",
    caption=(
        "M-ratio of expected tables against true efficiency, one line per family, where 43 % and where 10 % "
        "are right. Dashed: what a measure of efficiency would do. Lines that fall, lie level and rise "
        "cross one another, so a height belongs to no one efficiency and to no one family. A bundle "
        "along the dashed line in both panels would change our mind."
    ),
    alt=(
        "M-ratio against true efficiency for ten kinds of answerers at two accuracies: level "
        "for additive noise, falling for graded and heavy-tailed noise, and rising or falling "
        "with accuracy for others"
    ),
)
def families(result: Any) -> Figure:
    """M-ratio of expected tables against true efficiency: one line per variant, one panel per accuracy."""
    figure, axes = new_axes(1, 2, height=5.6, sharey=True)
    cells = result.cells
    known = cells[cells["m_ratio"].notna() & (cells["family"] != "levels")]
    style = looks(known["variant"])
    for axis, accuracy in zip(axes, (0.43, 0.1), strict=True):
        axis.axhline(1, color=GREY, lw=0.8)
        axis.plot([0.2, 1], [0.2, 1], color=GREY, ls="--", lw=1.2)
        for name, rows in known[known["accuracy"] == accuracy].groupby("variant", sort=False):
            axis.plot(rows["efficiency"], rows["m_ratio"], lw=1.4, ms=5.5, **style[str(name)])
        axis.set_title(f"{100 * accuracy:.0f} % right", loc="left")
        axis.set_xlabel("true efficiency")
        axis.set_xlim(0.2, 1.05)
        axis.set_xticks([0.25, 0.5, 0.75, 1])
    axes[0].set_ylabel("M-ratio")
    figure.legend(
        [Line2D([], [], lw=1.4, ms=5.5, **look) for look in style.values()],
        list(style),
        loc="outside lower center",
        ncols=2,
    )
    return figure


#: How an outcome is drawn: marker, colour, filled.
_OUTCOMES = {
    BOTH: ("o", "#0173b2", True),
    ORDER_ONLY: ("o", "#0173b2", False),
    NEITHER: ("X", "#d55e00", True),
    TURNED: ("v", "#d55e00", False),
    NO_VALUE: ("_", GREY, True),
}


@drawing(
    name="fig-correction-outcomes",
    caption=(
        "The same criterion for three measures. A row is a family, a column an accuracy; in each, "
        "answerers differ in true efficiency alone. Filled circle: order and amount recovered; hollow: "
        "the order; cross: neither; triangle: the order reversed; dash: no value. Empty places cannot "
        "be had. Filled circles for meta-I2r are no merit: efficiency is defined by the same "
        "information."
    ),
    alt=(
        "Grid of outcomes for M-ratio, meta-I2r and AUROC2 over fourteen kinds of answerers and "
        "five accuracies: mostly crosses for M-ratio, mostly circles for the other two"
    ),
)
def outcomes(result: Any) -> Figure:
    """What each measure recovers: one panel per measure, one line per variant, one column per accuracy."""
    table = result.outcomes
    variants = list(dict.fromkeys(table["variant"]))
    accuracies = sorted(set(table["accuracy"]))
    figure, axes = new_axes(1, len(SHOWN), height=1.8 + 0.3 * len(variants), sharey=True)
    for axis, measure in zip(axes, SHOWN, strict=True):
        for row in table[table["measure"] == measure].to_dict("records"):
            marker, colour, filled = _OUTCOMES[row["outcome"]]
            axis.scatter(
                accuracies.index(row["accuracy"]),
                variants.index(row["variant"]),
                marker=marker,
                s=46,
                linewidths=1.6,
                edgecolors=None if marker == "_" else colour,
                c=colour if filled else "white",
            )
        axis.set_title(ASKED[measure], loc="left")
        axis.set_xticks(range(len(accuracies)), [f"{100 * a:.0f}" for a in accuracies])
        axis.set_xlim(-0.6, len(accuracies) - 0.4)
        axis.grid(axis="x", visible=False)
    axes[0].set_yticks(range(len(variants)), variants)
    axes[0].set_ylim(len(variants) - 0.4, -0.6)
    axes[len(axes) // 2].set_xlabel("answers right (%)")
    shown = {w: look for w, look in _OUTCOMES.items() if (table["outcome"] == w).any()}
    handles = [
        Line2D([], [], ls="", marker=m, color=c, mfc=c if filled else "white", mew=1.6, ms=7)
        for m, c, filled in shown.values()
    ]
    figure.legend(handles, list(shown), loc="outside lower center", ncols=2)
    return figure


@drawing(
    name="fig-correction-shapes",
    caption=(
        "Five fully efficient answerers that differ in the slope of their z-ROC only. A measure "
        "of efficiency should draw a level line. AUROC2 does so by design: d_a is the same in all five."
    ),
    alt=("M-ratio, meta-I2r and AUROC2 against z-ROC slope for answerers of equal efficiency"),
)
def shapes(result: Any) -> Figure:
    """Fully efficient answerers of different z-ROC slopes: what each measure makes of them."""
    recovery = result.recoveries["shape"]
    figure, axis = new_axes(height=3.6)
    slopes = list(SLOPES)
    middle = slopes.index(1.0)
    for shift, measure in zip((-0.01, 0.0, 0.01), SHOWN, strict=True):
        rows = recovery.of(measure)
        unit = rows["mean"].iloc[middle]
        axis.errorbar(
            np.array(slopes) + shift,
            rows["mean"] / unit,
            yerr=[(rows["mean"] - rows["lower"]) / unit, (rows["upper"] - rows["mean"]) / unit],
            label=ASKED[measure],
            lw=1.6,
            ms=6,
            capsize=3,
            **_LOOKS[measure],
        )
    axis.axhline(1, color=GREY, ls="--", lw=1.2)
    axis.set_xlabel("z-ROC slope of the answerer (all of efficiency 1)")
    axis.set_ylabel("measured, slope 1 = 1")
    axis.legend(loc="lower left")
    return figure


@drawing(
    name="fig-correction-limits",
    caption=(
        "Three measures relative to the most efficient answerer (AUROC2: its distance from 1/2). Left: "
        "additive noise at one strength. Right: strength grows with the noise, so that the expected "
        "table stays the same and nothing computed from it can see the efficiency. Dashed: the truth. "
        "Bars hold 95 % of the repetitions."
    ),
    alt=("Measured against true efficiency with strength held fixed, and with the expected table held fixed"),
)
def recovered(result: Any) -> Figure:
    """Each measure relative to the first answerer's, against true efficiency; one panel per design."""
    recoveries = {
        "same strength": result.recoveries["noise"],
        "same table": result.recoveries["same table"],
    }
    figure, axes = new_axes(1, len(recoveries), height=4.0, squeeze=False, sharey=True)
    for axis, (title, recovery) in zip(axes[0], recoveries.items(), strict=True):
        axis.plot([0.2, 1], [0.2, 1], color=GREY, ls="--", lw=1.2)
        for shift, measure in zip((-0.012, 0.0, 0.012), SHOWN, strict=True):
            rows = recovery.of(measure)
            truth = rows["efficiency"] / rows["efficiency"].iloc[0]
            low, high = rows["ratio"] - rows["ratio_lower"], rows["ratio_upper"] - rows["ratio"]
            axis.errorbar(
                truth + shift,
                rows["ratio"],
                yerr=[low, high],
                label=ASKED[measure],
                lw=1.6,
                ms=6,
                capsize=3,
                **_LOOKS[measure],
            )
        axis.set_title(title, loc="left")
        axis.set_xlabel("true efficiency")
    axes[0, 0].set_ylabel("measured, first answerer = 1")
    axes[0, 0].set_ylim(bottom=0)
    axes[0, 0].legend(loc="lower right")
    return figure
