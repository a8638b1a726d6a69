"""Figures of the experiments under risk."""

from __future__ import annotations

from metacog.report.drawing import Drawing
from metacog.studies.study2_two_choice.drawings import panels

FIGURES = {
    "risk.criterion": Drawing(
        lambda found: panels.over_risk(found.cells, "c", "c"),
        name="fig-study2-criterion",
        caption=(
            "The criterion c with 95 % delta intervals, by task, model and warning. Below 0 a model says S2 "
            "more readily, above 0 S1. A model that heeds a warning climbs from left to right; look how "
            "steeply, and whether it stands at 0 without a warning."
        ),
        alt="Criterion c of three models at three warnings, one panel a task",
    ),
    "risk.relative": Drawing(
        lambda found: panels.over_risk(found.cells, "c_prime", "c'"),
        name="fig-study2-relative-criterion",
        caption=(
            "The same for c' = c/d', with intervals by the delta method that count the covariance of c and "
            "d'. Look whether any line runs otherwise than its line of c."
        ),
        alt="Relative criterion c' of three models at three warnings, one panel a task",
    ),
    "risk.d_pairs": Drawing(
        lambda found: panels.d_pairs(found.pairs),
        name="fig-study2-d-pairs",
        caption=(
            "Differences of d' between warnings. Thick: 95 % intervals; thin: as wide as the Bonferroni "
            "test. Grey: the ROPE. The verdict changes with the width where only the thick line is clear of "
            "the grey."
        ),
        alt=("Differences of d prime between pairs of warnings with two intervals each, against the ROPE"),
    ),
}
