"""The measures built one after the other from one small table: what its page says."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views

#: By which of two replies is the surer more often.
SURER = (
    "Of a right and a wrong reply of {model}, the right one is surer in {ahead:.0f} % of pairs; "
    "in {tied:.0f} % both are equally sure."
)
LESS = SURER.replace("surer", "less sure")


def answer(result: Any) -> str:
    """In how many pairs of a right and a wrong reply the right one is the surer, or the less sure, and how many tie."""
    unsure, sure = result.confidence[["right", "wrong"]].to_dict("records")
    surer, less = sure["right"] * unsure["wrong"], unsure["right"] * sure["wrong"]
    tied = sure["right"] * sure["wrong"] + unsure["right"] * unsure["wrong"]
    share = 100 / (surer + less + tied)
    told = SURER if surer > less else LESS
    return told.format(model=result.model, ahead=share * max(surer, less), tied=share * tied)


VIEWS = Views("primer", sentences={"answer": answer})
