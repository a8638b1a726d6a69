"""Study 4: the Metacognitive Probe, five behavioural diagnostics of a model."""

from metacog.studies.study import Reference, Study
from metacog.studies.study4_probe.asking.collection import COLLECTIONS
from metacog.studies.study4_probe.asking.shown_trials import shown_trials
from metacog.studies.study4_probe.headline.analysis import headline
from metacog.studies.study4_probe.ledger.entries import LEDGER
from metacog.studies.study4_probe.published import shown as published_shown
from metacog.studies.study4_probe.published.analysis import audit, published_panel
from metacog.studies.study4_probe.replication import shown as replication_shown
from metacog.studies.study4_probe.replication.analysis import replication, replication_items
from metacog.studies.study4_probe.settings import Settings

STUDY = Study(
    name="study4_probe",
    title="Study 4: the Metacognitive Probe",
    paper=Reference("Oliveira", "The Metacognitive Probe", 2026, key="oliveira2026probe"),
    collections=COLLECTIONS,
    settings=Settings,
    ledger=LEDGER,
    analyses=(replication, replication_items, audit, published_panel, shown_trials, headline),
    views=(*replication_shown.VIEWS, *published_shown.VIEWS),
)
