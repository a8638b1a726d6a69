"""The figures of study 1: what each is drawn from, its caption, and what it shows in words."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.report import measure_figures, worked_figures
from metacog.report.drawing import drawing
from metacog.studies.study1_qa import collection_figures, correction_figures, figures, summary_figures
from metacog.studies.study1_qa.beside import MAIN


@drawing(
    name="fig-summary-measures",
    caption=(
        "AUROC2 and meta-I2r of this run's models at T = 1, with 95 % bootstrap intervals. The "
        "dashed line is confidence that knows nothing. Intervals that do not overlap tell models "
        "apart."
    ),
    alt="Dot plot of AUROC2 and meta-I2r by model",
)
def summary_measures(found: Any) -> Figure:
    """Dot plot of AUROC2 and meta-I2r by model."""
    return summary_figures.measures_figure(found.measures)


@drawing(
    name="fig-collection-lengths",
    caption=(
        "Length of answers in tokens, by temperature. Where the lines climb at the right edge, "
        "answers were cut off at the token limit, and their NLP is that of an unfinished text."
    ),
    alt="Histograms of answer length by temperature",
)
def collection_lengths(found: Any) -> Figure:
    """Histograms of answer length by temperature."""
    return collection_figures.answer_lengths(found.answers)


@drawing(
    name="fig-collection-tiers",
    caption=(
        "Accuracy at T = 1 by tier. The tiers were set by the writers; if the lines did not fall,"
        " the writers' sense of difficulty would not be the models'. Bars are 95 % Wilson "
        "intervals."
    ),
    alt="Accuracy falls with tier for each model",
)
def collection_tiers(found: Any) -> Figure:
    """Accuracy falls with tier for each model."""
    return collection_figures.accuracy_by_tier(found.answers)


@drawing(
    name="fig-validation-quartiles",
    caption=(
        "Accuracy against confidence, in quarters. A line that climbs at every step says that NLP"
        " orders answers by how likely they are to be right; a flat or falling step would mean "
        "that confidence is uninformative there."
    ),
    alt="Accuracy by quartile of NLP for each model",
)
def validation_quartiles(found: Any) -> Figure:
    """Accuracy by quartile of NLP for each model."""
    return figures.quartile_lines(found.quartiles)


@drawing(
    name="fig-validation-temperature",
    caption=(
        "Top: accuracy by temperature. Bottom: answers cut off at the token limit, and empty "
        "answers. Where the lower lines climb, later comparisons over temperature rest on damaged"
        " texts."
    ),
    alt="Accuracy, truncation and empty answers against temperature",
)
def validation_temperature(found: Any) -> Figure:
    """Accuracy, truncation and empty answers against temperature."""
    return figures.answers_by_temperature(found.answers)


@drawing(
    name="fig-h1-intervals",
    caption=(
        "M-ratio with 95 % intervals made in several ways. Compare widths within a model: where "
        "drawing questions widens the interval, trials of one question tell the same story "
        "several times. An interval that changes sides of the dashed line would change the "
        "verdict."
    ),
    alt="M-ratio of each model with intervals from four ways of resampling",
)
def h1_intervals(found: Any) -> Figure:
    """M-ratio of each model with intervals from four ways of resampling."""
    return figures.interval_schemes(found.intervals)


@drawing(
    name="fig-h2-domains",
    caption=(
        "Three measures by domain, with 95 % intervals. Look first at how wide the top intervals "
        "are: M-ratio is a ratio of two noisy numbers. Then ask whether the order of domains is "
        "the same in all three panels; where it is not, the measure decides, not the domain."
    ),
    alt="M-ratio, AUROC2 and meta-I2r by domain for each model",
)
def h2_domains(found: Any) -> Figure:
    """M-ratio, AUROC2 and meta-I2r by domain for each model."""
    return figures.domain_measures(found.domains)


@drawing(
    name="fig-h3-temperature",
    caption=(
        "d', meta-d' and the mean type-2 criterion of the upper ratings against temperature, with"
        " 95 % intervals over resampled questions. The hypothesis expects flat lines in the "
        "middle panel and a slope in the lowest. An interval in the middle panel that leaves its "
        "neighbours' would speak against it."
    ),
    alt="d', meta-d' and criterion against temperature",
)
def h3_temperature(found: Any) -> Figure:
    """d', meta-d' and criterion against temperature."""
    return figures.temperature_lines(found.temperatures)


@drawing(
    name="fig-h3-equivalence",
    caption=(
        "Paired differences of meta-d' between temperatures with 90 % intervals. Equivalence is "
        "shown where every interval lies inside the band; an interval that straddles the band's "
        "edge is undecided, and one wholly outside is a difference."
    ),
    alt="Differences of meta-d' between temperatures against an equivalence band",
)
def h3_equivalence(found: Any) -> Figure:
    """Differences of meta-d' between temperatures against an equivalence band."""
    return figures.equivalence(found.pairs, found.bound)


