"""Figures of the experiments under risk."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.report.drawing import drawing
from metacog.studies.study2_two_choice.drawings import panels


@drawing(
    name="fig-study2-criterion",
    caption=(
        "The criterion c with 95 % delta intervals, by task, model and warning. Below 0 a model says S2 more "
        "readily, above 0 S1. A model that heeds a warning climbs from left to right; look how steeply, and "
        "whether it stands at 0 without a warning."
    ),
)
def criterion(found: Any) -> Figure:
    """Criterion c of three models at three warnings, one panel a task."""
    return panels.over_risk(found.cells, "c", "c")


@drawing(
    name="fig-study2-relative-criterion",
    caption=(
        "The same for c' = c/d', with intervals by the delta method that count the covariance of c and d'. "
        "Look whether any line runs otherwise than its line of c."
    ),
)
def relative(found: Any) -> Figure:
    """Relative criterion c' of three models at three warnings, one panel a task."""
    return panels.over_risk(found.cells, "c_prime", "c'")


@drawing(
    name="fig-study2-d-pairs",
    caption=(
        "Differences of d' between warnings. Thick: 95 % intervals; thin: as wide as the Bonferroni test. "
        "Grey: the ROPE. The verdict changes with the width where only the thick line is clear of the grey."
    ),
)
def d_pairs(found: Any) -> Figure:
    """Differences of d prime between pairs of warnings with two intervals each, against the ROPE."""
    return panels.d_pairs(found.pairs)


FIGURES = {"risk.criterion": criterion, "risk.relative": relative, "risk.d_pairs": d_pairs}
