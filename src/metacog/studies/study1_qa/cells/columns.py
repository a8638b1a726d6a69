"""Columns that several tables of study 1 have, and ways to choose rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from metacog.report.tables import Column, Schema, columns_of, count, limits, number, text
from metacog.studies.study1_qa.ledger.published import DATASETS, MODELS

#: What readers call the published models, and the question sets: the published ones and this book's own.
NAMES = MODELS | DATASETS | {"bank": "this book's questions"}

MODEL, DATASET, DOMAIN = text("model", "Model"), text("dataset", "Questions"), text("domain", "Domain")
COVERAGE = text("coverage", "Simulated coverage", optional=True)
SOURCE, FLAG = text("source", "Source"), text("flag", "Flag", optional=True)
TEMPERATURE, N = number("temperature", "T", 1), count("n", "Answers")
ACCURACY, D_PRIME, META_D = (
    number("accuracy", "Accuracy"),
    number("d_prime", "d'"),
    number("meta_d", "meta-d'"),
)
M_RATIO, AUROC2, META_I2R = (
    number("m_ratio", "M-ratio"),
    number("auroc2", "AUROC2"),
    number("meta_i2r", "meta-I2r"),
)
DIFFERENCE, P_HOLM = number("difference", "Difference"), number("p_holm", "p (Holm)", 4)
PAIR_OF_MODELS = (text("model_a", "Model A"), text("model_b", "Model B"))
RATIO_LIMITS = limits("m_ratio_lower", "m_ratio_upper")
LIMITS = limits("lower", "upper")
#: Version 2's measures as its tables print them.
PUBLISHED_FORM = columns_of(
    number("accuracy", "Accuracy"),
    N,
    number("meta_i2r_permutation", "meta-I2r (permutation)"),
    limits("meta_i2r_lower", "meta_i2r_upper", "meta-I2r, 95 %"),
    number("p_value", "p (perm.)", 4),
    AUROC2,
    limits("auroc2_lower", "auroc2_upper", "AUROC2, 95 %"),
    COVERAGE,
    FLAG,
)
QUARTERS = (
    number("q1", "Lowest quarter"),
    number("q2", "2nd"),
    number("q3", "3rd"),
    number("q4", "Highest"),
)


def where(column: str, *values: str):
    """Rows that hold one of the values."""
    return lambda frame: frame[frame[column].isin(values)]


def plain(of: str | Callable[[Any], pd.DataFrame], caption: str = "", empty: str = "") -> Schema:
    """A table whose columns the data decide."""
    return Schema(of, (), caption, empty=empty, digits={"temperature": 1})


def comparison(*columns: Column | tuple[Column, ...]) -> Schema:
    """Published numbers and the run's, one row per source and model."""
    return Schema("comparison", columns_of(SOURCE, *columns))


NO_PAIR = "This run has one model, so there is no pair to compare."