@drawing(
    name="fig-h4-plane",
    caption=(
        "Each model by its d' (across) and M-ratio (up), with 95 % intervals. The hypothesis "
        "needs two models above one another: close in d', apart in M-ratio."
    ),
    alt="M-ratio against d' for each model",
)
def h4_plane(found: Any) -> Figure:
    """M-ratio against d' for each model."""
    return figures.sensitivity_and_ratio(found.measures)


@drawing(
    name="fig-h4-pairs",
    caption=(
        "Differences of M-ratio, with the models drawn alone and over shared questions. An "
        "interval clear of the dashed zero is a difference; compare the two widths to see what "
        "pairing buys."
    ),
    alt="Differences of M-ratio between pairs of models",
)
def h4_pairs(found: Any) -> Figure:
    """Differences of M-ratio between pairs of models."""
    return figures.model_pairs(found.pairs if len(found.pairs) else found.beside)


@drawing(
    name="fig-robustness-variants",
    caption=(
        "M-ratio under every variant, with 95 % intervals. Read down one marker: a robust model "
        "stays in place. Read across one line: where markers change order, the ranking was made "
        "by the setting."
    ),
    alt="M-ratio of each model under all variants",
)
def robustness_variants(found: Any) -> Figure:
    """M-ratio of each model under all variants."""
    return figures.robustness_dots(found.variants)


@drawing(
    name="fig-robustness-forced",
    caption=(
        "How much likelier, per token, the best accepted answer is than the wrong answer that was"
        " given. Mass to the right of the dashed line: the model found the right answer likelier "
        "and said the wrong one all the same."
    ),
    alt="Histogram of the difference in NLP between best accepted and wrong answer",
)
def robustness_forced(found: Any) -> Figure:
    """Histogram of the difference in NLP between best accepted and wrong answer."""
    return figures.forced_gaps(found.gaps)


@drawing(
    name="fig-auroc2-ranks",
    caption=(
        "M-ratio (left) and meta-I2r (right) against AUROC2: above, the paper's models on "
        "TriviaQA from its counts; below, this run's. Points that climb together agree; the left "
        "panel above shows why version 1 spoke of opposite rankings."
    ),
    alt="Scatter of M-ratio and meta-I2r against AUROC2",
)
def auroc2_ranks(found: Any) -> Figure:
    """Scatter of M-ratio and meta-I2r against AUROC2."""
    published = found.published_ranks[found.published_ranks["dataset"] == MAIN]
    return figures.rank_scatter({"published": published, "this run": found.ranks})


@drawing(
    name="fig-selective-curves",
    caption=(
        "Accuracy against coverage, by raw NLP. A useful confidence climbs to the left; a useless"
        " one follows its dotted line, which is accuracy without abstaining. The first twenty "
        "answers are left out: they are too few for a share."
    ),
    alt="Accuracy against coverage for each model of the run",
)
def selective_curves(found: Any) -> Figure:
    """Accuracy against coverage for each model of the run."""
    return figures.risk_coverage_lines(found.curves)


@drawing(
    name="fig-selective-published",
    caption=(
        "The paper's models on TriviaQA, from counts by rating (straight within a rating, because"
        " the order there is not public). Compare the height of a curve at its right end, "
        "accuracy, with how far it climbs from there, which is what confidence adds."
    ),
    alt="Accuracy against coverage for the published models",
)
def selective_published(found: Any) -> Figure:
    """Accuracy against coverage for the published models."""
    return figures.risk_coverage_lines(found.published_curves)


