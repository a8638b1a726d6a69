"""Signal detection theory of confidence: counts or trials in, estimates with their uncertainty out.

No files, no models, no plots. Posteriors of meta-d' are in :mod:`metacog.sdt.bayes`.
"""

from ._area import PairedAreas, auroc2_interval, auroc2_interval_from_counts, auroc2_p, delong_paired
from ._cluster_permutation import ClusterPermutation, permute_clusters
from ._information_bias import null_meta_i2r
from ._information_interval import meta_i2r_interval, meta_i2r_se
from ._permutation_p import PermutationTest, permutation_p
from .abstain import Abstention, HeldOut, abstain_at, abstain_held_out, choose_threshold
from .area_contrast import AreaContrast, area_contrast
from .area_difference import AreaDifference, auroc2_score_interval, compare_areas
from .binning import (
    Counts,
    Edges,
    GroupCounts,
    counts,
    counts_by,
    equal_width_edges,
    quantile_edges,
    rate,
    rate_by,
)
from .bootstrap import MetaDBootstrap, bootstrap_meta_d, bootstrap_meta_d_many, resample_counts
from .calibrated import Calibrated, if_calibrated
from .calibration import (
    BrierDecomposition,
    ReliabilityDiagram,
    brier_decomposition,
    brier_score,
    ece,
    reliability_diagram,
)
from .checks import InputError
from .compare import Difference, compare_paired
from .compare_unpaired import compare_counts, compare_unpaired
from .concordance import Kendall, kendall
from .correlation import Correlation, correlation, spearman_brown
from .cross_areas import CrossAreas, shuffled_areas
from .cross_fitted import CrossFitted, cross_fitted
from .crossing import Crossing, crossing
from .decisions import (
    Equivalence,
    LogRatio,
    Practical,
    ZTest,
    adjust_p,
    bonferroni_z,
    bootstrap_p,
    log_ratio_decision,
    rope_decision,
    tost,
    tost_draws,
    z_test,
)
from .discrimination import ItemDiscrimination, item_discrimination
from .dmc import DMCBatch, DMCFit, cognitive_ability, fit_dmc, fit_dmc_batch
from .dmc_matrix import counts_matrix
from .dmc_observer import DMCObserver
from .dmc_trials import DMCCounts, DMCEstimate, bootstrap_dmc, dmc_counts
from .ease_alone import EaseAlone
from .families import Family, family
from .gate import Gate, gate
from .gate_worth import GateWorth, gate_worth
from .information import MetaInformation, meta_i2r, meta_i2r_p, meta_information, meta_information_from_counts
from .information_bits import plugin_meta_i2r
from .information_parts import InformationParts, information_parts
from .intervals import Interval, percentile_interval, wilson
from .item_response import ItemResponse, item_response
from .many_answerers import SimulatedModel, simulated_models
from .measures import MEASURES, Measure
from .meta_d import MetaDBatch, MetaDFit, fit_meta_d, fit_meta_d_batch, fittable
from .one_step_gain import OneStepGain
from .padding import Padding, padding
from .populations import (
    Population,
    confidence_population,
    pilot_population,
    population_for,
    two_choice_population,
)
from .power import Plan, Precision, power_table, precision, required_trials
from .proportions import combined, difference_of_shares
from .rank_correlation import RankCorrelation, rank_correlation
from .ranking import Ranking, bootstrap_ranks, rank_sets
from .rating_margins import parts_of_change, with_margins
from .recovery import Recovery, recovery
from .repeated_draws import RepeatedDraws, repeated_draws
from .response_specific import ResponseSpecificBatch, ResponseSpecificFit, fit_rs_meta_d, fit_rs_meta_d_batch
from .sample_size import simulate_sizes, spread_by_size, trials_for_m_ratio
from .screen import Screen, screen, screen_counts
from .screen_alarms import ScreenAlarms, screen_alarms, sound_cells
from .selective import (
    RiskCoverage,
    accuracy_coverage,
    accuracy_coverage_from_counts,
    risk_coverage,
    risk_coverage_from_counts,
)
from .simulate import (
    MetaDObserver,
    NoisyConfidenceObserver,
    SimulatedTrials,
    counts_from_trials,
    meta_d_observer,
)
from .tables import type2_table
from .two_answerers import SimulatedAnswers, TwoAnswerers
from .two_way import additive_fit, multiplicative_fit
from .type1 import Type1, correct_counts, type1
from .type2 import Type2ROC, auroc2, auroc2_from_counts, type2_roc, type2_roc_from_counts
from .variation import Variation, coefficient_of_variation, variation, variation_difference
from .weighted_shares import StratifiedTest, stratified_permutation, weighted_shares
from .within_strata import StratifiedAnswers
from .zroc import ZROC, ZROCFit, z_roc, z_roc_mle

