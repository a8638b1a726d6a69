"""Figures of what has no registered rule, of the correction, and of the measures on one table."""

from __future__ import annotations

from metacog.report.drawing import Drawing
from metacog.studies.study1_qa.correction import figures as correction_figures

#: By analysis and figure.
FIGURES = {
    "correction.cuts": Drawing(
        lambda found: correction_figures.cuts(found.cells),
        name="fig-correction-cuts",
        caption=(
            "d' at each of the seven cuts. A flat line gives an M-ratio of 1 at any height; the grey "
            "band marks the cut that v1 calls d'. How high a line lies is how much confidence tells; how "
            "it tilts and bends is what the M-ratio is made of. A ratio that followed the height would "
            "change our mind."
        ),
        alt="Lines of d prime at seven cut points for four models on two question sets",
    ),
    "correction.slope": Drawing(
        lambda found: correction_figures.slope_and_ratio(found.measures),
        name="fig-correction-slope",
        caption=(
            "M-ratio against z-ROC slope. Curves: straight z-ROCs of equal sensitivity. Filled "
            "points: TriviaQA, hollow: Natural Questions (10 to 28 % right, so compare them with the "
            "dotted curve). A point off its curve has a z-ROC that bends, or is noisy."
        ),
        alt=("M-ratio against z-ROC slope for eight published cells with three predicted curves"),
    ),
    "correction.two": Drawing(
        lambda found: correction_figures.two_measures(found.measures),
        name="fig-correction-two",
        caption=(
            "The same eight tables of counts, measured twice, with 95 % intervals. Filled: TriviaQA, "
            "hollow: Natural Questions. Models stand in the order of v1 on TriviaQA. Note how far "
            "Mistral's M-ratio moves from one question set to the other."
        ),
        alt="M-ratio and meta-I2r of four models with confidence intervals side by side",
    ),
    "correction_own.two": Drawing(
        lambda found: correction_figures.two_measures(found.measures),
        name="fig-correction-own",
        caption="The run's own models, measured by both versions, with 95 % intervals.",
        alt="M-ratio and meta-I2r of the run's models with confidence intervals",
    ),
    "correction_recovery.families": Drawing(
        lambda found: correction_figures.families(found.cells),
        name="fig-correction-families",
        caption=(
            "M-ratio of expected tables against true efficiency, a line a family, where 43 % and where 10 % "
            "are right. Dashed: what a measure of efficiency would do. Lines that fall, lie level and rise "
            "cross one another, so a height belongs to no one efficiency and to no one family. A bundle "
            "along the dashed line in both panels would change our mind."
        ),
        alt=(
            "M-ratio against true efficiency for ten kinds of answerers at two accuracies: level "
            "for additive noise, falling for graded and heavy-tailed noise, and rising or falling "
            "with accuracy for others"
        ),
    ),
    "correction_recovery.outcomes": Drawing(
        lambda found: correction_figures.outcome_grid(found.outcomes),
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
    ),
    "correction_recovery.shapes": Drawing(
        lambda found: correction_figures.shapes(found.recoveries["shape"]),
        name="fig-correction-shapes",
        caption=(
            "Five fully efficient answerers that differ in the slope of their z-ROC only. A measure "
            "of efficiency should draw a level line. AUROC2 does so by design: d_a is the same in all five."
        ),
        alt=("M-ratio, meta-I2r and AUROC2 against z-ROC slope for answerers of equal efficiency"),
    ),
    "correction_recovery.limits": Drawing(
        lambda found: correction_figures.recovered(
            {"same strength": found.recoveries["noise"], "same table": found.recoveries["same table"]}
        ),
        name="fig-correction-limits",
        caption=(
            "Three measures relative to the most efficient answerer (AUROC2: its distance from 1/2). Left: "
            "additive noise at one strength. Right: strength grows with the noise, so that the expected "
            "table stays the same and nothing computed from it can see the efficiency. Dashed: the truth. "
            "Bars hold 95 % of the repetitions."
        ),
        alt=(
            "Measured against true efficiency with strength held fixed, and with the expected table "
            "held fixed"
        ),
    ),
}