@drawing(
    name="fig-instruct-base",
    caption=(
        "Instruct less base on every measure, with 95 % intervals. Measures differ in scale, so "
        "compare a line with zero and with its other markers, not with other lines. A marker "
        "clear of zero on one question set and not on the other is a warning against general "
        "statements."
    ),
    alt="Differences between instruct and base model on seven measures",
)
def instruct_base_differences(found: Any) -> Figure:
    """Differences between instruct and base model on seven measures."""
    parts = [("Llama-3-8B, triviaqa", found.triviaqa), ("Llama-3-8B, nq", found.nq)]
    own = found.differences.groupby("pair", sort=False)
    return figures.pair_differences([*parts, *((str(pair), rows) for pair, rows in own)])


@drawing(
    name="fig-correction-cuts",
    caption=(
        "d' at each of the seven cuts. A flat line gives an M-ratio of 1 at any height; the grey "
        "band marks the cut that v1 calls d'. How high a line lies is what confidence knows; the "
        "M-ratio divides just that away. A ratio that followed the height would change our mind."
    ),
    alt="Lines of d prime at seven cut points for four models on two question sets",
)
def correction_cuts(found: Any) -> Figure:
    """Lines of d prime at seven cut points for four models on two question sets."""
    return correction_figures.cuts(found.cells)


@drawing(
    name="fig-correction-slope",
    caption=(
        "M-ratio against z-ROC slope. Curves: straight z-ROCs of equal sensitivity. Filled "
        "points: TriviaQA, hollow: Natural Questions (10 to 28 % right, so compare them with the "
        "dotted curve). A point off its curve has a z-ROC that bends, or is noisy."
    ),
    alt="M-ratio against z-ROC slope for eight published cells with three predicted curves",
)
def correction_slope(found: Any) -> Figure:
    """M-ratio against z-ROC slope for eight published cells with three predicted curves."""
    return correction_figures.slope_and_ratio(found.measures)


@drawing(
    name="fig-correction-two",
    caption=(
        "The same eight tables of counts, measured twice, with 95 % intervals. Filled: TriviaQA, "
        "hollow: Natural Questions. Models stand in the order of v1 on TriviaQA. Note how far "
        "Mistral's M-ratio moves from one question set to the other."
    ),
    alt="M-ratio and meta-I2r of four models with confidence intervals side by side",
)
def correction_two(found: Any) -> Figure:
    """M-ratio and meta-I2r of four models with confidence intervals side by side."""
    return correction_figures.two_measures(found.measures)


@drawing(
    name="fig-correction-own",
    caption="The run's own models, measured by both versions, with 95 % intervals.",
    alt="M-ratio and meta-I2r of the run's models with confidence intervals",
)
def correction_own_two(found: Any) -> Figure:
    """M-ratio and meta-I2r of the run's models with confidence intervals."""
    return correction_figures.two_measures(found.measures)


@drawing(
    name="fig-correction-recovery",
    caption=(
        "What three measures make of answerers whose efficiency is known, each relative to the "
        "most efficient one (AUROC2: its distance from 1/2). The dashed line is the truth. Bars "
        "hold 95 % of the repetitions. A measure of efficiency must at least fall with it."
    ),
    alt=("Measured efficiency against true efficiency for M-ratio, meta-I2r and AUROC2 in two designs"),
)
def correction_recovery_recovery(found: Any) -> Figure:
    """Measured efficiency against true efficiency for M-ratio, meta-I2r and AUROC2 in two designs."""
    return correction_figures.recovered(
        {"Gaussian strength": found.recoveries["noise"], "x decides": found.recoveries["threshold"]}
    )


@drawing(
    name="fig-correction-shapes",
    caption=(
        "Five fully efficient answerers that differ in the slope of their z-ROC only. A measure "
        "of efficiency should draw a level line."
    ),
    alt="M-ratio, meta-I2r and AUROC2 against z-ROC slope for observers of equal efficiency",
)
def correction_recovery_shapes(found: Any) -> Figure:
    """M-ratio, meta-I2r and AUROC2 against z-ROC slope for observers of equal efficiency."""
    return correction_figures.shapes(found.recoveries["shape"])


