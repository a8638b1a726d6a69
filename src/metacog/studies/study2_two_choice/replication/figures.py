"""Figures of the experiments on the models of the run."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import Drawing, drawing
from metacog.report.style import GREY, looks, new_axes
from metacog.studies.study2_two_choice.cells import panels

#: How readers know the signals of confidence.
SIGNALS = {
    "rating": "the digit given",
    "expected_confidence": "the mean over the digits",
    "p_decision": "the probability of the decision",
    "p_preferred": "the probability of the preferred option",
}


@drawing(
    name="fig-study2-replication-signals",
    caption=(
        "AUROC2 of signals of confidence, with 95 % intervals: three about the decisions that were drawn, and one "
        "about the options that the model prefers. The dashed line is chance. Look whether the confidence that a model "
        "states lies left of what its probabilities reveal, and how much of that remains without the luck of the draw."
    ),
)
def signals(result: Any) -> Figure | None:
    """AUROC2 of every signal, by cell."""
    table = result.signals[result.signals["auroc2"].notna()]
    if table.empty:
        return None
    cells = list(dict.fromkeys(zip(table["task"], table["name"], strict=True)))
    style = looks(SIGNALS.values())
    figure, axis = new_axes(height=0.72 * len(cells) + 1.0)
    axis.axvline(0.5, color=GREY, lw=1, ls="--")
    seen = set()
    for row in rows_of(table):
        y = cells.index((row.task, row.name)) + 0.2 * (list(SIGNALS).index(row.signal) - 1.5)
        words = SIGNALS[row.signal]
        axis.plot([row.auroc2_lower, row.auroc2_upper], [y, y], color=style[words]["color"], lw=2)
        label = None if words in seen else words
        axis.plot([row.auroc2], [y], ls="none", ms=7, label=label, **style[words])
        seen.add(words)
    axis.set_yticks(range(len(cells)), [f"{task}, {name}" for task, name in cells])
    axis.invert_yaxis()
    axis.set_xlabel("AUROC2")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


accuracy = Drawing(
    lambda result: panels.accuracy_by_level(result.accuracy),
    name="fig-study2-replication-accuracy",
    caption=(
        "Share of right answers at each level of confidence, with Wilson's 95 % intervals; levels with few "
        "trials are left out. The dashed line is guessing. A model that knows itself climbs."
    ),
    alt="Accuracy against confidence for the models of this run, one panel per task",
)
criterion = Drawing(
    lambda result: panels.over_risk(result.cells, "c", "c"),
    name="fig-study2-replication-criterion",
    caption=(
        "The criterion c of the models of this run with 95 % delta intervals, by task and warning. A model "
        "that heeds a warning climbs from left to right. A point without an interval is determined by its padding."
    ),
    alt="Criterion c of the models of this run at three warnings, one panel per task",
)
