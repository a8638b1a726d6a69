"""Study 5: the Metacognitive Monitoring Battery, six tracks and two commitment probes over twenty models."""

from metacog.studies.study import Reference, Study
from metacog.studies.study5_battery import (
    commitment,
    contrasts,
    headline,
    monitoring,
    profiles,
    regulation,
    replication,
    replication_items,
    responses,
    robustness,
    screening,
    self_knowledge,
    settings,
    small_models,
    thinking,
    tracks,
)
from metacog.studies.study5_battery.asking.collection import COLLECTIONS
from metacog.studies.study5_battery.asking.shown_trials import shown_trials
from metacog.studies.study5_battery.ledger import importer
from metacog.studies.study5_battery.ledger.entries import LEDGER
from metacog.studies.study5_battery.rules import RULES

STUDY = Study(
    name="study5_battery",
    title="Study 5: the Metacognitive Monitoring Battery",
    paper=Reference("Cacioli", "The Metacognitive Monitoring Battery", 2026, key="cacioli2026battery"),
    collections=COLLECTIONS,
    analyses=(
        *responses.ANALYSES,
        shown_trials,
        *screening.ANALYSES,
        *monitoring.ANALYSES,
        *profiles.ANALYSES,
        *self_knowledge.ANALYSES,
        *tracks.ANALYSES,
        *regulation.ANALYSES,
        *contrasts.ANALYSES,
        thinking.thinking_effects,
        *robustness.ANALYSES,
        *commitment.ANALYSES,
        *replication_items.ANALYSES,
        *replication.ANALYSES,
        small_models.small_models,
        headline.headline,
    ),
    settings=settings.Settings,
    ledger=LEDGER,
    views=(
        *responses.VIEWS,
        *screening.VIEWS,
        *monitoring.VIEWS,
        *profiles.VIEWS,
        *self_knowledge.VIEWS,
        *tracks.VIEWS,
        *regulation.VIEWS,
        *contrasts.VIEWS,
        *commitment.VIEWS,
        thinking.VIEWS,
        *replication.VIEWS,
    ),
    rules=RULES,
    fetches={importer.NAME: importer.fetch_and_check},
)
