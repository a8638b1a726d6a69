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
    """Which published d' do not follow from the counts, and what suggests it."""
    cells = result.cells
    kept = cells[cells["follows"]]
    sentence = (
        f"In {len(kept)} of {len(cells)} cells the published d' lies within {kept['off'].abs().max():.1f} "
        "standard errors of that of the counts."
    )
    for row in rows_of(cells[~cells["follows"]]):
        consistent = abs(row.ratio_published - row.m_ratio_published) <= 1e-3
        agrees = "agrees with itself and not" if consistent else "agrees neither with itself nor"
        sentence += (
            f" Not so {place(row)}: the counts give {row.d_prime:.4f}, published is "
            f"{row.d_prime_published:.4f}, {abs(row.off):.1f} standard errors away. Its published meta-d' "
            f"over its published d' is {row.ratio_published:.3f}, its published M-ratio "
            f"{row.m_ratio_published:.3f}: the published row {agrees} with the counts."
        )
    return sentence


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
