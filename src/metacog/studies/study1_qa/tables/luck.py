"""Tables of public difficulty, private knowledge and the luck of the draw."""

from __future__ import annotations

from metacog.report.tables import Column, Schema, columns_of, count, limits, number, text
from metacog.studies.study1_qa.cells.columns import ACCURACY, AUROC2, MODEL, TEMPERATURE

WHY = text("why", "Not given because", optional=True)
QUESTIONS = count("n_questions", "Questions")


def _with_limits(name: str, title: str) -> tuple[Column, ...]:
    """An estimate with its interval under one header."""
    return number(name, "is", 3, title), *limits(f"{name}_lower", f"{name}_upper", title)


TABLES = {
    "luck.draws": Schema(
        "draws",
        columns_of(
            MODEL,
            QUESTIONS,
            count("n_draws", "Draws"),
            number("own_draw", "Own", 3, "Confidence"),
            number("other_draw", "Another draw's", 3, "Confidence"),
            _with_limits("luck", "Luck of the draw"),
            count("n_mixed", "Mixed questions"),
            _with_limits("within", "Within a question"),
            WHY,
        ),
        "AUROC2 of several draws a question at T = 1, with the draw's own confidence and with that of "
        "another draw of the same question; 95 % intervals over questions. Mixed: right and wrong draws.",
        empty="No question was answered several times.",
    ),
    "luck.parts": Schema(
        "parts",
        columns_of(
            MODEL,
            TEMPERATURE,
            text("part", "Part"),
            number("bits", "is", 3, "Bits"),
            limits("lower", "upper", "Bits"),
            _with_limits("share", "Share"),
            WHY,
        ),
        "Parts of the information about being right, each beyond those above it, with 95 % intervals over "
        "questions.",
    ),
    "luck.crossings": Schema(
        "crossings",
        columns_of(
            text("first", "First"),
            text("second", "Second"),
            TEMPERATURE,
            QUESTIONS,
            number("own_first", "by its own", 3, "First's answers"),
            number("other_first", "by the other's", 3, "First's answers"),
            number("own_second", "by its own", 3, "Second's answers"),
            number("other_second", "by the other's", 3, "Second's answers"),
            number("value", "is", 3, "Crossing"),
            limits("lower", "upper", "Crossing"),
            WHY,
        ),
        "AUROC2 of a model's own confidence and of the other's, both from the lowest temperature, for "
        "answers at each temperature; and the crossing, with its 95 % interval over questions.",
        empty="This run has one model, so there is no pair to cross.",
    ),
    "luck.answers": Schema(
        "answers",
        columns_of(
            MODEL,
            TEMPERATURE,
            ACCURACY,
            AUROC2,
            _with_limits("known", "Wrong, but right at the lowest T"),
            number("same", "Same answer as at the lowest T"),
            number("same_auroc2", "AUROC2 of being the same"),
            number("tells_same", "AUROC2 of confidence for being the same"),
        ),
        "Answers by temperature, against the model's own answers at the lowest one.",
        empty="This run has one temperature.",
    ),
    "luck.rises": Schema(
        "rises",
        columns_of(
            MODEL,
            TEMPERATURE,
            count("n", "Questions"),
            number("auroc2_reference", "at the lowest T", 3, "AUROC2"),
            number("auroc2_draw", "by the draw's", 3, "AUROC2"),
            number("auroc2_question", "by the question's", 3, "AUROC2"),
            _with_limits("with_draw", "Rise, draw's confidence"),
            _with_limits("with_question", "Rise, question's confidence"),
            WHY,
        ),
        "AUROC2 at each temperature and its rise from the lowest one, with the confidence of the draw and "
        "with that of the model's answer to the same question at the lowest temperature; 95 % intervals over "
        "questions.",
        empty="This run has one temperature.",
    ),
    "luck.published": Schema(
        "published",
        columns_of(
            MODEL,
            TEMPERATURE,
            ACCURACY,
            AUROC2,
            number("rise", "Rise of AUROC2"),
            number("unlucky_at_least", "at least", 3, "Wrong, but right at the lowest T"),
            number("unlucky_at_most", "at most", 3, "Wrong, but right at the lowest T"),
        ),
        "The paper's models, from the first paper's counts on TriviaQA.",
    ),
    "luck.recovery": Schema(
        "recovery",
        columns_of(
            text("design", "Design"),
            text("quantity", "Quantity"),
            number("truth", "Truth"),
            number("bias", "Mean error"),
            number("mean_absolute_error", "Mean absolute error"),
            number("sd", "Standard deviation"),
            number("coverage", "Coverage", 2),
        ),
        "Simulated runs of this size with known shares, crossings and luck: 200 to 1,000 a design.",
    ),
}
