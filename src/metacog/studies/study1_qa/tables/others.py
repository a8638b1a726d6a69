"""The tables of what has no registered rule, and of the measures on one table."""

from __future__ import annotations

from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    AUROC2,
    CORRELATIONS,
    D_PRIME,
    DATASET,
    DIFFERENCES,
    DOMAIN,
    FLAG,
    LIMITS,
    M_RATIO,
    META_D,
    META_I2R,
    MODEL,
    NO_TUNED_PAIR,
    PUBLISHED_FORM,
    RANKS,
    VERSION_TWO,
    N,
    beside,
    by_information,
    plain,
    trivia_by_ratio,
)
from metacog.studies.study1_qa.correction.recovery import ASKED

EXPLORATORY = {
    "auroc2.ranks": Schema(
        "ranks",
        columns_of(
            MODEL,
            ACCURACY,
            AUROC2,
            number("auroc2_ratings", "AUROC2 of ratings"),
            M_RATIO,
            META_I2R,
            RANKS,
            FLAG,
        ),
        "This run at T = 1: AUROC2 of raw NLP and of the eight ratings, M-ratio and meta-I2r.",
    ),
    "auroc2.correlations": Schema("correlations", CORRELATIONS, "Rank correlations of this run's models."),
    "auroc2.domains": Schema(
        "domains",
        columns_of(MODEL, DOMAIN, PUBLISHED_FORM),
        "Version 2's measures by domain.",
        empty="The questions of this run have no domains.",
    ),
    "auroc2.beside": beside(MODEL, AUROC2, M_RATIO, RANKS[:2], META_I2R, RANKS[2]),
    "auroc2.published": Schema(
        "published_correlations",
        CORRELATIONS,
        "Rank correlations of the published models on both question sets.",
    ),
    "selective.coverages": Schema(
        "coverages",
        columns_of(MODEL, DATASET, number("coverage", "Coverage"), ACCURACY, LIMITS, number("gain", "Gain")),
        "Accuracy of the most confident answers; gain is over answering everything.",
    ),
    "selective.areas": Schema(
        "areas",
        columns_of(
            MODEL,
            DATASET,
            N,
            number("full_risk", "Risk without abstaining"),
            number("aurc", "AURC"),
            number("e_aurc", "E-AURC"),
            number("oracle_aurc", "Perfect AURC"),
        ),
        "Risk-coverage areas of this run at T = 1.",
    ),
    "selective.beside": beside(MODEL, ACCURACY, number("gain", "Gain"), number("printed", "Printed"), LIMITS),
    "instruct_base.differences": Schema(
        "differences",
        columns_of(text("pair", "Pair"), DIFFERENCES),
        "This run's pairs, the same questions drawn for both.",
        empty=NO_TUNED_PAIR,
    ),
    "instruct_base.triviaqa": Schema("triviaqa", DIFFERENCES, "llama3_instruct and llama3_base on triviaqa."),
    "instruct_base.nq": Schema("nq", DIFFERENCES, "llama3_instruct and llama3_base on nq."),
}

MEASURES = {
    "measures.ratings": Schema(
        "ratings",
        columns_of(
            count("rating", "Rating"),
            count("right", "Right"),
            count("wrong", "Wrong"),
            number("share right", "Share right"),
        ),
        "Every number on this page comes from this table.",
    ),
    "measures.spoken": Schema(
        "spoken",
        columns_of(
            text("way", "Way of speaking"), number("ece", "ECE"), number("brier", "Brier"), AUROC2, META_I2R
        ),
        "One set of answers, three ways of speaking.",
    ),
    "measures.gains": Schema(
        "gains",
        columns_of(
            MODEL,
            number("accuracy", "Right, all questions"),
            number("half", "Right, surest half"),
            number("gain", "Gain (points)", 1),
            META_I2R,
        ),
        "What answering the surest half is worth.",
    ),
    "measures.moves": plain("moves", "The measures of the worked table after one change at a time."),
}

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

TABLES = {**EXPLORATORY, **MEASURES, **CORRECTION}
