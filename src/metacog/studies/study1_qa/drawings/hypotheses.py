"""Figures of the robustness checks."""

from __future__ import annotations

from metacog.report.drawing import Drawing
from metacog.studies.study1_qa import figures

#: By analysis and figure.
FIGURES = {
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
