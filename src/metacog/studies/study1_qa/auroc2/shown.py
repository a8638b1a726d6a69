"""Do two measures rank the models alike? In words."""

from __future__ import annotations

from typing import Any

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study1_qa.auroc2.judging import ALPHA, pair_name
from metacog.studies.study1_qa.cells.columns import NAMES


def answer(result: Any) -> str:
    """On how many of the paper's question sets two measures order its models alike, and whether chance could."""
    table = result.published_correlations
    rhos = table.loc[table["pair"] == pair_name("auroc2", "m_ratio"), "rho"]
    chance = table["smallest_p"].min() > ALPHA
    tail = "; with so few models chance could bring about any order" if chance else ""
    sets = plural(len(rhos), "question set")
    return f"M-ratio and AUROC2 order the paper's models alike on {int((rhos > 0).sum())} of {sets}{tail}."


VIEWS = Views("auroc2", names=NAMES, sentences={"answer": answer})
