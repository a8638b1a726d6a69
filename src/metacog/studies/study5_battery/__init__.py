"""Study 5: the Metacognitive Monitoring Battery, six tracks and two commitment probes over twenty models."""

from metacog.studies.study import Reference, Study
from metacog.studies.study5_battery import files, importer
from metacog.studies.study5_battery.analyses import ANALYSES
from metacog.studies.study5_battery.collections import COLLECTIONS
from metacog.studies.study5_battery.drawings import FIGURES
from metacog.studies.study5_battery.ledger import LEDGER
from metacog.studies.study5_battery.settings import Settings
from metacog.studies.study5_battery.tables import TABLES

STUDY = Study(
    name="study5_battery",
    title="Study 5: the Metacognitive Monitoring Battery",
    paper=Reference("Cacioli", "The Metacognitive Monitoring Battery", 2026, key="cacioli2026battery"),
    collections=COLLECTIONS,
    analyses=ANALYSES,
    settings=Settings,
    ledger=LEDGER,
    tables=TABLES,
    figures=FIGURES,
    fetches={files.NAME: importer.fetch_and_check},
)
