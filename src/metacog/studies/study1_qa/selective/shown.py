"""How accurate is a model on the answers it is most confident of? How it is shown."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.selective.judging import RULE

VIEWS = Views(
    "selective",
    names=NAMES,
    claims={"half": "answering only the more confident half raises accuracy in every model"},
    rules={"half": RULE},
)
