"""Study 1: open questions, confidence from the probabilities of the words."""

from metacog.studies.study import Reference, Study
from metacog.studies.study1_qa.analyses import ANALYSES
from metacog.studies.study1_qa.asking.collections import ForcedDecoding, OpenAnswers, RepeatedDraws
from metacog.studies.study1_qa.asking.labels import SCHEME
from metacog.studies.study1_qa.asking.marking import MARKING
from metacog.studies.study1_qa.drawings import FIGURES
from metacog.studies.study1_qa.h1 import shown as h1
from metacog.studies.study1_qa.h2 import shown as h2
from metacog.studies.study1_qa.h3 import shown as h3
from metacog.studies.study1_qa.h4 import shown as h4
from metacog.studies.study1_qa.ledger import author_trials
from metacog.studies.study1_qa.robustness import shown as robustness
from metacog.studies.study1_qa.settings import Settings
from metacog.studies.study1_qa.tables import TABLES

STUDY = Study(
    name="study1_qa",
    title="Study 1: do LLMs know what they know?",
    paper=Reference("Cacioli", "Do LLMs know what they know?", 2026, key="cacioli2026sdt"),
    collections=(OpenAnswers(), RepeatedDraws(), ForcedDecoding()),
    settings=Settings,
    analyses=ANALYSES,
    tables=TABLES,
    figures=FIGURES,
    views=(h1.VIEWS, h2.VIEWS, h3.VIEWS, h4.VIEWS, robustness.VIEWS),
    marking=MARKING,
    labels=SCHEME,
    fetches={author_trials.NAME: author_trials.fetch_and_check},
)
