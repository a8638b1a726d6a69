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
    return f"{shown} by this book's own models, each with its confidence and its mark, to be looked up."


VIEWS = Views("trials_shown", sentences={"answer": answer})