__all__ = [
    "MEASURES",
    "ZROC",
    "Abstention",
    "AreaContrast",
    "AreaDifference",
    "BrierDecomposition",
    "Calibrated",
    "ClusterPermutation",
    "Correlation",
    "Counts",
    "CrossAreas",
    "CrossFitted",
    "Crossing",
    "DMCBatch",
    "DMCCounts",
    "DMCEstimate",
    "DMCFit",
    "DMCObserver",
    "Difference",
    "EaseAlone",
    "Edges",
    "Equivalence",
    "Family",
    "Gate",
    "GateWorth",
    "GroupCounts",
    "HeldOut",
    "InformationParts",
    "InputError",
    "Interval",
    "ItemDiscrimination",
    "ItemResponse",
    "Kendall",
    "LogRatio",
    "Measure",
    "MetaDBatch",
    "MetaDBootstrap",
    "MetaDFit",
    "MetaDObserver",
    "MetaInformation",
    "NoisyConfidenceObserver",
    "OneStepGain",
    "Padding",
    "PairedAreas",
    "PermutationTest",
    "Plan",
    "Population",
    "Practical",
    "Precision",
    "RankCorrelation",
    "Ranking",
    "Recovery",
    "ReliabilityDiagram",
    "RepeatedDraws",
    "ResponseSpecificBatch",
    "ResponseSpecificFit",
    "RiskCoverage",
    "Screen",
    "ScreenAlarms",
    "SimulatedAnswers",
    "SimulatedModel",
    "SimulatedTrials",
    "StratifiedAnswers",
    "StratifiedTest",
    "TwoAnswerers",
    "Type1",
    "Type2ROC",
    "Variation",
    "ZROCFit",
    "ZTest",
    "abstain_at",
    "abstain_held_out",
    "accuracy_coverage",
    "accuracy_coverage_from_counts",
    "additive_fit",
    "adjust_p",
    "area_contrast",
    "auroc2",
    "auroc2_from_counts",
    "auroc2_interval",
    "auroc2_interval_from_counts",
    "auroc2_p",
    "auroc2_score_interval",
    "bonferroni_z",
    "bootstrap_dmc",
    "bootstrap_meta_d",
    "bootstrap_meta_d_many",
    "bootstrap_p",
    "bootstrap_ranks",
    "brier_decomposition",
    "brier_score",
    "choose_threshold",
    "coefficient_of_variation",
    "cognitive_ability",
    "combined",
    "compare_areas",
    "compare_counts",
    "compare_paired",
    "compare_unpaired",
    "confidence_population",
    "correct_counts",
    "correlation",
    "counts",
    "counts_by",
    "counts_from_trials",
    "counts_matrix",
    "cross_fitted",
    "crossing",
    "delong_paired",
    "difference_of_shares",
    "dmc_counts",
    "ece",
    "equal_width_edges",
    "family",
    "fit_dmc",
    "fit_dmc_batch",
    "fit_meta_d",
    "fit_meta_d_batch",
    "fit_rs_meta_d",
    "fit_rs_meta_d_batch",
    "fittable",
    "gate",
    "gate_worth",
    "if_calibrated",
    "information_parts",
    "item_discrimination",
    "item_response",
    "kendall",
    "log_ratio_decision",
    "meta_d_observer",
    "meta_i2r",
    "meta_i2r_interval",
    "meta_i2r_p",
    "meta_i2r_se",
    "meta_information",
    "meta_information_from_counts",
    "multiplicative_fit",
    "null_meta_i2r",
    "padding",
    "parts_of_change",
    "percentile_interval",
    "permutation_p",
    "permute_clusters",
    "pilot_population",
    "plugin_meta_i2r",
    "population_for",
    "power_table",
    "precision",
    "quantile_edges",
    "rank_correlation",
    "rank_sets",
    "rate",
    "rate_by",
    "recovery",
    "reliability_diagram",
    "repeated_draws",
    "required_trials",
    "resample_counts",
    "risk_coverage",
    "risk_coverage_from_counts",
    "rope_decision",
    "screen",
    "screen_alarms",
    "screen_counts",
    "shuffled_areas",
    "simulate_sizes",
    "simulated_models",
    "sound_cells",
    "spearman_brown",
    "spread_by_size",
    "stratified_permutation",
    "tost",
    "tost_draws",
    "trials_for_m_ratio",
    "two_choice_population",
    "type1",
    "type2_roc",
    "type2_roc_from_counts",
    "type2_table",
    "variation",
    "variation_difference",
    "weighted_shares",
    "wilson",
    "with_margins",
    "z_roc",
    "z_roc_mle",
    "z_test",
]
