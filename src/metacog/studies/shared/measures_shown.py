"""The measures on one published table: what its page says."""

from __future__ import annotations

from typing import Any

from metacog.core.words import listed
from metacog.report.views import Views

#: By how many measures react to worse ratings alone.
NONE = "On this table of open answers, none of {n} measures reacts to worse ratings and to little else."
ONE = "On this table of open answers, only {names}, of {n} measures, reacts to worse ratings and to little else."
SOME = (
    "On this table of open answers, only {names}, of {n} measures, react to worse ratings and to little else."
)


def answer(result: Any) -> str:
    """Which measures see ratings that are made worse, and hardly anything else."""
    told = NONE if not result.only else ONE if len(result.only) == 1 else SOME
    return told.format(n=len(result.moves), names=listed(result.only))


VIEWS = Views("measures", sentences={"answer": answer})
