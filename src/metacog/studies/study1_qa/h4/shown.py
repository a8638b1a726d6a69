"""H4: do models of similar d' differ in M-ratio? What pages say of it."""

from __future__ import annotations

from typing import Any

from metacog.core.words import plural
from metacog.measures.pairs import excludes_zero
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED
from metacog.studies.study1_qa.h4.judging import RULE_CODE, RULE_SOUND, RULE_TEXT


def answer(result: Any) -> str:
    """How many pairs of published models differ in M-ratio and are similar in d'."""
    theirs = result.comparison[result.comparison["source"] == RECOMPUTED]
    both = excludes_zero(theirs["lower"], theirs["upper"]) & theirs["d_similar"].astype(bool)
    if not both.any():
        return "Not shown: no two models of the paper that differ in M-ratio are shown to be of equal skill."
    return (
        f"Yes, in {int(both.sum())} of {plural(len(theirs), 'pair')} of the paper's models; but the shape of a table "
        "alone can move an M-ratio."
    )


VIEWS = Views(
    "h4",
    names=NAMES,
    sentences={"answer": answer},
    rules={"code": RULE_CODE, "text": RULE_TEXT, "shared": RULE_SOUND},
)
