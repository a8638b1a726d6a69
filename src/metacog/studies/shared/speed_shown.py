"""How the chapter on speed shows its results."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.studies.shared.speed import Speed


def answer(result: Speed) -> str:
    """How many times as fast the fits are as the field's package, of one run, to two digits."""
    singly, at_once = (float(f"{times:.1e}") for times in result.fits["ratio"].iloc[1:])
    return (
        f"In one run, fits of meta-d' were about {at_once:,.0f} times as fast as metadpy's, many at once; singly, "
        f"about {singly:,.0f} times."
    )


VIEWS = Views("speed", sentences={"answer": answer})
