"""Tables of the experiments with confidence."""

from __future__ import annotations

from metacog.report.tables import Schema, columns_of, count, limits, number
from metacog.studies.study2_two_choice.tables.columns import BOTH_ENDS, MODEL, PAIR, SAID, TASK, N, rows_with

LOG = number("difference", "log ratio")

TABLES = {
    "two_choice.cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            N,
            number("accuracy", "Accuracy"),
            number("d_prime", "d'", 2),
            limits("d_prime_lo", "d_prime_hi", "95 % of d'", 2),
            number("meta_d", "meta-d'", 2),
            limits("meta_d_lo", "meta_d_hi", "95 % of meta-d'", 2),
            number("m_ratio", "M-ratio", 2),
            limits("m_ratio_lo", "m_ratio_hi", "95 % of M-ratio", 2),
            number("c", "c", 2),
            count("empty", "Ratings never used"),
        ),
        "Maximum likelihood on the published counts, no cell padded; intervals from resampled trials.",
    ),
    "two_choice.without_model": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            number("auroc2", "AUROC2"),
            limits("auroc2_lo", "auroc2_hi"),
            number("meta_i", "meta-I in bits", 4),
            number("meta_i1r", "meta-I1r"),
            number("meta_i2r", "meta-I2r"),
            number("rmi", "RMI"),
        ),
        "Measures that do not assume the bell curves: the area under the type-2 ROC, and information.",
    ),
    "two_choice.optimality": Schema(
        "ratios",
        columns_of(TASK, MODEL, LOG, BOTH_ENDS, number("undefined", "Draws at or below 0"), SAID),
        "log M-ratio against 0, which is optimal.",
        pick=rows_with("kind", "optimality"),
    ),
    "two_choice.models": Schema(
        "ratios",
        columns_of(PAIR, LOG, BOTH_ENDS, SAID),
        "log M-ratio between models, first less second.",
        pick=rows_with("kind", "models"),
    ),
    "two_choice.tasks": Schema(
        "ratios",
        columns_of(PAIR, LOG, BOTH_ENDS, SAID),
        "log M-ratio between tasks, first less second.",
        pick=rows_with("kind", "tasks"),
    ),
}
