"""Study 2: two-choice decisions, confidence in five levels, and what risk does to the criterion."""

from metacog.studies.study import Reference, Study
from metacog.studies.study2_two_choice import (
    asking_forms,
    headline,
    posteriors,
    published_claims,
    rating_tables,
    replication_asked,
    replication_compared,
    replication_posterior,
    replication_ratings,
    replication_risk,
    risk,
    rivals,
    sample_size,
    settings,
    small_models,
    two_choice,
)
from metacog.studies.study2_two_choice.asking.collections import COLLECTIONS
from metacog.studies.study2_two_choice.asking.shown_trials import shown_trials
from metacog.studies.study2_two_choice.ledger.entries import LEDGER

STUDY = Study(
    name="study2_two_choice",
    title="Study 2: measuring the metacognition of AI",
    paper=Reference(
        "Servajean and Servajean", "Measuring the metacognition of AI", 2026, key="servajean2026"
    ),
    collections=COLLECTIONS,
    analyses=(
        two_choice.two_choice,
        shown_trials,
        risk.risk,
        published_claims.published_claims,
        sample_size.sample_size,
        posteriors.posterior,
        posteriors.posterior_group,
        rivals.rivals,
        replication_asked.replication_asked,
        asking_forms.asking_forms,
        replication_ratings.replication_ratings,
        replication_compared.replication_compared,
        replication_risk.replication_risk,
        replication_posterior.replication_posterior,
        small_models.small_models,
        rating_tables.published_tables,
        rating_tables.run_tables,
        headline.headline,
    ),
    settings=settings.Settings,
    ledger=LEDGER,
    rules=replication_compared.RULES,
    views=(
        *two_choice.VIEWS,
        *posteriors.VIEWS,
        *risk.VIEWS,
        *rivals.VIEWS,
        *published_claims.VIEWS,
        *sample_size.VIEWS,
        *replication_asked.VIEWS,
        *asking_forms.VIEWS,
        *replication_ratings.VIEWS,
        *replication_compared.VIEWS,
        *replication_risk.VIEWS,
        *replication_posterior.VIEWS,
    ),
)
