"""Pure estimators: counts in, numbers out; no files, no models, no plots."""

from ._checks import InputError
from ._tables import type2_table
from .calibration import brier_decomposition, brier_score, ece, reliability_diagram
from .information import meta_information, meta_information_from_counts
from .selective import accuracy_coverage, accuracy_coverage_from_counts, risk_coverage
from .type2 import auroc2, auroc2_from_counts, type2_roc
from .zroc import z_roc, z_roc_mle

__all__ = [
    "InputError",
    "accuracy_coverage",
    "accuracy_coverage_from_counts",
    "auroc2",
    "auroc2_from_counts",
    "brier_decomposition",
    "brier_score",
    "ece",
    "meta_information",
    "meta_information_from_counts",
    "reliability_diagram",
    "risk_coverage",
    "type2_roc",
    "type2_table",
    "z_roc",
    "z_roc_mle",
]
