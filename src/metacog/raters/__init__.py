"""Agreement of raters: pairwise agreement, Krippendorff's and Cronbach's alpha, and how sure they are."""

from metacog.raters.precision import AlphaPrecision, agreement_at, alpha_at, alpha_precision, simulate_raters
from metacog.raters.reliability import (
    Judgements,
    RaterReliability,
    cronbach_alpha,
    judgements,
    krippendorff_alpha,
    pairwise_agreement,
    rater_pairs,
    rater_reliability,
)

__all__ = [
    "AlphaPrecision",
    "Judgements",
    "RaterReliability",
    "agreement_at",
    "alpha_at",
    "alpha_precision",
    "cronbach_alpha",
    "judgements",
    "krippendorff_alpha",
    "pairwise_agreement",
    "rater_pairs",
    "rater_reliability",
    "simulate_raters",
]
