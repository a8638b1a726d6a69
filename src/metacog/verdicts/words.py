"""Parts of sentences that many verdicts share."""

from __future__ import annotations

from collections.abc import Iterable

from metacog.core.words import listed

#: How a sentence names an outcome.
OUTCOME = {True: "supported", False: "not supported", None: "undecided"}


def undecided_clause(units: Iterable[tuple[str, str]]) -> str:
    """`` Undecided: a and b (why), c (why).`` of names and reasons, for the end of a sentence; empty if all are
    judged.
    """
    by_reason: dict[str, list[str]] = {}
    for name, why in units:
        by_reason.setdefault(why, []).append(name)
    named = "; ".join(f"{listed(names)} ({why})" for why, names in by_reason.items())
    return f" Undecided: {named}." if named else ""
