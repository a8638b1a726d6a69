"""What can M-ratio show for open answers, and what does version 2 measure instead? In words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from metacog.report.views import Views
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells_shown import NAMES
from metacog.verdicts.verdict import Verdict


def _found(result: Any, name: str) -> Mapping[str, Any]:
    verdict: Verdict = next(v for v in result.verdicts if v.name == name)
    return {**verdict.values, "passed": verdict.passed}


ITSELF = "The M-ratio compares a table with itself"
#: The end of :func:`answer`, by what the second set of questions is shown to do to the order of the models.
ORDERS = {
    "one": "it puts {model} {before} of the paper's models on {asked}, {after} on {other}.",
    "some": "on other questions {turned} of {n} pairs of the paper's models are shown to change their order.",
    "none": "yet on other questions no pair of the paper's models changes its order.",
    "open": "whether it orders the paper's models alike on other questions is open.",
}


def answer(result: Any) -> str:
    """Whether the M-ratio orders the paper's models alike on both of its sets of questions."""
    pairs = _found(result, "datasets")["pairs"]["m_ratio"]
    found, told = "some" if pairs["turned"] else "open" if pairs["open"] else "none", {}
    if len(pairs["all_with"]) == 1:
        measures = result.measures.replace({"model": paper.MODELS})  # a result not stored yet has keys
        ratios = measures.set_index(["dataset", "model"])["m_ratio"]
        asked, other = measures.loc[measures["model"] == pairs["all_with"][0], "dataset"]
        before, after = (_place(ratios[name], pairs["all_with"][0]) for name in (asked, other))
        found = "one"
        told = {
            "model": pairs["all_with"][0],
            "before": before,
            "after": after,
            "asked": asked,
            "other": other,
        }
    n = pairs["turned"] + pairs["open"] + pairs["kept"]
    return f"{ITSELF}: {ORDERS[found].format(turned=pairs['turned'], n=n, **told)}"


def _place(ratios: pd.Series, model: str) -> str:
    place = int(ratios.rank(ascending=False)[model])
    return {1: "first", len(ratios): "last"}.get(place, f"at place {place}")


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
