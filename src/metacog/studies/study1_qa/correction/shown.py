"""What can M-ratio show for open answers, and what does version 2 measure instead? In words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metacog.core.words import listed, plural
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.correction.recovery import ASKED
from metacog.studies.study1_qa.correction.recovery_judging import NEAR


def _found(result: Any, name: str) -> Mapping[str, Any]:
    verdict: Verdict = next(v for v in result.verdicts if v.name == name)
    return verdict.values


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


def near(result: Any) -> str:
    """How near 1 the published M-ratios are."""
    v = _found(result, "claim")
    if not v["cells"]:
        return "There is no M-ratio that could be near 1 or not."
    low, high = v["range"]
    return (
        f"The published M-ratios run from {low:.2f} to {high:.2f}; {len(v['near'])} of {v['cells']} lie within {NEAR} "
        "of 1."
    )


def line(result: Any) -> str:
    """In how many published cells slope and accuracy account for the M-ratio."""
    v = _found(result, "line")
    if not v["cells"]:
        return "No cell is sound enough to ask this of its M-ratio."
    rest = f"; not in {listed(one['cell'] for one in v['outside'])}" if v["outside"] else ""
    return (
        f"Slope and accuracy account for the M-ratio in {v['inside']} of {plural(v['cells'], 'cell')}{rest}."
    )


def carried(result: Any) -> str:
    """How many pairs of models reverse their order from one question set to the other, by each measure."""
    pairs = _found(result, "datasets")["pairs"]
    turned = listed(f"{one['turned']} by {ASKED[measure]}" for measure, one in pairs.items())
    n = sum(next(iter(pairs.values()))[state] for state in ("kept", "turned", "open"))
    return f"Of {plural(n, 'pair')} of models, {turned} are shown in reverse order on the other question set."


VIEWS = Views(
    "correction",
    names=NAMES,
    sentences={"answer": answer, "near": near, "line": line, "carried": carried},
)
RUN_VIEWS = Views("correction_replication", names=NAMES)
