"""Figures of the run, its models and the page that sums it up."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.report import measure_figures
from metacog.report.drawing import Drawing, drawing
from metacog.studies.study1_qa import figures
from metacog.studies.study1_qa.collection import figures as collection_figures
from metacog.studies.study1_qa.summary import figures as summary_figures


@drawing(
    caption="AUROC2 in each domain, with 95 % intervals; the dashed line is chance.",
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
)
def model_page_temperatures(found: Any) -> Figure | None:
    """Accuracy and AUROC2 of this model against temperature."""
    rows = found.measured.temperatures
    return measure_figures.temperature_figure(rows) if len(rows) else None


#: By analysis and figure.
FIGURES = {
    "summary.measures": Drawing(
        lambda found: summary_figures.measures_figure(found.measures),
        name="fig-summary-measures",
        caption=(
            "AUROC2 and meta-I2r of this run's models at T = 1, with 95 % bootstrap intervals. The "
            "dashed line is confidence that knows nothing. Intervals that do not overlap tell models "
            "apart."
        ),
        alt="Dot plot of AUROC2 and meta-I2r by model",
    ),
    "collection.lengths": Drawing(
        lambda found: collection_figures.answer_lengths(found.answers),
        name="fig-collection-lengths",
        caption=(
            "Length of answers in tokens, by temperature. Where the lines climb at the right edge, "
            "answers were cut off at the token limit, and their NLP is that of an unfinished text."
        ),
        alt="Histograms of answer length by temperature",
    ),
    "collection.tiers": Drawing(
        lambda found: collection_figures.accuracy_by_tier(found.answers),
        name="fig-collection-tiers",
        caption=(
            "Accuracy at T = 1 by tier. The tiers were set by the writers; if the lines did not fall,"
            " the writers' sense of difficulty would not be the models'. Bars are 95 % Wilson "
            "intervals."
        ),
        alt="Accuracy falls with tier for each model",
    ),
    "validation.quartiles": Drawing(
        lambda found: figures.quartile_lines(found.quartiles),
        name="fig-validation-quartiles",
        caption=(
            "Accuracy against confidence, in quarters. A line that climbs at every step says that NLP"
            " orders answers by how likely they are to be right; a flat or falling step would mean "
            "that confidence is uninformative there."
        ),
        alt="Accuracy by quartile of NLP for each model",
    ),
    "validation.temperature": Drawing(
        lambda found: figures.answers_by_temperature(found.answers),
        name="fig-validation-temperature",
        caption=(
            "Top: accuracy by temperature. Bottom: answers cut off at the token limit, and empty "
            "answers. Where the lower lines climb, later comparisons over temperature rest on damaged"
            " texts."
        ),
        alt="Accuracy, truncation and empty answers against temperature",
    ),
    "model_page.confidence": Drawing(
        lambda found: measure_figures.confidence_figure(found.measured.at, "confidence"),
        name="",
        caption=(
            "How confidence is spread over right answers and over wrong ones. If the two curves lay "
            "on each other, confidence would say nothing about being right."
        ),
        alt="Density of confidence for right and for wrong answers",
    ),
    "model_page.reliability": Drawing(
        lambda found: measure_figures.reliability_figure({found.label: found.measured.at}),
        name="",
        caption=(
            "Share of right answers against confidence, with 95 % Wilson intervals. On the diagonal "
            "confidence comes true; below it the model is overconfident."
        ),
        alt="Reliability diagram of this model",
    ),
    "model_page.risk_coverage": Drawing(
        lambda found: measure_figures.risk_coverage_figure({found.label: found.measured.at}),
        name="",
        caption=(
            "Error rate among the answers of which the model is surest, from few (left) to all "
            "(right). The dotted line is the error rate of answering everything; confidence is of use"
            " as far as the curve lies below it."
        ),
        alt="Error rate against share of questions answered, for this model",
    ),
    "model_page.domains": model_page_domains,
    "model_page.temperatures": model_page_temperatures,
}
