"""Signal detection theory of confidence: counts or trials in, estimates with their uncertainty out.

No files, no models, no plots. Posteriors of meta-d' are in :mod:`metacog.sdt.bayes`.
"""

from metacog.sdt.abstention import Abstention, HeldOut, abstain_at, abstain_held_out, choose_threshold
from metacog.sdt.area_crossing import Crossing, crossing
from metacog.sdt.area_differences import AreaDifference, auroc2_score_interval, compare_areas
from metacog.sdt.area_intervals import PairedAreas, auroc2_interval, delong_paired
from metacog.sdt.binning import Counts, Edges, counts, quantile_edges, rate
from metacog.sdt.bootstrap import MetaDBootstrap, bootstrap_meta_d, bootstrap_meta_d_many
from metacog.sdt.calibrated_by_chance import Calibrated, if_calibrated
from metacog.sdt.calibration import (
    BrierDecomposition,
    CORPDiagram,
    ReliabilityDiagram,
    brier_decomposition,
    brier_score,
    corp_diagram,
    ece,
    reliability_diagram,
)
from metacog.sdt.checks import InputError, type2_table
from metacog.sdt.combined_intervals import difference_of_shares
from metacog.sdt.compare import MEASURES, Difference, compare_paired, compare_unpaired
from metacog.sdt.cross_fitting import CrossFitted, cross_fitted
from metacog.sdt.decisions import Equivalence, Practical, adjust_p, bootstrap_p, rope_decision, tost
from metacog.sdt.dmc import DMCFit, fit_dmc
from metacog.sdt.families import Family, family
from metacog.sdt.gate import Gate, gate
from metacog.sdt.information import (
    MetaInformation,
    meta_i2r,
    meta_i2r_p,
    meta_information,
    meta_information_from_counts,
)
from metacog.sdt.information_interval import meta_i2r_interval, meta_i2r_se
from metacog.sdt.information_parts import InformationParts, information_parts
from metacog.sdt.intervals import Interval, clopper_pearson, percentile_interval, wilson
from metacog.sdt.kendall_tau import Kendall, kendall
from metacog.sdt.meta_d import (
    MetaDBatch,
    MetaDFit,
    ResponseSpecificFit,
    fit_meta_d,
    fit_meta_d_batch,
    fit_rs_meta_d,
)
from metacog.sdt.meta_noise import MetaNoise, fit_meta_noise
from metacog.sdt.populations import Population, confidence_population, population_for
from metacog.sdt.power import (
    Plan,
    Precision,
    power_table,
    precision,
    required_trials,
    smallest_difference,
    trials_for_m_ratio,
)
from metacog.sdt.promises import Promise, fewest_answers, promise_held_out, promised_threshold
from metacog.sdt.rank_correlations import RankCorrelation, rank_correlation
from metacog.sdt.ranking import Ranking, bootstrap_ranks
from metacog.sdt.rating_models import RatingFit, fit_rating_model
from metacog.sdt.recalibration import recalibrated
from metacog.sdt.recovering import Recovery, recovery
from metacog.sdt.repeated_draws import RepeatedDraws, repeated_draws
from metacog.sdt.resampling import PermutationTest, permutation_p
from metacog.sdt.screen import Screen, screen
from metacog.sdt.selective import RiskCoverage, accuracy_coverage, risk_coverage
from metacog.sdt.sensitivity import Padding, padding
from metacog.sdt.simulate import (
    MetaDObserver,
    NoisyConfidenceObserver,
    SimulatedTrials,
    counts_from_trials,
    meta_d_observer,
)
from metacog.sdt.type1 import ZROC, Type1, ZROCFit, correct_counts, type1, z_roc, z_roc_mle
from metacog.sdt.type2 import Type2ROC, auroc2, auroc2_from_counts, type2_roc
from metacog.sdt.weighted import StratifiedTest, stratified_permutation, weighted_shares
from metacog.sdt.within_strata import StratifiedAnswers

__all__ = [
    "MEASURES",
    "ZROC",
    "Abstention",
    "AreaDifference",
    "BrierDecomposition",
    "CORPDiagram",
    "Calibrated",
    "Counts",
    "CrossFitted",
    "Crossing",
    "DMCFit",
    "Difference",
    "Edges",
    "Equivalence",
    "Family",
    "Gate",
    "HeldOut",
    "InformationParts",
    "InputError",
    "Interval",
    "Kendall",
    "MetaDBatch",
    "MetaDBootstrap",
    "MetaDFit",
    "MetaDObserver",
    "MetaInformation",
    "MetaNoise",
    "NoisyConfidenceObserver",
    "Padding",
    "PairedAreas",
    "PermutationTest",
    "Plan",
    "Population",
    "Practical",
    "Precision",
    "Promise",
    "RankCorrelation",
    "Ranking",
    "RatingFit",
    "Recovery",
    "ReliabilityDiagram",
    "RepeatedDraws",
    "ResponseSpecificFit",
    "RiskCoverage",
    "Screen",
    "SimulatedTrials",
    "StratifiedAnswers",
    "StratifiedTest",
    "Type1",
    "Type2ROC",
    "ZROCFit",
    "abstain_at",
    "abstain_held_out",
    "accuracy_coverage",
    "adjust_p",
    "auroc2",
    "auroc2_from_counts",
    "auroc2_interval",
    "auroc2_score_interval",
    "bootstrap_meta_d",
    "bootstrap_meta_d_many",
    "bootstrap_p",
    "bootstrap_ranks",
    "brier_decomposition",
    "brier_score",
    "choose_threshold",
    "clopper_pearson",
    "compare_areas",
    "compare_paired",
    "compare_unpaired",
    "confidence_population",
    "corp_diagram",
    "correct_counts",
    "counts",
    "counts_from_trials",
    "cross_fitted",
    "crossing",
    "delong_paired",
    "difference_of_shares",
    "ece",
    "family",
    "fewest_answers",
    "fit_dmc",
    "fit_meta_d",
    "fit_meta_d_batch",
    "fit_meta_noise",
    "fit_rating_model",
    "fit_rs_meta_d",
    "gate",
    "if_calibrated",
    "information_parts",
    "kendall",
    "meta_d_observer",
    "meta_i2r",
    "meta_i2r_interval",
    "meta_i2r_p",
    "meta_i2r_se",
    "meta_information",
    "meta_information_from_counts",
    "padding",
    "percentile_interval",
    "permutation_p",
    "population_for",
    "power_table",
    "precision",
    "promise_held_out",
    "promised_threshold",
    "quantile_edges",
    "rank_correlation",
    "rate",
    "recalibrated",
    "recovery",
    "reliability_diagram",
    "repeated_draws",
    "required_trials",
    "risk_coverage",
    "rope_decision",
    "screen",
    "smallest_difference",
    "stratified_permutation",
    "tost",
    "trials_for_m_ratio",
    "type1",
    "type2_roc",
    "type2_table",
    "weighted_shares",
    "wilson",
    "z_roc",
    "z_roc_mle",
]
