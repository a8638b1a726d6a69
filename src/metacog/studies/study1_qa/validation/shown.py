"""What must hold before the hypotheses are tested? How it is shown."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells.columns import NAMES

#: Marks are trusted if certainly fewer than this share of those that were read are wrong, and not if certainly more.
FEW = 0.1


def answer(result: Any) -> str:
    """Whether marks can be trusted, by those that were read."""
    n, wrong = int(result.by_eye["n"].sum()), int(result.by_eye["mismarked"].sum())
    if not n:
        return "Whether to trust the marks cannot be told: nobody has read this run's answers."
    low, high = (float(limit[0]) for limit in wilson([wrong / n], [n]))
    told = "Mostly" if high < FEW else "No" if low > FEW else "Open"
    were = "none was" if not wrong else "one was" if wrong == 1 else f"{wrong} were"
    return f"{told}: of {n:,} marks that were checked by reading the answers, {were} wrong."


VIEWS = Views("validation", names=NAMES, sentences={"answer": answer})
