"""What can M-ratio show for open answers, and what does version 2 measure instead? In words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES


def _found(result: Any, name: str) -> Mapping[str, Any]:
    verdict: Verdict = next(v for v in result.verdicts if v.name == name)
    return {**verdict.values, "passed": verdict.passed}


def answer(result: Any) -> str:
    """Where two measures put one of the paper's models."""
    v = _found(result, "ranking")
    if v["m_ratio"] == v["auroc2"]:
        return f"M-ratio and AUROC2 both put {v['model']} at place {v['m_ratio']} of the paper's models."
    if v["m_ratio"] == v["n"] and v["auroc2"] == 1:
        return (
            f"By M-ratio {v['model']} comes last of the paper's models, though its confidence tells right answers from "
            "wrong ones best."
        )
    places = f"place {v['m_ratio']} of the paper's models, by AUROC2 at place {v['auroc2']}"
    return f"By M-ratio {v['model']} is at {places}."


def reading(result: Any) -> str:
    """Whether an M-ratio of open answers can be read as an efficiency, by the one nearest to 1."""
    v = _found(result, "reading")
    if not v["ratios"]:
        return "Whether an M-ratio of open answers can be read as an efficiency cannot be told from these simulations."
    one = min(v["ratios"], key=lambda r: abs(r["m_ratio"] - 1))
    start = (
        "An M-ratio of open answers is no efficiency:"
        if v["passed"]
        else "Not every M-ratio is ambiguous, but"
    )
    return (
        f"{start} the same ratio, near one, comes from simulated answerers with efficiencies from {one['lowest']:.2f} "
        f"to {one['highest']:.2f}."
    )


VIEWS = (
    Views("correction", names=NAMES, sentences={"answer": answer}),
    Views("correction_recovery", sentences={"answer": reading}),
    Views("correction_replication", names=NAMES),
)
