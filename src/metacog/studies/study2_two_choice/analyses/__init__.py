"""The analyses of study 2, by name."""

from metacog.studies.study2_two_choice.analyses.printed import printed_claims
from metacog.studies.study2_two_choice.analyses.risk import risk
from metacog.studies.study2_two_choice.analyses.two_choice import two_choice

ANALYSES = (two_choice, risk, printed_claims)
