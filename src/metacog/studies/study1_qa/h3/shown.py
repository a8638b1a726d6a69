"""H3: is meta-d' stable across temperatures? What pages say of it."""

from __future__ import annotations

from typing import Any

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.h3.judging import (
    RULE_CRITERION,
    RULE_RANGE,
    RULE_RHO,
    RULE_TOST,
    SEPARATE,
)


def answer(result: Any) -> str:
    """In how many models meta-d' is shown to stay as it is, or to change, with each temperature's own rating edges."""
    found = [v for v in result.verdicts if v.name == "tost" and v.values["edges"] == SEPARATE]
    held = [holds for verdict in found for _, holds in verdict.units]
    same, moved = held.count(True), held.count(False)
    if not held or not found[0].values["complete"]:
        return "Whether meta-d' stays as it is over temperature cannot be told from this run."
    of = plural(len(held), "model")
    if moved:
        return f"No: in {moved} of {of} meta-d' is shown to change with temperature."
    if same == len(held):
        return "Yes: in every model meta-d' is shown to stay as it is over temperature."
    if same:
        return f"Shown for {same} of {of}: there meta-d' stays as it is over temperature."
    return "Not shown: no model is shown to keep its meta-d' over temperature, nor to change it."


VIEWS = Views(
    "h3",
    names=NAMES,
    sentences={"answer": answer},
    rules={"range": RULE_RANGE, "rho": RULE_RHO, "tost": RULE_TOST, "criterion": RULE_CRITERION},
)
