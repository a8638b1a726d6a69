"""Study 2: two-choice decisions, confidence in five levels, and what risk does to the criterion."""

from metacog.studies.study import Reference, Study
from metacog.studies.study2_two_choice.analyses import ANALYSES
from metacog.studies.study2_two_choice.collections import COLLECTIONS
from metacog.studies.study2_two_choice.drawings import FIGURES
from metacog.studies.study2_two_choice.ledger import LEDGER
from metacog.studies.study2_two_choice.settings import Settings
from metacog.studies.study2_two_choice.tables import TABLES

STUDY = Study(
    name="study2_two_choice",
    title="Study 2: measuring the metacognition of AI",
    paper=Reference(
        "Servajean and Servajean", "Measuring the metacognition of AI", 2026, key="servajean2026"
    ),
    collections=COLLECTIONS,
    analyses=ANALYSES,
    settings=Settings,
    ledger=LEDGER,
    tables=TABLES,
    figures=FIGURES,
)
