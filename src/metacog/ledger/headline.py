"""The ledger in one sentence."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.ledger.entry import Kind, Status
from metacog.ledger.summary import Judged, Summary

#: What the headline calls each kind.
_KINDS = {
    Kind.ESTIMATED: "estimated again from counts or trials",
    Kind.RECOUNTED: "recounted from published responses",
    Kind.PRINTED: "printed figures checked against one another",
}

#: What the headline says about rows that could not have failed, after their number.
_OTHERS = {
    Status.BOUNDED: "are bounded and lie between both ends",
    Status.CANNOT_TELL: "cannot distinguish the method from its absence",
    Status.INPUT: "are inputs to the others or follow from inputs alone",
    Status.REPEAT: "repeat other rows",
    Status.NEEDS: "wait for data that is not here",
}


def headline(summary: Summary) -> str:
    """Rows that could have failed first, each kind by itself; then the others by status."""
    of = f"{summary.rows:,} published figures and claims of {listed(summary.studies)}"
    if summary.judged == 0:
        sentence = f"None of {of} could be put to a test with the data here"
    else:
        kinds = summary.by_kind.items()
        parts = [f"{one.rows:,} {_KINDS[kind]} ({_outcome(one)})" for kind, one in kinds if one.rows]
        if summary.unsorted:
            parts.append(f"{summary.unsorted:,} of no stated kind")
        sentence = f"Of {of}, {summary.judged:,} could have failed: {', '.join(parts)}"
    counts = summary.by_status
    others = [f"{counts[status]:,} {words}" for status, words in _OTHERS.items() if counts[status]]
    return sentence + ("; of the others " + ", ".join(others) if others else "") + "."


def _outcome(one: Judged) -> str:
    """``12 match and 3 differ``."""
    if not one.differs:
        return f"all {one.match:,} match"
    return f"{one.match:,} match and {one.differs:,} differ"
