"""The analyses of study 2, by name."""

from metacog.studies.study2_two_choice.analyses.own import own_asked, own_ratings, own_risk_cells
from metacog.studies.study2_two_choice.analyses.own_posterior import own_posterior
from metacog.studies.study2_two_choice.analyses.posterior import posterior, posterior_group
from metacog.studies.study2_two_choice.analyses.printed import printed_claims
from metacog.studies.study2_two_choice.analyses.risk import risk
from metacog.studies.study2_two_choice.analyses.sample_size import sample_size
from metacog.studies.study2_two_choice.analyses.two_choice import two_choice

ANALYSES = (
    two_choice,
    risk,
    printed_claims,
    sample_size,
    posterior,
    posterior_group,
    own_asked,
    own_ratings,
    own_risk_cells,
    own_posterior,
)
