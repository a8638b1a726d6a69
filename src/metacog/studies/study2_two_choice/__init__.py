"""Study 2: two-choice decisions, confidence in five levels, and what risk does to the criterion."""

from metacog.studies.study import Reference, Study
from metacog.studies.study2_two_choice.asking.collections import COLLECTIONS
from metacog.studies.study2_two_choice.asking.shown_trials import shown_trials
from metacog.studies.study2_two_choice.headline.analysis import headline
from metacog.studies.study2_two_choice.ledger.entries import LEDGER
from metacog.studies.study2_two_choice.published_claims.analysis import published_claims
from metacog.studies.study2_two_choice.rating_tables.analysis import published_tables, run_tables
from metacog.studies.study2_two_choice.replication.analysis import (
    replication_asked,
    replication_compared,
    replication_posterior,
    replication_ratings,
    replication_risk,
)
from metacog.studies.study2_two_choice.replication.shown import VIEWS as REPLICATION
from metacog.studies.study2_two_choice.risk.analysis import risk
from metacog.studies.study2_two_choice.risk.shown import VIEWS as RISK
from metacog.studies.study2_two_choice.sample_size.analysis import sample_size
from metacog.studies.study2_two_choice.sample_size.shown import VIEWS as SAMPLE_SIZE
from metacog.studies.study2_two_choice.settings import Settings
from metacog.studies.study2_two_choice.two_choice.analysis import two_choice
from metacog.studies.study2_two_choice.two_choice.posterior import posterior, posterior_group
from metacog.studies.study2_two_choice.two_choice.shown import VIEWS as TWO_CHOICE

STUDY = Study(
    name="study2_two_choice",
    title="Study 2: measuring the metacognition of AI",
    paper=Reference(
        "Servajean and Servajean", "Measuring the metacognition of AI", 2026, key="servajean2026"
    ),
    collections=COLLECTIONS,
    analyses=(
        two_choice,
        shown_trials,
        risk,
        published_claims,
        sample_size,
        posterior,
        posterior_group,
        replication_asked,
        replication_ratings,
        replication_compared,
        replication_risk,
        replication_posterior,
        published_tables,
        run_tables,
        headline,
    ),
    settings=Settings,
    ledger=LEDGER,
    views=(*TWO_CHOICE, RISK, SAMPLE_SIZE, *REPLICATION),
)
