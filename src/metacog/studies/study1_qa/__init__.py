"""Study 1: open questions, confidence from the probabilities of the words."""

from metacog.studies.study import Reference, Study
from metacog.studies.study1_qa import author_trials
from metacog.studies.study1_qa.analyses import ANALYSES
from metacog.studies.study1_qa.collections import ForcedDecoding, OpenAnswers, RepeatedDraws
from metacog.studies.study1_qa.drawings import FIGURES
from metacog.studies.study1_qa.labels import SCHEME
from metacog.studies.study1_qa.ledger import LEDGER
from metacog.studies.study1_qa.marking import MARKING
from metacog.studies.study1_qa.settings import Settings
from metacog.studies.study1_qa.tables import TABLES

STUDY = Study(
    name="study1_qa",
    title="Study 1: do LLMs know what they know?",
    paper=Reference("Cacioli", "Do LLMs know what they know?", 2026, key="cacioli2026sdt"),
    collections=(OpenAnswers(), RepeatedDraws(), ForcedDecoding()),
    settings=Settings,
    ledger=LEDGER,
    analyses=ANALYSES,
    tables=TABLES,
    figures=FIGURES,
    marking=MARKING,
    labels=SCHEME,
    fetches={author_trials.NAME: author_trials.fetch_and_check},
)
