"""How the four questions are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from metacog.report.tables import Column, Schema, Sort, answer, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.measures.dmc import D_HAT, N_RATINGS, ROWS
from metacog.studies.study3_dmc.replication import comparisons, figures, sentences
from metacog.studies.study3_dmc.replication.sentences import GAINED, VARIES, reading_of, single_sets

MODEL, WAY, SET = text("model", "Model"), text("name", "Way"), text("dataset", "Set")
MEASURE, QUESTIONS = text("measure_name", "Measure"), count("questions", "Questions")
FIRST, SECOND = text("first", "First"), text("second", "Second")
WHY = text("why", "Undefined because", optional=True)
READING = text("reading", "Read as")
COUNTS = tuple(
    Column(f"{row}{k + 1}", str(k + 1), Sort.COUNT, group=row) for row in ROWS for k in range(N_RATINGS)
)


def measure(name: str, title: str, digits: int = 2) -> tuple[Column, ...]:
    """A measure with its interval under one header."""
    return number(name, "is", digits, title), *limits(f"{name}_lower", f"{name}_upper", title, digits)


def _read(words: Mapping[str, str]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Rows with their outcomes in words."""
    return lambda frame: frame.assign(reading=[words.get(one, one) for one in frame["outcome"]])


def _contrasts(frame: pd.DataFrame) -> pd.DataFrame:
    """Comparisons with their outcomes in words."""
    return frame.assign(reading=[_contrast(row) for row in frame.to_dict("records")])


def _contrast(row: Mapping[Any, Any]) -> str:
    if row["outcome"] == comparisons.FIRST:
        return f"{row['first']} higher"
    if row["outcome"] == comparisons.SECOND:
        return f"{row['second']} higher"
    return "cannot be distinguished" if row["outcome"] == comparisons.SAME else row["outcome"]


def _relations(frame: pd.DataFrame) -> pd.DataFrame:
    """Relations with their outcomes in words."""
    return frame.assign(reading=[reading_of(row) for row in frame.to_dict("records")])


CELL = columns_of(
    QUESTIONS,
    count("n", "Trials"),
    number("accuracy", "Accuracy", 2),
    measure("d_hat", D_HAT),
    answer("padded", "Determined by its padding"),
    number("d_star", "d*", 2),
    measure("mc", "MC"),
    measure("m_ratio", "M-ratio"),
    text("why_ratio", "MC undefined because", optional=True),
)
ACCURACY_MEASURES = columns_of(
    QUESTIONS,
    count("n", "Trials"),
    number("accuracy", "Accuracy", 2),
    measure("meta_i2r", "meta-I2r", 3),
    measure("auroc2", "AUROC2"),
    measure("ece_debiased", "ECE, debiased"),
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
    READING,
)

TABLES = {
    "counts": Schema(
        "cells",
        columns_of(
            MODEL, SET, WAY, number("low", "from", 2, "Range"), number("high", "to", 2, "Range"), COUNTS
        ),
        "The counts matrix of every cell by rating, and the observed range that ratings divide.",
        lambda frame: single_sets(frame[frame["low"].notna()]),
        empty="No cell can be counted.",
    ),
    "ratios": Schema(
        "cells",
        columns_of(MODEL, SET, WAY, CELL),
        "DMC and maximum likelihood on the same counts, with 95 % intervals, of the cells that have enough "
        "trials.",
        lambda frame: single_sets(frame[frame["why"] == ""]),
        empty="No cell can be fitted.",
    ),
    "accuracy_measures": Schema(
        "cells",
        columns_of(MODEL, SET, WAY, ACCURACY_MEASURES),
        "The other measures of the same trials.",
        lambda frame: single_sets(frame[frame["why"] == ""]),
        empty="No cell can be measured.",
    ),
    "together": Schema(
        "cells",
        columns_of(MODEL, WAY, CELL, WHY),
        "All sets together.",
        lambda frame: frame[frame["dataset"] == ALL],
    ),
    "variations": Schema(
        "variations",
        columns_of(
            MODEL,
            WAY,
            MEASURE,
            count("sets", "Sets"),
            QUESTIONS,
            number("cv", "is", 2, "CV, unadjusted"),
            limits("lower", "upper", "CV, unadjusted", 2),
            measure("corrected", "Sampling variance subtracted"),
            number("noise", "CV of sampling alone", 2),
            number("explained", "Share that sampling explains", 2),
            text("left_out", "Sets left out", optional=True),
        ),
        "Coefficients of variation over sets, with 95 % intervals, where there is one.",
        lambda frame: frame[frame["cv"].notna()],
        empty="No measure has a CV.",
    ),
    "gaps": Schema(
        "variations",
        columns_of(
            MODEL,
            WAY,
            MEASURE,
            number("gap", "CV minus MC's", 2),
            limits("gap_lower", "gap_upper", digits=2),
            READING,
        ),
        "Each measure's CV minus MC's over the sets that both have, sampling variance subtracted from both.",
        lambda frame: _read(VARIES)(frame[frame["gap"].notna()]),
        empty="No CV of MC to compare the other measures with.",
    ),
    "ways_summary": Schema(
        "ways_summary",
        columns_of(
            MODEL,
            MEASURE,
            count("pairs", "Pairs"),
            count("undefined", "Undefined"),
            count("same", "Cannot be distinguished"),
            count("apart", "Distinguished"),
            number("by_chance", "Distinguished by chance", 1),
        ),
        "Pairs of ways by model and measure. By chance: the number distinguished if all pairs were equal.",
    ),
    "ways_apart": Schema(
        "ways_apart",
        columns_of(MODEL, MEASURE, FIRST, SECOND, CONTRAST),
        "The pairs of ways that can be distinguished.",
        _contrasts,
        empty="No pair of ways can be distinguished.",
    ),
    "models": Schema(
        "models",
        columns_of(WAY, MEASURE, FIRST, SECOND, CONTRAST, WHY),
        "Models on the same questions, by way of asking.",
        _contrasts,
        empty=None,  # the sentence on models says it
    ),
    "abstained": Schema(
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
            READING,
            WHY,
        ),
        "Abstention by a threshold that the other half of the questions has set. Gain: A-Acc minus that of "
        "the better constant strategy, answering all or abstaining from all, chosen on the other half too.",
        _read(GAINED),
    ),
    "relations": Schema(
        "relations",
        columns_of(
            text("share", "Share"),
            MEASURE,
            count("n", "Models and ways"),
            number("rho", "Spearman's rho", 2),
            limits("lower", "upper", digits=2),
            READING,
        ),
        "Does a measure of one half of the questions go with what is decided on the other half?",
        _relations,
    ),
}


VIEWS = (
    Views(
        "replication",
        tables=TABLES,
        figures={
            "ratios": figures.ratios,
            "auroc2": figures.auroc2,
            "variations": figures.variations,
            "abstained": figures.abstained,
        },
        sentences={
            "answer": sentences.page_answer,
            "defined_cells": sentences.defined_cells,
            "ranges": sentences.ranges,
            "variation": sentences.variation,
            "questions": sentences.questions,
            "ways_difference": sentences.ways_apart,
            "models_difference": sentences.models_apart,
            "abstaining": sentences.abstaining_gains,
            "relation": sentences.relation,
        },
    ),
)
