"""Figures of H1 to H4 and of the robustness checks."""

from __future__ import annotations

from metacog.report.drawing import Drawing
from metacog.studies.study1_qa import figures

#: By analysis and figure.
FIGURES = {
    "h1.intervals": Drawing(
        lambda found: figures.interval_schemes(found.intervals),
        name="fig-h1-intervals",
        caption=(
            "M-ratio with 95 % intervals made in several ways. Compare widths within a model: where "
            "drawing questions widens the interval, trials of one question tell the same story "
            "several times. An interval that changes sides of the dashed line would change the "
            "verdict."
        ),
        alt="M-ratio of each model with intervals from four ways of resampling",
    ),
    "h2.domains": Drawing(
        lambda found: figures.domain_measures(found.domains),
        name="fig-h2-domains",
        caption=(
            "Three measures by domain, with 95 % intervals. Look first at how wide the top intervals "
            "are: M-ratio is a ratio of two noisy numbers. Then ask whether the order of domains is "
            "the same in all three panels; where it is not, the measure decides, not the domain."
        ),
        alt="M-ratio, AUROC2 and meta-I2r by domain for each model",
    ),
    "h3.temperature": Drawing(
        lambda found: figures.temperature_lines(found.temperatures),
        name="fig-h3-temperature",
        caption=(
            "d', meta-d' and the mean type-2 criterion of the upper ratings against temperature, with"
            " 95 % intervals over resampled questions. The hypothesis expects flat lines in the "
            "middle panel and a slope in the lowest. An interval in the middle panel that leaves its "
            "neighbours' would speak against it."
        ),
        alt="d', meta-d' and criterion against temperature",
    ),
    "h3.equivalence": Drawing(
        lambda found: figures.equivalence(found.pairs, found.bound),
        name="fig-h3-equivalence",
        caption=(
            "Paired differences of meta-d' between temperatures with 90 % intervals. Equivalence is "
            "shown where every interval lies inside the band; an interval that straddles the band's "
            "edge is undecided, and one wholly outside is a difference."
        ),
        alt="Differences of meta-d' between temperatures against an equivalence band",
    ),
    "h4.plane": Drawing(
        lambda found: figures.sensitivity_and_ratio(found.measures),
        name="fig-h4-plane",
        caption=(
            "Each model by its d' (across) and M-ratio (up), with 95 % intervals. The hypothesis "
            "needs two models above one another: close in d', apart in M-ratio."
        ),
        alt="M-ratio against d' for each model",
    ),
    "h4.pairs": Drawing(
        lambda found: figures.model_pairs(found.pairs if len(found.pairs) else found.beside),
        name="fig-h4-pairs",
        caption=(
            "Differences of M-ratio, with the models drawn alone and over shared questions. An "
            "interval clear of the dashed zero is a difference; compare the two widths to see what "
            "pairing buys."
        ),
        alt="Differences of M-ratio between pairs of models",
    ),
    "robustness.variants": Drawing(
        lambda found: figures.robustness_dots(found.variants),
        name="fig-robustness-variants",
        caption=(
            "M-ratio under every variant, with 95 % intervals. Read down one marker: a robust model "
            "stays in place. Read across one line: where markers change order, the ranking was made "
            "by the setting."
        ),
        alt="M-ratio of each model under all variants",
    ),
    "robustness.forced": Drawing(
        lambda found: figures.forced_gaps(found.gaps),
        name="fig-robustness-forced",
        caption=(
            "How much likelier, per token, the best accepted answer is than the wrong answer that was"
            " given. Mass to the right of the dashed line: the model found the right answer likelier "
            "and said the wrong one all the same."
        ),
        alt="Histogram of the difference in NLP between best accepted and wrong answer",
    ),
}
