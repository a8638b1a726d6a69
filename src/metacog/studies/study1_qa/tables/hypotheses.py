"""The tables of H1 to H4."""

from __future__ import annotations

from metacog.report.level_table import LEVELS
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    AUROC2,
    D_PRIME,
    DATASET,
    DIFFERENCE,
    DOMAIN,
    FLAG,
    FLAGGED,
    LIMITS,
    M_RATIO,
    META_D,
    META_I2R,
    MODEL,
    NO_PAIR,
    P_HOLM,
    PAIR_OF_DOMAINS,
    PAIR_OF_MODELS,
    PUBLISHED_FORM,
    RANGE_AND_RHO,
    RATIO_LIMITS,
    TEMPERATURE,
    N,
    beside,
    fixed_edges,
    unpadded,
    where,
)

HYPOTHESES = {
    "h1.measures": Schema(
        "measures",
        columns_of(
            MODEL,
            DATASET,
            N,
            ACCURACY,
            D_PRIME,
            META_D,
            M_RATIO,
            RATIO_LIMITS,
            answer("below_one", "Below 1"),
            FLAG,
        ),
        "H1 at T = 1, trial-level bootstrap.",
    ),
    "h1.intervals": Schema(
        "intervals",
        columns_of(
            MODEL,
            DATASET,
            text("scheme", "Resampled"),
            M_RATIO,
            RATIO_LIMITS,
            number("width", "Width"),
        ),
        "The same M-ratio, resampled in different ways.",
    ),
    "h1.beside": beside(
        MODEL, ACCURACY, D_PRIME, META_D, M_RATIO, RATIO_LIMITS, answer("below_one", "Below 1"), FLAG
    ),
    "h2.domains": Schema(
        "domains",
        columns_of(MODEL, DOMAIN, N, ACCURACY, D_PRIME, META_D, M_RATIO, RATIO_LIMITS, FLAG),
        "M-ratio by domain at T = 1.",
    ),
    "h2.pairs": Schema(
        "pairs",
        columns_of(MODEL, PAIR_OF_DOMAINS, DIFFERENCE, LIMITS, number("p", "p", 4), P_HOLM),
        "Pairwise differences of M-ratio.",
        where("measure", "m_ratio"),
        empty="This run has fewer than two domains.",
    ),
    "h2.valid": Schema(
        "pairs",
        columns_of(text("measure", "Measure"), MODEL, PAIR_OF_DOMAINS, DIFFERENCE, LIMITS, P_HOLM),
        "The same pairs on AUROC2 and meta-I2r, which take no padding.",
        unpadded,
        empty="This run has fewer than two domains.",
    ),
    "h2.levels": Schema(
        "domains",
        columns_of(
            MODEL,
            DOMAIN,
            N,
            ACCURACY,
            META_I2R,
            limits("meta_i2r_lo", "meta_i2r_hi"),
            number("meta_i2r_standardised", "meta-I2r at one accuracy"),
            limits("meta_i2r_standardised_lo", "meta_i2r_standardised_hi", "95 % "),
        ),
        "meta-I2r by domain, as it is and at the accuracy of the model over all domains.",
    ),
    "h2.by_accuracy": Schema(
        "by_accuracy",
        columns_of(number("accuracy", "Accuracy", 2), number("d_a", "d_a", 2), META_I2R),
        "What accuracy alone does: equal-variance Gaussian confidence of one separation, eight ratings.",
        empty="No domain of this run has both right and wrong answers.",
    ),
    "h2.level": LEVELS,
    "h2.beside": beside(MODEL, DOMAIN, M_RATIO, AUROC2, META_I2R, FLAG),
    "h3.temperatures": Schema(
        "temperatures",
        columns_of(
            MODEL,
            TEMPERATURE,
            N,
            ACCURACY,
            D_PRIME,
            META_D,
            M_RATIO,
            number("mean_rating", "Mean rating"),
            FLAG,
        ),
        "All temperatures of the run; the hypothesis is about 0.3, 0.5, 0.7 and 1.0.",
    ),
    "h3.summary": Schema(
        "summary", columns_of(MODEL, RANGE_AND_RHO, FLAGGED), "The pre-registered statistics.", fixed_edges
    ),
    "h3.own_edges": Schema(
        "own_edges",
        columns_of(MODEL, TEMPERATURE, N, ACCURACY, D_PRIME, META_D, M_RATIO, FLAG),
        "The same with the rating edges of each temperature's own trials.",
    ),
    "h3.equivalence": Schema(
        "summary",
        columns_of(
            MODEL,
            text("edges", "Rating edges"),
            number("meta_d_range", "Range of meta-d'"),
            number("smallest_bound", "Smallest bound"),
            number("tost_p", "TOST p", 4),
            answer("equivalent", "Equivalent"),
            answer("different", "Different"),
            FLAGGED,
        ),
        "Smallest bound: what the true TOST would have passed with.",
    ),
    "h3.criteria": Schema(
        "summary",
        columns_of(
            MODEL,
            number("low_criterion_change", "Low side"),
            limits("low_criterion_change_lo", "low_criterion_change_hi", "Low side, 97.5 %"),
            number("high_criterion_change", "High side"),
            limits("high_criterion_change_lo", "high_criterion_change_hi", "High side, 97.5 %"),
            FLAGGED,
        ),
        "How far the mean type-2 criteria move from the lowest to the highest of the four temperatures.",
        fixed_edges,
    ),
    "h3.corrected": Schema(
        "corrected", columns_of(MODEL, TEMPERATURE, PUBLISHED_FORM), "meta-I2r and AUROC2 by temperature."
    ),
    "h3.level": LEVELS,
    "h3.beside": beside(MODEL, RANGE_AND_RHO),
    "h4.measures": Schema(
        "measures",
        columns_of(
            MODEL,
            ACCURACY,
            D_PRIME,
            limits("d_prime_lo", "d_prime_hi", "d', 95 %"),
            M_RATIO,
            limits("ci_lo", "ci_hi", "M-ratio, 95 %"),
            FLAG,
        ),
        "Sensitivity and M-ratio at T = 1 with 95 % intervals.",
    ),
    "h4.alone": Schema(
        "pairs",
        columns_of(
            PAIR_OF_MODELS,
            answer("overlap", "Overlap"),
            DIFFERENCE,
            LIMITS,
            number("d_difference", "d' difference"),
            answer("d_similar", "d' similar"),
        ),
        "The run's pairs of models, drawn independently.",
        empty=NO_PAIR,
    ),
    "h4.shared": Schema(
        "pairs",
        columns_of(
            PAIR_OF_MODELS,
            count("n_shared", "Shared questions"),
            number("paired", "Difference"),
            limits("paired_lo", "paired_hi"),
            number("paired_p", "p", 4),
            limits("d_lo", "d_hi", "d' difference, 90 %"),
            number("d_p", "TOST p", 4),
            answer("d_similar", "d' similar"),
            P_HOLM.titled("p of both (Holm)"),
        ),
        "Differences over shared questions; d' limits are 90 %, as TOST wants.",
        empty=NO_PAIR,
    ),
    "h4.level": LEVELS,
    "h4.beside": beside(
        PAIR_OF_MODELS,
        answer("overlap", "Overlap"),
        DIFFERENCE,
        LIMITS,
        number("d_difference", "d' difference"),
        answer("d_similar", "d' similar"),
    ),
}

TABLES = {**HYPOTHESES}
