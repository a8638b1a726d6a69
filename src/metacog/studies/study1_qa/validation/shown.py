"""What must hold before the hypotheses are tested? How it is shown."""

from __future__ import annotations

from typing import Any

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED, RUN
from metacog.studies.study1_qa.cells.flags import MIN_CLASS
from metacog.studies.study1_qa.validation.judging import RULE_MINIMUM, RULE_MONOTONE

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


def marks(result: Any) -> str:
    """How many marks the reader's judgement contradicts, of those that were read."""
    if result.by_eye.empty:
        return "No answer of this run was read by eye."
    parts = []
    for marked, own in result.by_eye.groupby("marked", sort=False):
        n, wrong = int(own["n"].sum()), int(own["mismarked"].sum())
        low, high = (float(limit[0]) for limit in wilson([wrong / n], [n]))
        parts.append(f"{wrong} of {n} marked {marked} ({100 * low:.0f} to {100 * high:.0f} %)")
    return f"By the reader's judgement mismarked: {listed(parts)}."


def rises(result: Any) -> str:
    """Whether accuracy rises with confidence from each quarter of the answers to the next."""
    theirs, ours = (result.comparison[result.comparison["source"] == one] for one in (RECOMPUTED, RUN))
    known = ours["monotone"].dropna().astype(bool)
    own = (
        "cannot tell"
        if known.empty
        else "agrees"
        if known.all()
        else "does not"
        if not known.any()
        else "agrees for some of its models"
    )
    return (
        f"Accuracy rises with confidence at every step in {int(theirs['monotone'].sum())} of {len(theirs)} published "
        f"sets of answers; this run {own}."
    )


VIEWS = Views(
    "validation",
    names=NAMES,
    sentences={"answer": answer, "marks": marks, "rises": rises},
    claims={
        "quartiles": "accuracy rises over the four quartiles of NLP",
        "minimum": f"every domain of every model has {MIN_CLASS} right and {MIN_CLASS} wrong answers",
    },
    rules={"quartiles": RULE_MONOTONE, "minimum": RULE_MINIMUM},
)
