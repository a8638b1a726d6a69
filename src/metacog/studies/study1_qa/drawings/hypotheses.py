"""Figures of H1 to H4 and of the robustness checks."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.report.drawing import drawing
from metacog.studies.study1_qa import figures


@drawing(
    name="fig-h1-intervals",
    caption=(
        "M-ratio with 95 % intervals made in several ways. Compare widths within a model: where "
        "drawing questions widens the interval, trials of one question tell the same story "
        "several times. An interval that changes sides of the dashed line would change the "
        "verdict."
    ),
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
)
def robustness_forced(found: Any) -> Figure:
    """Histogram of the difference in NLP between best accepted and wrong answer."""
    return figures.forced_gaps(found.gaps)


#: By analysis and figure.
FIGURES = {
    "h1.intervals": h1_intervals,
    "h2.domains": h2_domains,
    "h3.temperature": h3_temperature,
    "h3.equivalence": h3_equivalence,
    "h4.plane": h4_plane,
    "h4.pairs": h4_pairs,
    "robustness.variants": robustness_variants,
    "robustness.forced": robustness_forced,
}
