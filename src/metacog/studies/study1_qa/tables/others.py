"""The tables of what has no registered rule, and of the measures on one table."""

from __future__ import annotations

from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    D_PRIME,
    DATASET,
    FLAG,
    M_RATIO,
    META_D,
    MODEL,
    VERSION_TWO,
    N,
    by_information,
    trivia_by_ratio,
)
from metacog.studies.study1_qa.correction.recovery import ASKED

CORRECTION = {
    "correction.version_one": Schema(
        "named",
        columns_of(
            MODEL,
            ACCURACY.titled("Share right"),
            D_PRIME,
            META_D,
            M_RATIO,
            limits("m_ratio_lo", "m_ratio_hi"),
        ),
        "Version 1 on TriviaQA at T = 1, recomputed from the published counts. Highest M-ratio first.",
        trivia_by_ratio,
    ),
    "correction.version_two": Schema(
        "named",
        columns_of(MODEL, DATASET, ACCURACY.titled("Share right"), VERSION_TWO),
        "Version 2's measures from the published counts at T = 1, most informative confidence first.",
        by_information,
    ),
    "correction_recovery.reach": Schema(
        "reach",
        columns_of(
            text("variant", "Family"),
            limits("whole_lo", "whole_hi", "M-ratio, nothing lost", 2),
            limits("all_lo", "all_hi", "M-ratio, all", 2),
            number("lowest", "Least efficient", 2),
            text("missing", "Cannot be had", optional=True),
        ),
        "M-ratio of expected tables over five accuracies (10 to 80 % right).",
    ),
    "correction_recovery.same": Schema(
        "same",
        columns_of(
            number("m_ratio", "M-ratio", 1),
            count("n_families", "Families that give it"),
            text("families", "Which"),
            limits("lowest", "highest", "True efficiency", 2),
        ),
        "One and the same M-ratio, and where it comes from.",
    ),
    "correction_recovery.counted": Schema(
        "counted",
        columns_of(
            text("variant", "Family"),
            count("rows", "Accuracies"),
            tuple(text(m, name) for m, name in ASKED.items()),
        ),
        "At how many accuracies each measure recovers the order / the amount of true efficiency.",
    ),
    "correction_own.measures": Schema(
        "measures",
        columns_of(
            MODEL,
            DATASET,
            N.titled("Trials"),
            ACCURACY.titled("Share right"),
            VERSION_TWO,
            number("predicted_m_ratio", "M-ratio from slope and accuracy"),
            FLAG,
        ),
        "The run's own models at T = 1. A flag names what makes a row rough.",
    ),
}

TABLES = {**CORRECTION}
