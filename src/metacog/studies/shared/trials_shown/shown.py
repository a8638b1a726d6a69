"""What the page of trials says first."""

from __future__ import annotations

from typing import Any

from metacog.core.words import plural
from metacog.report.views import Views


def answer(result: Any) -> str:
    """How many trials can be looked up, of how many studies."""
    if not result.n:
        return "This run has no trials to show."
    shown = f"{plural(result.n, 'answer')} of {plural(result.n_studies, 'study', 'studies')}"
    return f"Every number in this book is counted from answers like these: {shown}, with confidence and mark."


VIEWS = Views("trials_shown", sentences={"answer": answer})
