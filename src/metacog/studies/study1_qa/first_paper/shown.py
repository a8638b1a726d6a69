"""The tables of the first paper's counts."""

from __future__ import annotations

from metacog.report.tables import Column, Schema, Sort, answer, columns_of, count, limits, number, text
from metacog.studies.study1_qa.cells.columns import (
    AUROC2,
    D_PRIME,
    DATASET,
    FLAG,
    FLAGGED,
    M_RATIO,
    META_I2R,
    MODEL,
    RANGE_AND_RHO,
    TEMPERATURE,
    N,
)

VARIANT, BELOW = text("variant", "Ratings"), count("below", "Below the middle cut")
PRINTED, NEAR, WIDE = "Printed, table 7", "Cut near the median", "20 equal widths"
PADDING = number("padding", "d' moves with padding")

TABLES = {
    "first_paper.temperatures": Schema(
        "together",
        columns_of(
            MODEL,
            TEMPERATURE,
            N,
            number("accuracy", "Accuracy", 4),
            AUROC2,
            META_I2R,
            number("d_prime_median", "d'", 3, NEAR),
            number("meta_d_median", "meta-d'", 3, NEAR),
            number("c_median", "criterion", 3, NEAR),
            number("high_criterion_median", "type-2 criterion", 3, NEAR),
            number("d_prime_twenty", "d'", 3, WIDE),
            number("meta_d_twenty", "meta-d'", 3, WIDE),
            number("below_twenty", "below the cut", 0, WIDE),
            Column("flag_twenty", "flag", Sort.TEXT, group=WIDE),
        ),
        "The paper's own models at seven temperatures, from 20 bins whose edges do not move. AUROC2 and "
        "meta-I2r of the 20 bins need no middle cut and no padding.",
    ),
    "first_paper.summary": Schema(
        "summary",
        columns_of(
            VARIANT,
            MODEL,
            RANGE_AND_RHO,
            number("smallest_bound", "Smallest bound"),
            number("tost_p", "TOST p", 4),
            answer("equivalent", "Equivalent"),
            answer("different", "Different"),
            FLAGGED,
        ),
        "H3 over T = 0.3, 0.5, 0.7 and 1.0. A model with a flagged cell gets no answer.",
    ),
    "first_paper.beside": Schema(
        "beside",
        columns_of(
            MODEL,
            TEMPERATURE,
            number("d_prime_printed", "d'", 3, PRINTED),
            number("meta_d_printed", "meta-d'", 3, PRINTED),
            number("d_prime_median", "d'", 3, NEAR),
            number("meta_d_median", "meta-d'", 3, NEAR),
            number("d_prime_twenty", "d'", 3, WIDE),
            number("meta_d_twenty", "meta-d'", 3, WIDE),
        ),
        "The printed table, whose edges are the quantiles of T = 1, beside the first paper's counts.",
    ),
    "first_paper.widths": Schema(
        "widths",
        columns_of(MODEL, DATASET, VARIANT, BELOW, D_PRIME, PADDING, M_RATIO, AUROC2, META_I2R, FLAG),
        "The paper's models at T = 1 on quantile ratings and on bins of equal width.",
    ),
    "first_paper.marking": Schema(
        "marking",
        columns_of(
            MODEL,
            DATASET,
            number("accuracy_loose", "0.80", 3, "Accuracy, marked at"),
            number("accuracy_used", "0.85", 3, "Accuracy, marked at"),
            number("accuracy_strict", "0.90", 3, "Accuracy, marked at"),
            number("auroc2", "AUROC2 at 0.85"),
            limits("loose_lo", "loose_hi", "AUROC2 at 0.80 between"),
            limits("strict_lo", "strict_hi", "AUROC2 at 0.90 between"),
        ),
        "Accuracy of three models at T = 1 under other thresholds, and the ends that AUROC2 cannot leave.",
    ),
}
