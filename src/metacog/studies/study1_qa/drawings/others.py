"""Figures of what has no registered rule, of the correction, and of the measures on one table."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.report import worked_figures
from metacog.report.drawing import Drawing, drawing
from metacog.studies.study1_qa import figures
from metacog.studies.study1_qa.beside import MAIN
from metacog.studies.study1_qa.correction import figures as correction_figures


@drawing(
    name="fig-auroc2-ranks",
    caption=(
        "M-ratio (left) and meta-I2r (right) against AUROC2: above, the paper's models on "
        "TriviaQA from its counts; below, this run's. Points that climb together agree; the left "
        "panel above shows why version 1 spoke of opposite rankings."
    ),
)
def auroc2_ranks(found: Any) -> Figure:
    """Scatter of M-ratio and meta-I2r against AUROC2."""
    published = found.published_ranks[found.published_ranks["dataset"] == MAIN]
    return figures.rank_scatter({"published": published, "this run": found.ranks})


@drawing(
    name="fig-instruct-base",
    caption=(
        "Instruct less base on every measure, with 95 % intervals. Measures differ in scale, so "
        "compare a line with zero and with its other markers, not with other lines. A marker "
        "clear of zero on one question set and not on the other is a warning against general "
        "statements."
    ),
)
def instruct_base_differences(found: Any) -> Figure:
    """Differences between instruct and base model on seven measures."""
    parts = [("Llama-3-8B, triviaqa", found.triviaqa), ("Llama-3-8B, nq", found.nq)]
    own = found.differences.groupby("pair", sort=False)
    return figures.pair_differences([*parts, *((str(pair), rows) for pair, rows in own)])


#: By analysis and figure.
FIGURES = {
    "auroc2.ranks": auroc2_ranks,
    "selective.curves": Drawing(
        lambda found: figures.risk_coverage_lines(found.curves),
        name="fig-selective-curves",
        caption=(
            "Accuracy against coverage, by raw NLP. A useful confidence climbs to the left; a useless"
            " one follows its dotted line, which is accuracy without abstaining. The first twenty "
            "answers are left out: they are too few for a share."
        ),
        alt="Accuracy against coverage for each model of the run",
    ),
    "selective.published": Drawing(
        lambda found: figures.risk_coverage_lines(found.published_curves),
        name="fig-selective-published",
        caption=(
            "The paper's models on TriviaQA, from counts by rating (straight within a rating, because"
            " the order there is not public). Compare the height of a curve at its right end, "
            "accuracy, with how far it climbs from there, which is what confidence adds."
        ),
        alt="Accuracy against coverage for the published models",
    ),
    "instruct_base.differences": instruct_base_differences,
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
    "measures.bars": Drawing(
        lambda found: worked_figures.bars(found.answers),
        name="fig-measures-bars",
        caption=(
            "The worked table: right and wrong answers at each rating. The more the share of right "
            "answers climbs from left to right, the more confidence knows. Equal bars throughout "
            "would mean that it knows nothing."
        ),
        alt="Stacked bars of right and wrong answers at eight ratings",
    ),
    "measures.bells": Drawing(
        lambda found: worked_figures.bells(found.answers),
        name="fig-measures-bells",
        caption=(
            "The picture behind d' and c of the worked table. d' is the distance between the peaks, c"
            " the place of the cut. The curves are an assumption: d' has looked at one cut only."
        ),
        alt="Two bell curves with the cut between them",
    ),
    "measures.roc": Drawing(
        lambda found: worked_figures.roc_and_z_roc(found.answers),
        name="fig-measures-roc",
        caption=(
            "Left: the type-2 ROC; the shaded area is AUROC2, the dashed line chance. Right: the same"
            " points in z, with the fitted line; the dashed line is slope 1 through the origin, which"
            " is no knowledge. Points that bend away from the line would say that the bell curves are"
            " the wrong picture."
        ),
        alt="ROC curve and z-ROC line of the worked table",
    ),
    "measures.two_choice": Drawing(
        lambda found: worked_figures.two_choice(found.pair),
        name="fig-measures-two-choice",
        caption=(
            "Two simulated deciders who are right equally often. The confidence of one uses all of "
            "the evidence (M-ratio 1); that of the other is what half the d' would give. The steeper "
            "line is the better self-knowledge."
        ),
        alt="Share right against confidence for observers of M-ratio 1 and 0.5",
    ),
    "measures.information": Drawing(
        lambda found: worked_figures.information(found.answers),
        name="fig-measures-information",
        caption=(
            "Left: share of right answers at each rating; the dashed line is the share overall. "
            "Right: uncertainty left once the rating is known; the dashed line is the uncertainty "
            "before. meta-I is the mean gap below that line. Ratings in the middle hardly help; the "
            "outer ones do."
        ),
        alt="Share right and remaining uncertainty in bits at eight ratings",
    ),
    "measures.speaking": Drawing(
        lambda found: worked_figures.speaking(found.ways),
        name="fig-measures-speaking",
        caption=(
            "Stated probability against what came true, for three ways of speaking about the same "
            "answers. On the dashed line, what is said comes true. The single point is the model that"
            " always states the average: perfectly calibrated and of no use."
        ),
        alt="Reliability diagram of an honest, a boastful and a constant speaker",
    ),
    "measures.risk": Drawing(
        lambda found: worked_figures.risk(found.two),
        name="fig-measures-risk",
        caption=(
            "Share of wrong answers against share of questions answered, surest first. Dashed: the "
            "risk of answering at random. The gap between a curve and its own dashed line is what "
            "confidence is worth; the height of the curve is mostly how much the model knows."
        ),
        alt="Risk-coverage curves of two published models",
    ),
}