@drawing(
    name="fig-correction-limits",
    caption=(
        "Left: efficiency and slope fall together. Right: efficiency falls behind an unchanged "
        "table, so nothing computed from the table can see it. Dashed: the truth."
    ),
    alt=(
        "Measured against true efficiency when slope falls with efficiency, and when the table stays the same"
    ),
)
def correction_recovery_limits(found: Any) -> Figure:
    """Measured against true efficiency when slope falls with efficiency, and when the table stays the same."""
    return correction_figures.recovered(
        {"slope falls too": found.recoveries["reversed"], "same table": found.recoveries["same table"]}
    )


@drawing(
    name="fig-measures-bars",
    caption=(
        "The worked table: right and wrong answers at each rating. The more the share of right "
        "answers climbs from left to right, the more confidence knows. Equal bars throughout "
        "would mean that it knows nothing."
    ),
    alt="Stacked bars of right and wrong answers at eight ratings",
)
def measures_bars(found: Any) -> Figure:
    """Stacked bars of right and wrong answers at eight ratings."""
    return worked_figures.bars(found.answers)


@drawing(
    name="fig-measures-bells",
    caption=(
        "The picture behind d' and c of the worked table. d' is the distance between the peaks, c"
        " the place of the cut. The curves are an assumption: d' has looked at one cut only."
    ),
    alt="Two bell curves with the cut between them",
)
def measures_bells(found: Any) -> Figure:
    """Two bell curves with the cut between them."""
    return worked_figures.bells(found.answers)


@drawing(
    name="fig-measures-roc",
    caption=(
        "Left: the type-2 ROC; the shaded area is AUROC2, the dashed line chance. Right: the same"
        " points in z, with the fitted line; the dashed line is slope 1 through the origin, which"
        " is no knowledge. Points that bend away from the line would say that the bell curves are"
        " the wrong picture."
    ),
    alt="ROC curve and z-ROC line of the worked table",
)
def measures_roc(found: Any) -> Figure:
    """ROC curve and z-ROC line of the worked table."""
    return worked_figures.roc_and_z_roc(found.answers)


@drawing(
    name="fig-measures-two-choice",
    caption=(
        "Two simulated deciders who are right equally often. The confidence of one uses all of "
        "the evidence (M-ratio 1); that of the other is what half the d' would give. The steeper "
        "line is the better self-knowledge."
    ),
    alt="Share right against confidence for observers of M-ratio 1 and 0.5",
)
def measures_two_choice(found: Any) -> Figure:
    """Share right against confidence for observers of M-ratio 1 and 0.5."""
    return worked_figures.two_choice(found.pair)


@drawing(
    name="fig-measures-information",
    caption=(
        "Left: share of right answers at each rating; the dashed line is the share overall. "
        "Right: uncertainty left once the rating is known; the dashed line is the uncertainty "
        "before. meta-I is the mean gap below that line. Ratings in the middle hardly help; the "
        "outer ones do."
    ),
    alt="Share right and remaining uncertainty in bits at eight ratings",
)
def measures_information(found: Any) -> Figure:
    """Share right and remaining uncertainty in bits at eight ratings."""
    return worked_figures.information(found.answers)


@drawing(
    name="fig-measures-speaking",
    caption=(
        "Stated probability against what came true, for three ways of speaking about the same "
        "answers. On the dashed line, what is said comes true. The single point is the model that"
        " always states the average: perfectly calibrated and of no use."
    ),
    alt="Reliability diagram of an honest, a boastful and a constant speaker",
)
def measures_speaking(found: Any) -> Figure:
    """Reliability diagram of an honest, a boastful and a constant speaker."""
    return worked_figures.speaking(found.ways)


