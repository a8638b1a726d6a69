"""Pure estimators: counts in, numbers out; no files, no models, no plots."""

from .abstain import abstain_at, abstain_held_out, choose_threshold
from .bootstrap import MetaDBootstrap, bootstrap_meta_d, bootstrap_meta_d_many, resample_counts
from .calibration import brier_decomposition, brier_score, ece, reliability_diagram
from .checks import InputError
from .compare import compare_paired
from .compare_unpaired import compare_counts, compare_unpaired
from .decisions import (
    Practical,
    adjust_p,
    bonferroni_z,
    log_ratio_decision,
    rope_decision,
    tost,
    tost_draws,
    z_test,
)
from .dmc import fit_dmc, fit_dmc_batch
from .dmc_observer import DMCObserver
from .dmc_trials import bootstrap_dmc, dmc_counts
from .families import family
from .information import meta_i2r_interval, meta_information, meta_information_from_counts
from .intervals import Interval, percentile_interval
from .measures import MEASURES, Measure
from .meta_d import MetaDBatch, MetaDFit, fit_meta_d, fit_meta_d_batch, fittable
from .permutation import permute_clusters
from .power import power_table, required_trials
from .ranking import bootstrap_ranks
from .response_specific import fit_rs_meta_d, fit_rs_meta_d_batch
from .selective import accuracy_coverage, accuracy_coverage_from_counts, risk_coverage
from .simulate import (
    MetaDObserver,
    NoisyConfidenceObserver,
    SimulatedTrials,
    counts_from_trials,
    meta_d_observer,
)
from .tables import type2_table
from .type1 import Type1, correct_counts, type1
from .type2 import (
    auroc2,
    auroc2_from_counts,
    auroc2_interval,
    auroc2_interval_from_counts,
    delong_paired,
    type2_roc,
)
from .variation import coefficient_of_variation, variation
from .zroc import z_roc, z_roc_mle

__all__ = [
    "MEASURES",
    "DMCObserver",
    "InputError",
    "Interval",
    "Measure",
    "MetaDBatch",
    "MetaDBootstrap",
    "MetaDFit",
    "MetaDObserver",
    "NoisyConfidenceObserver",
    "Practical",
    "SimulatedTrials",
    "Type1",
    "abstain_at",
    "abstain_held_out",
    "accuracy_coverage",
    "accuracy_coverage_from_counts",
    "adjust_p",
    "auroc2",
    "auroc2_from_counts",
    "auroc2_interval",
    "auroc2_interval_from_counts",
    "bonferroni_z",
    "bootstrap_dmc",
    "bootstrap_meta_d",
    "bootstrap_meta_d_many",
    "bootstrap_ranks",
    "brier_decomposition",
    "brier_score",
    "choose_threshold",
    "coefficient_of_variation",
    "compare_counts",
    "compare_paired",
    "compare_unpaired",
    "correct_counts",
    "counts_from_trials",
    "delong_paired",
    "dmc_counts",
    "ece",
    "family",
    "fit_dmc",
    "fit_dmc_batch",
    "fit_meta_d",
    "fit_meta_d_batch",
    "fit_rs_meta_d",
    "fit_rs_meta_d_batch",
    "fittable",
    "log_ratio_decision",
    "meta_d_observer",
    "meta_i2r_interval",
    "meta_information",
    "meta_information_from_counts",
    "percentile_interval",
    "permute_clusters",
    "power_table",
    "reliability_diagram",
    "required_trials",
    "resample_counts",
    "risk_coverage",
    "rope_decision",
    "tost",
    "tost_draws",
    "type1",
    "type2_roc",
    "type2_table",
    "variation",
    "z_roc",
    "z_roc_mle",
    "z_test",
]
