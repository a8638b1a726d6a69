"""Study 1: open questions, confidence from the probabilities of the words."""

from metacog.studies.study import Reference, Study
from metacog.studies.study1_qa.collections import ForcedDecoding, OpenAnswers
from metacog.studies.study1_qa.settings import Settings

STUDY = Study(
    name="study1_qa",
    title="Study 1: do LLMs know what they know?",
    paper=Reference("Cacioli", "Do LLMs know what they know?", 2026, key="cacioli2026sdt"),
    collections=(OpenAnswers(), ForcedDecoding()),
    settings=Settings,
    folder="study1-qa",
)
