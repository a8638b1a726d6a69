"""Tables of the four questions on own trials."""

from __future__ import annotations

import pandas as pd

from metacog.report.tables import Column, Schema, Sort, answer, columns_of, count, limits, number, text
from metacog.studies.study3_dmc.own import ROWS
from metacog.studies.study3_dmc.signals import ALL, N_RATINGS

MODEL, WAY, SET = text("model", "Model"), text("name", "Way"), text("dataset", "Set")
MEASURE, QUESTIONS = text("measure_name", "Measure"), count("questions", "Questions")
FIRST, SECOND = text("first", "First"), text("second", "Second")
WHY = text("why", "Undefined because", optional=True)
SAID = text("said", "Read as")
COUNTS = tuple(
    Column(f"{row}{k + 1}", str(k + 1), Sort.COUNT, group=row) for row in ROWS for k in range(N_RATINGS)
)


def measure(name: str, title: str, digits: int = 2) -> tuple[Column, ...]:
    """A measure with its interval under one header."""
    return number(name, "is", digits, title), *limits(f"{name}_lower", f"{name}_upper", title, digits)


def _sets(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["dataset"] != ALL]


def _together(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["dataset"] == ALL]


CELL = columns_of(
    QUESTIONS,
    count("n", "Trials"),
    number("accuracy", "Accuracy", 2),
    measure("d_hat", "d^"),
    answer("padded", "Made of its padding"),
    number("d_star", "d*", 2),
    measure("mc", "MC"),
    measure("m_ratio", "M-ratio"),
    text("why_ratio", "MC undefined because", optional=True),
)
OTHERS = columns_of(
    QUESTIONS,
    count("n", "Trials"),
    number("accuracy", "Accuracy", 2),
    measure("meta_i2r", "meta-I2r", 3),
    measure("auroc2", "AUROC2"),
    measure("ece", "ECE, debiased"),
    number("ece_calibrated", "ECE if calibrated", 2),
    measure("brier", "Brier"),
    WHY,
)
CONTRAST = columns_of(
    QUESTIONS,
    number("value_first", "of the first"),
    number("value_second", "of the second"),
    number("difference", "Difference"),
    limits("lower", "upper"),
    SAID,
)

TABLES = {
    "own.counts": Schema(
        "cells",
        columns_of(
            MODEL, SET, WAY, number("low", "from", 2, "Range"), number("high", "to", 2, "Range"), COUNTS
        ),
        "The counts matrix of every cell by rating, and the observed range that ratings divide.",
        lambda frame: _sets(frame[frame["low"].notna()]),
        empty="No cell can be counted.",
    ),
    "own.ratios": Schema(
        "cells",
        columns_of(MODEL, SET, WAY, CELL),
        "DMC and maximum likelihood on the same counts, with 95 % intervals, of the cells that have enough "
        "trials.",
        lambda frame: _sets(frame[frame["why"] == ""]),
        empty="No cell can be fitted.",
    ),
    "own.others": Schema(
        "cells",
        columns_of(MODEL, SET, WAY, OTHERS),
        "The other measures of the same trials.",
        lambda frame: _sets(frame[frame["why"] == ""]),
        empty="No cell can be measured.",
    ),
    "own.together": Schema("cells", columns_of(MODEL, WAY, CELL, WHY), "All sets together.", _together),
    "own.variations": Schema(
        "variations",
        columns_of(
            MODEL,
            WAY,
            MEASURE,
            count("sets", "Sets"),
            QUESTIONS,
            number("cv", "is", 2, "CV as it stands"),
            limits("lower", "upper", "CV as it stands", 2),
            measure("corrected", "Sampling taken off"),
            number("noise", "CV of sampling alone", 2),
            number("explained", "Share that sampling explains", 2),
            text("left_out", "Sets left out", optional=True),
        ),
        "Coefficients of variation over sets, with 95 % intervals, where there is one.",
        lambda frame: frame[frame["cv"].notna()],
        empty="No measure has a CV.",
    ),
    "own.gaps": Schema(
        "variations",
        columns_of(
            MODEL,
            WAY,
            MEASURE,
            number("gap", "CV less MC's", 2),
            limits("gap_lower", "gap_upper", digits=2),
            SAID,
        ),
        "Each measure's CV less MC's over the sets that both have, sampling taken off both.",
        lambda frame: frame[frame["gap"].notna()],
        empty="No CV of MC to set the others against.",
    ),
    "own.ways_summary": Schema(
        "ways_summary",
        columns_of(
            MODEL,
            MEASURE,
            count("pairs", "Pairs"),
            count("undefined", "Undefined"),
            count("same", "Cannot be told apart"),
            count("apart", "Told apart"),
            number("by_chance", "Told apart by chance", 1),
        ),
        "Pairs of ways by model and measure. By chance: as many as would be told apart were all pairs equal.",
    ),
    "own.ways_apart": Schema(
        "ways_apart",
        columns_of(MODEL, MEASURE, FIRST, SECOND, CONTRAST),
        "The pairs of ways that can be told apart.",
        empty="No pair of ways is told apart.",
    ),
    "own.models": Schema(
        "models",
        columns_of(WAY, MEASURE, FIRST, SECOND, CONTRAST, WHY),
        "Models on the same questions, by way.",
        empty="There is one model: nothing to compare.",
    ),
    "own.abstained": Schema(
        "abstained",
        columns_of(
            MODEL,
            WAY,
            QUESTIONS,
            number("accuracy", "Accuracy", 2),
            number("coverage", "Answered", 2),
            measure("r_acc", "R-Acc"),
            measure("a_acc", "A-Acc"),
            number("constant", "A-Acc of the better constant strategy", 2),
            measure("gain", "Gain"),
            SAID,
            WHY,
        ),
        "Abstention by a threshold that the other half of the questions has set. Gain: A-Acc less that of "
        "the better constant strategy, answering all or abstaining from all, chosen on the other half too.",
    ),
    "own.relations": Schema(
        "relations",
        columns_of(
            text("share", "Share"),
            MEASURE,
            count("n", "Models and ways"),
            number("rho", "Spearman's rho", 2),
            limits("lower", "upper", digits=2),
            SAID,
        ),
        "Does a measure of one half of the questions go with what is decided on the other half?",
    ),
}