@drawing(
    name="fig-measures-risk",
    caption=(
        "Share of wrong answers against share of questions answered, surest first. Dashed: the "
        "risk of answering at random. The gap between a curve and its own dashed line is what "
        "confidence is worth; the height of the curve is mostly how much the model knows."
    ),
    alt="Risk-coverage curves of two published models",
)
def measures_risk(found: Any) -> Figure:
    """Risk-coverage curves of two published models."""
    return worked_figures.risk(found.two)


@drawing(
    caption=(
        "How confidence is spread over right answers and over wrong ones. If the two curves lay "
        "on each other, confidence would say nothing about being right."
    ),
    alt="Density of confidence for right and for wrong answers",
)
def model_page_confidence(found: Any) -> Figure:
    """Density of confidence for right and for wrong answers."""
    return measure_figures.confidence_figure(found.measured.at, "confidence")


@drawing(
    caption=(
        "Share of right answers against confidence, with 95 % Wilson intervals. On the diagonal "
        "confidence comes true; below it the model is overconfident."
    ),
    alt="Reliability diagram of this model",
)
def model_page_reliability(found: Any) -> Figure:
    """Reliability diagram of this model."""
    return measure_figures.reliability_figure({found.label: found.measured.at})


@drawing(
    caption=(
        "Error rate among the answers of which the model is surest, from few (left) to all "
        "(right). The dotted line is the error rate of answering everything; confidence is of use"
        " as far as the curve lies below it."
    ),
    alt="Error rate against share of questions answered, for this model",
)
def model_page_risk_coverage(found: Any) -> Figure:
    """Error rate against share of questions answered, for this model."""
    return measure_figures.risk_coverage_figure({found.label: found.measured.at})


@drawing(
    caption="AUROC2 in each domain, with 95 % intervals; the dashed line is chance.",
    alt="Area under the type-2 ROC by domain for this model",
)
def model_page_domains(found: Any) -> Figure | None:
    """Area under the type-2 ROC by domain for this model."""
    rows = found.measured.domains
    return measure_figures.interval_figure(rows, "auroc2", label="domain") if len(rows) else None


@drawing(
    caption=(
        "Accuracy and AUROC2 against sampling temperature, with 95 % intervals. Accuracy falls as"
        " sampling grows bolder; if AUROC2 stayed level, the model would keep knowing which of "
        "its answers are right."
    ),
    alt="Accuracy and AUROC2 of this model against temperature",
)
def model_page_temperatures(found: Any) -> Figure | None:
    """Accuracy and AUROC2 of this model against temperature."""
    rows = found.measured.temperatures
    return measure_figures.temperature_figure(rows) if len(rows) else None


#: By analysis and figure.
FIGURES = {
    "summary.measures": summary_measures,
    "collection.lengths": collection_lengths,
    "collection.tiers": collection_tiers,
    "validation.quartiles": validation_quartiles,
    "validation.temperature": validation_temperature,
    "h1.intervals": h1_intervals,
    "h2.domains": h2_domains,
    "h3.temperature": h3_temperature,
    "h3.equivalence": h3_equivalence,
    "h4.plane": h4_plane,
    "h4.pairs": h4_pairs,
    "robustness.variants": robustness_variants,
    "robustness.forced": robustness_forced,
    "auroc2.ranks": auroc2_ranks,
    "selective.curves": selective_curves,
    "selective.published": selective_published,
    "instruct_base.differences": instruct_base_differences,
    "correction.cuts": correction_cuts,
    "correction.slope": correction_slope,
    "correction.two": correction_two,
    "correction_own.two": correction_own_two,
    "correction_recovery.recovery": correction_recovery_recovery,
    "correction_recovery.shapes": correction_recovery_shapes,
    "correction_recovery.limits": correction_recovery_limits,
    "measures.bars": measures_bars,
    "measures.bells": measures_bells,
    "measures.roc": measures_roc,
    "measures.two_choice": measures_two_choice,
    "measures.information": measures_information,
    "measures.speaking": measures_speaking,
    "measures.risk": measures_risk,
    "model_page.confidence": model_page_confidence,
    "model_page.reliability": model_page_reliability,
    "model_page.risk_coverage": model_page_risk_coverage,
    "model_page.domains": model_page_domains,
    "model_page.temperatures": model_page_temperatures,
}
