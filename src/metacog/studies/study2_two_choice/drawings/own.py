"""Figures of the experiments on the models of the run."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import Drawing, drawing
from metacog.report.posterior import forest_of
from metacog.report.style import GREY, looks, new_axes
from metacog.studies.study2_two_choice.drawings import panels
from metacog.studies.study2_two_choice.own import SIGNALS


@drawing(
    name="fig-study2-own-signals",
    caption=(
        "AUROC2 of three signals of confidence about the same decisions, with 95 % intervals. The dashed "
        "line knows nothing. Look whether what a model says of its confidence lies left of what its "
        "probabilities say."
    ),
)
def signals(found: Any) -> Figure | None:
    """AUROC2 of the digit given, the mean over the digits and the probability of the decision, by cell."""
    table = found.signals[found.signals["auroc2"].notna()]
    if table.empty:
        return None
    cells = list(dict.fromkeys(zip(table["task"], table["name"], strict=True)))
    style = looks(SIGNALS.values())
    figure, axis = new_axes(height=0.62 * len(cells) + 1.0)
    axis.axvline(0.5, color=GREY, lw=1, ls="--")
    seen = set()
    for row in rows_of(table):
        y = cells.index((row.task, row.name)) + 0.22 * (list(SIGNALS).index(row.signal) - 1)
        axis.plot([row.auroc2_lo, row.auroc2_hi], [y, y], color=style[row.words]["color"], lw=2)
        label = None if row.words in seen else row.words
        axis.plot([row.auroc2], [y], ls="none", ms=7, label=label, **style[row.words])
        seen.add(row.words)
    axis.set_yticks(range(len(cells)), [f"{task}, {name}" for task, name in cells])
    axis.invert_yaxis()
    axis.set_xlabel("AUROC2")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


FIGURES = {
    "own_ratings.accuracy": Drawing(
        lambda found: panels.accuracy_by_level(found.accuracy),
        name="fig-study2-own-accuracy",
        caption=(
            "Share of right answers at each level of confidence, with Wilson's 95 % intervals; levels with "
            "few trials are left out. The dashed line is guessing. A model that knows itself climbs."
        ),
        alt="Accuracy against confidence for the models of this run, one panel a task",
    ),
    "own_ratings.signals": signals,
    "own_risk.criterion": Drawing(
        lambda found: panels.over_risk(found.cells, "c", "c"),
        name="fig-study2-own-criterion",
        caption=(
            "The criterion c of the models of this run with 95 % delta intervals, by task and warning. A "
            "model that heeds a warning climbs from left to right."
        ),
        alt="Criterion c of the models of this run at three warnings, one panel a task",
    ),
    "own_posterior.m_ratio": forest_of(
        "cells", ("task", "name"), name="fig-study2-own-m-ratio", colour="name"
    ),
}
