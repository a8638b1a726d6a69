"""Study 4: the Metacognitive Probe, five behavioural diagnostics of a model."""

from metacog.studies.study import Reference, Study
from metacog.studies.study4_probe import (
    headline,
    judging,
    published,
    replication,
    replication_items,
    settings,
    small_models,
)
from metacog.studies.study4_probe.asking.collection import COLLECTIONS
from metacog.studies.study4_probe.asking.shown_trials import shown_trials
from metacog.studies.study4_probe.ledger.entries import LEDGER

STUDY = Study(
    name="study4_probe",
    title="Study 4: the Metacognitive Probe",
    paper=Reference("Oliveira", "The Metacognitive Probe", 2026, key="oliveira2026probe"),
    collections=COLLECTIONS,
    settings=settings.Settings,
    ledger=LEDGER,
    analyses=(
        replication.replication,
        replication_items.replication_items,
        small_models.small_models,
        published.audit,
        published.published_panel,
        shown_trials,
        headline.headline,
    ),
    views=(replication.VIEWS, replication_items.VIEWS, published.VIEWS, published.PANEL),
    rules=judging.RULES,
)
