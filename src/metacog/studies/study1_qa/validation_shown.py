"""What must hold before the hypotheses are tested? How it is shown."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells import MIN_CLASS
from metacog.studies.study1_qa.cells_shown import NAMES

#: Marks are trusted if certainly fewer than this share of those that were read are wrong, and not if certainly more.
FEW = 0.1


def answer(result: Any) -> str:
    """Whether marks can be trusted, by those that were read."""
    n, wrong = int(result.by_eye["n"].sum()), int(result.by_eye["mismarked"].sum())
    if not n:
        return "Whether to trust the marks cannot be told: nobody has read this run's answers."
    low, high = (float(limit[0]) for limit in wilson([wrong / n], [n]))
    told = "Mostly" if high < FEW else "No" if low > FEW else "Open"
    right = int(result.by_eye.loc[result.by_eye["marked"] == "right", "mismarked"].sum())
    were = "none was" if not wrong else "one was" if wrong == 1 else f"{wrong} were"
    always = ", always" if wrong > 1 else ","
    which = {
        (False, False): "",
        (False, True): f"{always} a right answer marked wrong",
        (True, False): f"{always} a wrong answer marked right",
        (True, True): ", in either direction",
    }[right > 0, wrong > right]
    return (
        f"{told}: of {n:,} marks that a language model checked by reading the answers, {were} wrong{which}."
    )


def small(result: Any) -> str:
    """In how many subjects of models there are too few right or wrong answers."""
    missed = int((~result.minimums["enough"].astype(bool)).sum())
    return f"Fewer than {MIN_CLASS} have {missed} of {len(result.minimums)} subjects of models."


VIEWS = Views("validation", names=NAMES, sentences={"answer": answer, "small": small})
