"""Study 4: the Metacognitive Probe, five behavioural diagnostics of a model."""

from metacog.studies.study import Reference, Study
from metacog.studies.study4_probe.analyses import ANALYSES
from metacog.studies.study4_probe.collections import COLLECTIONS
from metacog.studies.study4_probe.drawings import FIGURES
from metacog.studies.study4_probe.ledger import LEDGER
from metacog.studies.study4_probe.settings import Settings
from metacog.studies.study4_probe.tables import TABLES

STUDY = Study(
    name="study4_probe",
    title="Study 4: the Metacognitive Probe",
    paper=Reference("Oliveira", "The Metacognitive Probe", 2026, key="oliveira2026probe"),
    collections=COLLECTIONS,
    settings=Settings,
    ledger=LEDGER,
    analyses=ANALYSES,
    tables=TABLES,
    figures=FIGURES,
)
