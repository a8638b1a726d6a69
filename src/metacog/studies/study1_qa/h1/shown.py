"""H1: is M-ratio below 1 in every model? What pages say of it."""

from __future__ import annotations

from typing import Any

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED
from metacog.studies.study1_qa.h1.judging import RULE, RULE_INTERVALS


def answer(result: Any) -> str:
    """In how many of the paper's models M-ratio is shown to be below 1, and in how many to be 1 or more."""
    theirs = result.comparison[result.comparison["source"] == RECOMPUTED]
    below, above = int(theirs["below_one"].astype(bool).sum()), int((theirs["m_ratio_lower"] >= 1).sum())
    if above:
        return f"No: in {above} of the paper's {plural(len(theirs), 'model')} the M-ratio is shown to be one or more."
    if below == len(theirs):
        return "Yes: in every model of the paper the M-ratio is shown to lie below one."
    if not below:
        return "No model of the paper is shown to have an M-ratio below one."
    return (
        f"Not shown for every model: the M-ratio is shown to lie below one in {below} of the paper's "
        f"{plural(len(theirs), 'model')}."
    )


VIEWS = Views(
    "h1",
    names=NAMES,
    sentences={"answer": answer},
    rules={"limit": RULE, "intervals": RULE_INTERVALS},
)
