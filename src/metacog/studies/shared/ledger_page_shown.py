"""How the ledger is shown."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.ledger.entry import Kind, Status
from metacog.ledger.page import ledger_html
from metacog.ledger.summary import summarise
from metacog.report.show import Markup
from metacog.report.views import Views
from metacog.studies.shared.ledger_page import Ledger

#: What was done with the figures of each kind.
_DONE = {
    Kind.ESTIMATED: "that were estimated again",
    Kind.RECOUNTED: "that were recounted",
    Kind.PRINTED: "that were checked against other printed figures",
}


def head(result: Ledger) -> str:
    """How many of the papers' figures that could have failed match."""
    found = summarise(result.ledger)
    rows, match = (sum(getattr(one, name) for one in found.by_kind.values()) for name in ("rows", "match"))
    if not rows:
        return "None of the printed figures could be put to a test with the data here."
    return f"Of the printed figures that could have failed, {match:,} of {rows:,} match."


def by_kind(result: Ledger) -> str:
    """The same by what was done with them, and how many wait for data."""
    found = summarise(result.ledger)
    parts = [
        f"{one.match:,} of {one.rows:,} {_DONE[kind]}" for kind, one in found.by_kind.items() if one.rows
    ]
    waiting = f"{found.by_status[Status.NEEDS]:,} wait for data that is not here"
    return f"They match: {listed(parts)}; {waiting}." if parts else f"{waiting[0].upper()}{waiting[1:]}."


def page(result: Ledger) -> Markup:
    """The table that can be searched, with its rows to take along."""
    return Markup(ledger_html(result.ledger), result.ledger.to_csv(index=False))


VIEWS = Views("ledger", sentences={"answer": head, "by_kind": by_kind}, parts={"page": page})
