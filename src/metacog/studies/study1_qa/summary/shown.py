"""What became of the hypotheses in this run? What pages say of it."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.h1.shown import VIEWS as H1
from metacog.studies.study1_qa.h2.shown import VIEWS as H2
from metacog.studies.study1_qa.h3.shown import VIEWS as H3
from metacog.studies.study1_qa.h4.shown import VIEWS as H4
from metacog.studies.study1_qa.summary.analysis import RULES, TOGETHER


def answer(result: Any) -> str:
    """How many of the paper's hypotheses hold and fail in this run, by rules that the data can answer."""
    rows = result.hypotheses
    said = list(rows.loc[(rows["model"] == TOGETHER) & (rows["rule"] == RULES[1]), "answer"])
    if not said:
        return "This run is too small to judge the paper's hypotheses; the profile `default` does."
    yes, no = said.count("yes"), said.count("no")
    if not yes and not no:
        return "Not one of the paper's hypotheses can be decided on this book's models by a sounder rule."
    hold, fail = (("one holds" if yes == 1 else f"{yes} hold"), ("one fails" if no == 1 else f"{no} fail"))
    rest = "" if yes + no == len(said) else "; the rest cannot be decided"
    if not yes or not no:
        hold, fail = (hold, "none fails") if yes else ("none holds", fail)
    return f"Of the paper's hypotheses {hold} on this book's models by a sounder rule, and {fail}{rest}."


VIEWS = Views(
    "summary",
    names=NAMES,
    sentences={"answer": answer},
    verdicts={**H1.verdicts, **H2.verdicts, **H3.verdicts, **H4.verdicts},
    claims={**H1.claims, **H2.claims, **H3.claims, **H4.claims},
)
