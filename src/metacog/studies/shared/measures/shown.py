"""The measures on one published table: what its page says."""

from __future__ import annotations

from typing import Any

from metacog.core.words import listed
from metacog.report.views import Views

#: By how many measures react to worse ratings alone.
NONE = "No number tells everything: of {n}, none reacts to worse ratings and to little else."
ONE = "No number tells everything: of {n}, only {names} reacts to worse ratings and to little else."
SOME = "No number tells everything: of {n}, only {names} react to worse ratings and to little else."


def answer(result: Any) -> str:
    """Which measures see ratings that are made worse, and hardly anything else."""
    told = NONE if not result.only else ONE if len(result.only) == 1 else SOME
    return told.format(n=len(result.moves), names=listed(result.only))


VIEWS = Views("measures", sentences={"answer": answer})
