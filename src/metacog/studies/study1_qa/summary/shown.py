"""What became of the hypotheses in this run? What pages say of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.summary.analysis import CLAIMS, RULES, TOGETHER

COUNTS = ("none", "one", "two", "three", "four")


def answer(result: Any) -> str:
    """How many of the paper's hypotheses hold and fail in this run, by its own rules and by sounder ones."""
    rows = result.hypotheses[result.hypotheses["model"] == TOGETHER]
    own, sound = (list(rows.loc[rows["rule"] == rule, "answer"]) for rule in RULES)
    if not own:
        return "This run is too small to judge the paper's hypotheses; the profile `default` does."
    begun = (
        f"Of the paper's {COUNTS[len(CLAIMS)]} hypotheses, {_counted(own)} on these models by its own rules"
    )
    if _counted(own) == _counted(sound):
        return f"{begun}, and by sounder ones alike."
    return f"{begun}; by sounder ones {_counted(sound)}."


def _counted(said: Sequence[str]) -> str:
    yes, no = said.count("yes"), said.count("no")
    if not yes and not no:
        return "none can be decided"
    return f"{COUNTS[yes]} hold{'s' * (yes < 2)} and {COUNTS[no]} fail{'s' * (no < 2)}"


VIEWS = Views("summary", names=NAMES, sentences={"answer": answer})
