"""Pure estimators: counts in, numbers out; no files, no models, no plots."""

from ._checks import InputError
from ._tables import type2_table
from .bootstrap import MetaDBootstrap, bootstrap_meta_d, bootstrap_meta_d_many, resample_counts
from .calibration import brier_decomposition, brier_score, ece, reliability_diagram
from .information import meta_information, meta_information_from_counts
from .meta_d import MetaDBatch, MetaDFit, fit_meta_d, fit_meta_d_batch
from .response_specific import fit_rs_meta_d, fit_rs_meta_d_batch
from .selective import accuracy_coverage, accuracy_coverage_from_counts, risk_coverage
from .type1 import Type1, correct_counts, type1
from .type2 import auroc2, auroc2_from_counts, type2_roc
from .zroc import z_roc, z_roc_mle

__all__ = [
    "InputError",
    "MetaDBatch",
    "MetaDBootstrap",
    "MetaDFit",
    "Type1",
    "accuracy_coverage",
    "accuracy_coverage_from_counts",
    "auroc2",
    "auroc2_from_counts",
    "bootstrap_meta_d",
    "bootstrap_meta_d_many",
    "brier_decomposition",
    "brier_score",
    "correct_counts",
    "ece",
    "fit_meta_d",
    "fit_meta_d_batch",
    "fit_rs_meta_d",
    "fit_rs_meta_d_batch",
    "meta_information",
    "meta_information_from_counts",
    "reliability_diagram",
    "resample_counts",
    "risk_coverage",
    "type1",
    "type2_roc",
    "type2_table",
    "z_roc",
    "z_roc_mle",
]
