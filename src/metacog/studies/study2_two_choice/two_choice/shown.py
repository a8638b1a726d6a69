"""Do the models know when they are right? How it is shown: tables and sentences."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.report.tables import Schema, columns_of, count, limits, number
from metacog.report.views import Views
from metacog.studies.study2_two_choice.cells.columns import MODEL, TASK, N, ratio_tables
from metacog.studies.study2_two_choice.cells.sentences import below_one, falls, left_out, place
from metacog.studies.study2_two_choice.two_choice import figures
from metacog.studies.study2_two_choice.two_choice.analysis import TwoChoice

TABLES = {
    "cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            N,
            number("accuracy", "Accuracy"),
            number("d_prime", "d'", 2),
            limits("d_prime_lower", "d_prime_upper", "95 % of d'", 2),
            number("meta_d", "meta-d'", 2),
            limits("meta_d_lower", "meta_d_upper", "95 % of meta-d'", 2),
            number("m_ratio", "M-ratio", 2),
            limits("m_ratio_lower", "m_ratio_upper", "95 % of M-ratio", 2),
            number("c", "c", 2),
            count("empty", "Ratings never used"),
        ),
        "Maximum likelihood on the published counts, no cell padded; intervals from resampled trials.",
    ),
    "without_model": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            number("auroc2", "AUROC2"),
            limits("auroc2_lower", "auroc2_upper"),
            number("meta_i", "meta-I in bits", 4),
            number("meta_i1r", "meta-I1r"),
            number("meta_i2r", "meta-I2r"),
            number("rmi", "RMI"),
        ),
        "Measures that do not assume the bell curves: the area under the type-2 ROC, and information.",
    ),
    **ratio_tables("log M-ratio"),
}


def published_d_prime(result: TwoChoice) -> str:
    """How far the published d' lie from those of the counts, and what else the furthest row holds."""
    *near, row = rows_of(result.cells.sort_values("off", key=abs))
    return (
        f"In {len(near)} of {len(result.cells)} cells the published d' lies within {abs(near[-1].off):.1f} "
        f"standard errors of that of the counts. It lies furthest off in {place(row)}: the counts give "
        f"{row.d_prime:.4f}, published is {row.d_prime_published:.4f}, {abs(row.off):.1f} standard errors "
        f"away. Its published meta-d' over its published d' is {row.ratio_published:.3f}, its published "
        f"M-ratio {row.m_ratio_published:.3f}."
    )


VIEWS = Views(
    "two_choice",
    tables=TABLES,
    figures={"m_ratio": figures.m_ratio, "accuracy": figures.accuracy, "confidence_given": figures.given},
    sentences={
        "optimality": lambda result: below_one(result.ratios),
        "published_d_prime": published_d_prime,
        "left_out": left_out,
        "falls": falls,
    },
)
