"""Is it only the surface? What pages say of it."""

from __future__ import annotations

from typing import Any

from metacog.measures.answer_surface import SURFACE
from metacog.report.views import Views
from metacog.studies.study1_qa.surface.judging import TOO_SMALL

#: Beginnings of the answer, by what the verdicts say together (:func:`.judging.outcome`).
BEGINNINGS = {
    "most": "Confidence is mostly more than surface",
    "little": "Confidence is mostly surface",
    "mixed": "Some models' confidence is mostly surface",
    "some": "Confidence is more than surface",
    "open": "Whether confidence is more than surface cannot be told",
    TOO_SMALL: "Too few answers to tell whether confidence is surface",
}


def answer(result: Any) -> str:
    """Whether confidence is only the surface of an answer, with the numbers of the first model that can be judged."""
    rows = result.left[(result.left["temperature"] == result.highest) & (result.left["control"] == SURFACE)]
    rows = rows[rows["alike"].notna()]
    begun = BEGINNINGS[result.outcome]
    if rows.empty or result.outcome in ("open", TOO_SMALL):
        return f"{begun}."
    alone, alike = (f"{100 * rows.iloc[0][name]:.0f} %" for name in ("alone", "alike"))
    return (
        f"{begun}: length and rare words tell right from wrong {alone} of the time, confidence {alike} among answers "
        "alike in both."
    )


VIEWS = Views("surface", sentences={"answer": answer})
