"""Figures of the experiments under risk."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes
from metacog.report.verdicts import rows_of
from metacog.studies.study2_two_choice.comparisons import ROPE
from metacog.studies.study2_two_choice.published import MODELS, RISKS, TASKS

#: How readers know the configurations, in the order of :data:`RISKS`.
WARNED = {"S1": "of S1", "None": "none", "S2": "of S2"}


def _over_risk(cells: pd.DataFrame, measure: str, label: str) -> Figure:
    style = looks(MODELS.values())
    figure, axes = new_axes(len(TASKS), 1, height=2.1, sharex=True, sharey=True)
    for axis, (task, title) in zip(axes, TASKS.items(), strict=True):
        axis.axhline(0, color=GREY, lw=1)
        for shift, (model, name) in zip((-0.07, 0, 0.07), MODELS.items(), strict=True):
            own = (
                cells[(cells["task"] == task) & (cells["model"] == model)].set_index("risk").loc[list(RISKS)]
            )
            x = [i + shift for i in range(len(RISKS))]
            axis.errorbar(x, own[measure], yerr=own[f"{measure}_half"], label=name, lw=1.6, ms=6, capsize=3,
                          **style[name])  # fmt: skip
        axis.set_title(f"Task {title}", loc="left")
        axis.set_ylabel(label)
    axes[-1].set_xticks(range(len(RISKS)), [WARNED[r] for r in RISKS])
    axes[-1].set_xlabel("warning against a wrong answer")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=3)
    return figure


@drawing(
    name="fig-study2-criterion",
    caption=(
        "The criterion c with 95 % delta intervals, by task, model and warning. Below 0 a model says S2 more "
        "readily, above 0 S1. A model that heeds a warning climbs from left to right; look how steeply, and "
        "whether it stands at 0 without a warning."
    ),
    alt="Criterion c of three models at three warnings, one panel a task",
)
def criterion(found: Any) -> Figure:
    """Criterion c of three models at three warnings, one panel a task."""
    return _over_risk(found.cells, "c", "c")


@drawing(
    name="fig-study2-relative-criterion",
    caption=(
        "The same for c' = c/d', with intervals by the delta method that count the covariance of c and d'. "
        "Look whether any line runs otherwise than its line of c."
    ),
    alt="Relative criterion c' of three models at three warnings, one panel a task",
)
def relative(found: Any) -> Figure:
    """Relative criterion c' of three models at three warnings, one panel a task."""
    return _over_risk(found.cells, "c_prime", "c'")


@drawing(
    name="fig-study2-d-pairs",
    caption=(
        "Differences of d' between warnings. Thick: 95 % intervals; thin: as wide as the Bonferroni test. "
        "Grey: the ROPE. The verdict changes with the width where only the thick line is clear of the grey."
    ),
    alt="Differences of d prime between pairs of warnings with two intervals each, against the ROPE",
)
def d_pairs(found: Any) -> Figure:
    """Differences of d prime between pairs of warnings with two intervals each, against the ROPE."""
    own = found.pairs[found.pairs["measure"] == "d_prime"]
    figure, axis = new_axes(height=7.6)
    axis.axvspan(-ROPE["d_prime"], ROPE["d_prime"], color=GREY, alpha=0.25, lw=0)
    axis.axvline(0, color=GREY, lw=1)
    style = looks(MODELS.values())
    names = []
    for y, row in enumerate(rows_of(own)):
        look = style[row.name]
        axis.plot([row.lower_wide, row.upper_wide], [y, y], color=look["color"], lw=1)
        axis.plot([row.lower, row.upper], [y, y], color=look["color"], lw=3)
        axis.plot([row.difference], [y], ls="none", ms=6, **look)
        names.append(f"{row.task}, {row.name}: {row.first} - {row.second}")
    axis.set_yticks(range(len(names)), names, fontsize=9)
    axis.invert_yaxis()
    axis.set_xlabel("difference of d'")
    return figure


FIGURES = {"risk.criterion": criterion, "risk.relative": relative, "risk.d_pairs": d_pairs}
