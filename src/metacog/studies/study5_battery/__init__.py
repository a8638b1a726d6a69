"""Study 5: the Metacognitive Monitoring Battery, six tracks and two commitment probes over twenty models."""

from metacog.studies.study import Reference, Study
from metacog.studies.study5_battery import (
    headline,
    monitoring,
    monitoring_shown,
    regulation,
    regulation_shown,
    replication,
    replication_shown,
    responses,
    responses_shown,
    screening,
    screening_shown,
    self_knowledge,
    self_knowledge_shown,
    settings,
    tracks,
    tracks_shown,
)
from metacog.studies.study5_battery.asking.collection import COLLECTIONS
from metacog.studies.study5_battery.asking.shown_trials import shown_trials
from metacog.studies.study5_battery.ledger import importer
from metacog.studies.study5_battery.ledger.entries import LEDGER

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
        *self_knowledge.ANALYSES,
        *tracks.ANALYSES,
        *regulation.ANALYSES,
        *replication.ANALYSES,
        headline.headline,
    ),
    settings=settings.Settings,
    ledger=LEDGER,
    views=(
        *responses_shown.VIEWS,
        *screening_shown.VIEWS,
        *monitoring_shown.VIEWS,
        *self_knowledge_shown.VIEWS,
        *tracks_shown.VIEWS,
        *regulation_shown.VIEWS,
        *replication_shown.VIEWS,
    ),
    fetches={importer.NAME: importer.fetch_and_check},
)
