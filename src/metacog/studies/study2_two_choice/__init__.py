"""Study 2: two-choice decisions, confidence in five levels, and what risk does to the criterion."""

from metacog.studies.study import Reference, Study
from metacog.studies.study2_two_choice import (
    headline,
    published_claims,
    rating_tables,
    replication,
    replication_shown,
    risk,
    risk_shown,
    sample_size,
    sample_size_shown,
    settings,
    two_choice,
    two_choice_shown,
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
        two_choice.posterior,
        two_choice.posterior_group,
        replication.replication_asked,
        replication.replication_ratings,
        replication.replication_compared,
        replication.replication_risk,
        replication.replication_posterior,
        rating_tables.published_tables,
        rating_tables.run_tables,
        headline.headline,
    ),
    settings=settings.Settings,
    ledger=LEDGER,
    views=(*two_choice_shown.VIEWS, risk_shown.VIEWS, sample_size_shown.VIEWS, *replication_shown.VIEWS),
)
