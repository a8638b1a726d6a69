"""Figures of the audit."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, INK, looks, new_axes
from metacog.studies.study4_probe.ledger.entries import sweep_item
from metacog.studies.study4_probe.ledger.published import TASKS, short


@drawing(
    name="fig-study4-profiles",
    caption=(
        "Scores of the eight models on the five tasks, one line per model. Lines that cross say that no model "
        "leads everywhere; look how often they do, and who is first on T1-CC and last on T4-CR."
    ),
    alt="Profiles of eight models over five tasks",
)
def profiles(result: Any) -> Figure:
    """Profiles of eight models over five tasks."""
    style = looks(result.leaderboard["model"])
    figure, axis = new_axes(height=4.8)
    x = np.arange(len(TASKS))
    for row in result.leaderboard.to_dict("records"):
        axis.plot(x, [row[t] for t in TASKS], lw=1.5, ms=6, label=row["model"], **style[row["model"]])
    axis.set_xticks(x, [short(t) for t in TASKS])
    axis.set_ylabel("score")
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=2)
    return figure


@drawing(
    name="fig-study4-sweep",
    caption=(
        "Flash's T4-CR at nine pairs of thresholds, of the standard deviation of confidence and of its range: filled "
        "what its twelve items give, hollow what is printed. Look how far apart the two are away from the middle "
        "pair: a confidence that hardly moves has nearly whole penalties at every pair."
    ),
    alt="Recomputed and printed T4-CR of one model at nine pairs of thresholds",
)
def thresholds(result: Any) -> Figure:
    """Recomputed and printed T4-CR of one model at nine pairs of thresholds."""
    figure, axis = new_axes(height=3.4)
    rows = rows_of(result.sweep)
    y = np.arange(len(rows))
    for at, row in zip(y, rows, strict=True):
        axis.plot([row.score, row.printed], [at, at], color=GREY, lw=1)
    axis.plot([r.score for r in rows], y, "o", ms=7, color=INK, label="from the printed items")
    axis.plot([r.printed for r in rows], y, "s", ms=7, color=INK, mfc="none", label="printed")
    axis.set_yticks(y, [sweep_item(row) for row in rows])
    axis.invert_yaxis()
    axis.set_xlabel("T4-CR, points of 100")
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=2)
    return figure


@drawing(
    name="fig-study4-tests",
    caption=(
        "Spearman's rho of confidence with correctness: the interval of 24 items (thick) and the printed "
        "one (thin). Look which of them contain 0, and which of the two is the wider."
    ),
    alt="Rank correlations of eight models with two intervals each",
)
def tests(result: Any) -> Figure:
    """Rank correlations of eight models with two intervals each."""
    style = looks(result.leaderboard["model"])
    figure, axis = new_axes(height=3.6)
    axis.axvline(0, color=GREY, lw=1)
    for y, row in enumerate(rows_of(result.tests)):
        look = style[row.model]
        axis.plot([row.lower, row.upper], [y, y], color=look["color"], lw=1)
        axis.plot([row.lower_24, row.upper_24], [y, y], color=look["color"], lw=3)
        axis.plot([row.rho], [y], ls="none", ms=7, **look)
    axis.set_yticks(range(len(result.tests)), list(result.tests["model"]))
    axis.invert_yaxis()
    axis.set_xlabel("Spearman's rho")
    return figure


@drawing(
    name="fig-study4-lineages",
    caption=(
        "Correlation of T1-CC with T2-EV over the panel, and over what is left of it without each lineage. "
        "Dashed: the whole panel. Look how far one family's models move it, and whether past 0."
    ),
    alt="Correlation of two tasks over the panel without each lineage",
)
def lineages(result: Any) -> Figure:
    """Correlation of two tasks over the panel without each lineage."""
    rows = result.lineages[result.lineages["r"].notna()]
    figure, axis = new_axes(height=3.6)
    whole = rows["r"].iloc[0]
    axis.axvline(0, color=GREY, lw=1)
    axis.axvline(whole, color=GREY, lw=1, ls="--")
    for y, row in enumerate(rows_of(rows)):
        axis.plot([whole, row.r], [y, y], color=GREY, lw=1)
        axis.plot([row.r], [y], "o", ms=7, color=INK)
    axis.set_yticks(range(len(rows)), list(rows["left_out"]))
    axis.invert_yaxis()
    axis.set_xlim(-1, 1)
    axis.set_xlabel("r of T1-CC and T2-EV")
    axis.set_ylabel("left out")
    return figure
