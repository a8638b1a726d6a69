"""Study 5: the Metacognitive Monitoring Battery, six tracks and two commitment probes over twenty models."""

from metacog.studies.study import Reference, Study
from metacog.studies.study5_battery.asking.collection import COLLECTIONS
from metacog.studies.study5_battery.asking.shown_trials import shown_trials
from metacog.studies.study5_battery.headline.analysis import headline
from metacog.studies.study5_battery.ledger import importer
from metacog.studies.study5_battery.ledger.entries import LEDGER
from metacog.studies.study5_battery.monitoring.analysis import ANALYSES as MONITORING
from metacog.studies.study5_battery.monitoring.shown import VIEWS as MONITORING_VIEWS
from metacog.studies.study5_battery.regulation.analysis import ANALYSES as REGULATION
from metacog.studies.study5_battery.regulation.shown import VIEWS as REGULATION_VIEWS
from metacog.studies.study5_battery.replication.analysis import ANALYSES as REPLICATION
from metacog.studies.study5_battery.replication.shown import VIEWS as REPLICATION_VIEWS
from metacog.studies.study5_battery.responses.analysis import ANALYSES as RESPONSES
from metacog.studies.study5_battery.responses.shown import VIEWS as RESPONSES_VIEWS
from metacog.studies.study5_battery.screening.analysis import ANALYSES as SCREENING
from metacog.studies.study5_battery.screening.shown import VIEWS as SCREENING_VIEWS
from metacog.studies.study5_battery.self_knowledge.analysis import ANALYSES as SELF_KNOWLEDGE
from metacog.studies.study5_battery.self_knowledge.shown import VIEWS as SELF_KNOWLEDGE_VIEWS
from metacog.studies.study5_battery.settings import Settings
from metacog.studies.study5_battery.tracks.analysis import ANALYSES as TRACKS
from metacog.studies.study5_battery.tracks.shown import VIEWS as TRACKS_VIEWS

STUDY = Study(
    name="study5_battery",
    title="Study 5: the Metacognitive Monitoring Battery",
    paper=Reference("Cacioli", "The Metacognitive Monitoring Battery", 2026, key="cacioli2026battery"),
    collections=COLLECTIONS,
    analyses=(
        *RESPONSES,
        shown_trials,
        *SCREENING,
        *MONITORING,
        *SELF_KNOWLEDGE,
        *TRACKS,
        *REGULATION,
        *REPLICATION,
        headline,
    ),
    settings=Settings,
    ledger=LEDGER,
    views=(
        *RESPONSES_VIEWS,
        *SCREENING_VIEWS,
        *MONITORING_VIEWS,
        *SELF_KNOWLEDGE_VIEWS,
        *TRACKS_VIEWS,
        *REGULATION_VIEWS,
        *REPLICATION_VIEWS,
    ),
    fetches={importer.NAME: importer.fetch_and_check},
)
