"""Figures of the audit."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes
from metacog.studies.study4_probe.published import TASKS, short


@drawing(
    name="fig-study4-profiles",
    caption=(
        "Scores of the eight models on the five tasks, a line a model. Lines that cross say that no model "
        "leads everywhere; look how often they do, and who is first on T1-CC and last on T4-CR."
    ),
    alt="Profiles of eight models over five tasks",
)
def profiles(found: Any) -> Figure:
    """Profiles of eight models over five tasks."""
    style = looks(found.leaderboard["model"])
    figure, axis = new_axes(height=4.8)
    x = np.arange(len(TASKS))
    for row in found.leaderboard.to_dict("records"):
        axis.plot(x, [row[t] for t in TASKS], lw=1.5, ms=6, label=row["model"], **style[row["model"]])
    axis.set_xticks(x, [short(t) for t in TASKS])
    axis.set_ylabel("score")
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=2)
    return figure


@drawing(
    name="fig-study4-sweep",
    caption=(
        "Flash's T4-CR at nine pairs of thresholds: filled what its twelve items give, hollow what is "
        "printed. Look how far apart the two are away from the middle pair: a confidence that hardly moves "
        "has nearly whole penalties at every pair."
    ),
    alt="Recomputed and printed T4-CR of one model at nine pairs of thresholds",
)
def thresholds(found: Any) -> Figure:
    """Recomputed and printed T4-CR of one model at nine pairs of thresholds."""
    look = looks(["recomputed", "printed"])
    figure, axis = new_axes(height=4.2)
    rows = rows_of(found.sweep)
    y = np.arange(len(rows))
    for at, row in zip(y, rows, strict=True):
        axis.plot([row.score, row.printed], [at, at], color=GREY, lw=1)
    axis.plot(
        [r.score for r in rows], y, ls="none", ms=7, label="from the printed items", **look["recomputed"]
    )
    axis.plot([r.printed for r in rows], y, ls="none", ms=7, mfc="none", label="printed", **look["printed"])
    axis.set_yticks(y, [f"sigma_T {r.sigma_T}, R_T {r.range_T}" for r in rows])
    axis.invert_yaxis()
    axis.set_xlabel("T4-CR")
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=2)
    return figure


@drawing(
    name="fig-study4-tests",
    caption=(
        "Spearman's rho of confidence with correctness: the interval of 24 items (thick) and the printed "
        "one (thin). Look which of them hold 0, and which of the two is the wider."
    ),
    alt="Rank correlations of eight models with two intervals each",
)
def tests(found: Any) -> Figure:
    """Rank correlations of eight models with two intervals each."""
    style = looks(found.tests["model"])
    figure, axis = new_axes(height=4.2)
    axis.axvline(0, color=GREY, lw=1)
    for y, row in enumerate(rows_of(found.tests)):
        look = style[row.model]
        axis.plot([row.lo, row.hi], [y, y], color=look["color"], lw=1)
        axis.plot([row.lo_24, row.hi_24], [y, y], color=look["color"], lw=3)
        axis.plot([row.rho], [y], ls="none", ms=7, **look)
    axis.set_yticks(range(len(found.tests)), list(found.tests["model"]))
    axis.invert_yaxis()
    axis.set_xlabel("Spearman's rho")
    return figure


FIGURES = {"printed.profiles": profiles, "printed.sweep": thresholds, "printed.tests": tests}
