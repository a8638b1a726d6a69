"""How the ledger is shown."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.ledger.entry import Kind, Status
from metacog.ledger.headline import headline
from metacog.ledger.page import ledger_html
from metacog.ledger.summary import summarise
from metacog.ledger.wording import worded
from metacog.report.show import Markup
from metacog.report.tables import Schema, answer, columns_of, count, number, text
from metacog.report.views import Views
from metacog.studies.shared.ledger_page.analysis import Ledger
from metacog.studies.shared.ledger_page.differing import by_table, claims

#: What was done with the figures of each kind.
_DONE = {
    Kind.ESTIMATED: "that were estimated again",
    Kind.RECOUNTED: "that were recounted",
    Kind.PRINTED: "that were checked against other printed figures",
}


def summary(result: Ledger) -> str:
    """The tally in a sentence."""
    return headline(summarise(result.ledger))


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


VIEWS = Views(
    "ledger",
    sentences={"summary": summary, "answer": head, "by_kind": by_kind, "claims": claims},
    figures={"by_table": by_table},
    parts={"page": page},
    tables={
        "statuses": Schema(
            "statuses",
            columns_of(
                text("status", "Status"),
                answer("could have failed", "Could have failed"),
                text("meaning", "What it means for a row"),
                count("rows", "Rows"),
            ),
            "What the statuses mean.",
        ),
        "kinds": Schema(
            "kinds",
            columns_of(
                text("study", "Study"),
                text("kind", "Kind"),
                text("meaning", "What was done"),
                count("rows", "Could have failed"),
                count("match", "Match"),
                count("differs", "Differ"),
            ),
            "Rows that could have failed, by study and by how the recomputed figure was obtained.",
            empty="No row could be tested.",
        ),
        "roles": Schema(
            "roles",
            columns_of(
                text("status", "Status"),
                text("which", "Which rows"),
                text("reason", "Why they had to agree"),
                count("rows", "Rows"),
                count("differ", "Differ nevertheless"),
            ),
            "The rules under which a row could not have failed.",
            pick=worded,
            empty="Every row that was recomputed could have failed.",
        ),
        "differing": Schema(
            "differing",
            columns_of(
                text("table", "Table"),
                text("item", "Item"),
                text("quantity", "Quantity"),
                text("kind", "Kind"),
                text("published", "Published"),
                number("reproduced", "Reproduced", 4),
                text("note", "Note"),
            ),
            "Every row that was recomputed and lies outside its tolerance.",
            pick=worded,
            empty="Nothing that was recomputed differs.",
        ),
        "tally": Schema("tally", (), "Rows of each published table by status."),
    },
)
