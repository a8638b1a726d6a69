"""How the chapter on speed shows its results."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.studies.shared.speed import Speed


def answer(result: Speed) -> str:
    """How many times as fast the fits are as the field's package."""
    return (
        f"Fitted together, many tables get their meta-d' {result.fits['ratio'].iloc[-1]:,.0f} times as fast as by "
        "metadpy, the field's package."
    )


VIEWS = Views("speed", sentences={"answer": answer})
