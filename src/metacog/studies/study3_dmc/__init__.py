"""Study 3: DMC, failure prediction decoupled from ability, beside meta-d' on the same counts."""

from metacog.studies.study import Reference, Study
from metacog.studies.study3_dmc.analyses import ANALYSES
from metacog.studies.study3_dmc.collections import COLLECTIONS
from metacog.studies.study3_dmc.drawings import FIGURES
from metacog.studies.study3_dmc.ledger import LEDGER
from metacog.studies.study3_dmc.settings import Settings
from metacog.studies.study3_dmc.tables import TABLES

STUDY = Study(
    name="study3_dmc",
    title="Study 3: decoupling metacognition from cognition",
    paper=Reference("Wang and others", "Decoupling metacognition from cognition", 2025, key="wang2025dmc"),
    collections=COLLECTIONS,
    settings=Settings,
    ledger=LEDGER,
    analyses=ANALYSES,
    tables=TABLES,
    figures=FIGURES,
)
