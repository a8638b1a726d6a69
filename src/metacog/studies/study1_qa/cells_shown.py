"""What tables and figures of study 1 call what results name as the paper's files do."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.studies.study1_qa.paper import NAMES

#: How results are told of which pages show figures and tables alone.
PLAIN = (Views("auroc2", names=NAMES),)
