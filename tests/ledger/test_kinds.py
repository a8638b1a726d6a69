"""The kinds of rows stay apart. Oracle: rows made by hand, counted by hand."""

import pandas as pd
import pytest

from metacog.ledger.entry import KINDS, Kind, Role, Status, entries_of
from metacog.ledger.judging import tabulate
from metacog.ledger.page import ledger_html
from metacog.ledger.summary import ALL_STUDIES, by_kind, headline, kinds

FIXED = Role(Status.INPUT, "what went in", "it went in")


def rows(study: str, kind: Kind | None, match: int, differs: int) -> pd.DataFrame:
    """So many rows that match and differ, and one input that is of the kind and not judged."""
    made = pd.DataFrame({"value": [0.5] * match + [0.9] * differs + [0.5], "role": None})
    made.loc[match + differs, "role"] = FIXED
    made["item"] = [f"{kind or 'no kind'} {i}" for i in made.index]
    return entries_of(made.assign(table="t", quantity="q", published="0.5", kind=kind), study)


@pytest.fixture
def ledger():
    waits = {"table": "t", "item": "waits", "quantity": "q", "published": "0.5", "needs": "trials"}
    parts = [
        rows("a", Kind.ESTIMATED, 3, 2),
        rows("a", Kind.RECOUNTED, 40, 0),
        rows("b", Kind.PRINTED, 5, 7),
        rows("b", Kind.ESTIMATED, 1, 1),
        entries_of(pd.DataFrame([waits]), "b"),
    ]
    return tabulate(pd.concat(parts))


def test_the_headline_adds_no_recount_to_an_estimate(ledger):
    counted = {Kind.ESTIMATED: [7, 4, 3], Kind.RECOUNTED: [40, 40, 0], Kind.PRINTED: [12, 5, 7]}
    assert {kind: row.tolist() for kind, row in by_kind(ledger).iterrows()} == counted
    for part in (
        "59 could have failed: 7 estimated again from counts or trials (4 match and 3 differ), ",
        "40 recounted from published responses (all 40 match), ",
        "12 printed figures checked against one another (5 match and 7 differ)",
    ):
        assert part in headline(ledger)
    assert "49 match" not in headline(ledger) and "no stated kind" not in headline(ledger)


def test_rows_that_do_not_state_their_kind_are_counted_as_such():
    ledger = tabulate(pd.concat([rows("a", None, 2, 1), rows("a", Kind.PRINTED, 1, 0)]))
    assert by_kind(ledger)["rows"].to_dict() == {Kind.PRINTED: 1, "": 3}
    assert "4 could have failed" in headline(ledger) and "3 of no stated kind" in headline(ledger)
    assert kinds(ledger)["kind"].unique().tolist() == [Kind.PRINTED]


def test_the_table_of_kinds_holds_judged_rows_by_study(ledger):
    table = kinds(ledger).set_index(["study", "kind"])
    wanted = {
        ("a", "estimated again"): [5, 3, 2],
        ("a", "recounted"): [40, 40, 0],
        ("b", "estimated again"): [2, 1, 1],
        ("b", "print against itself"): [12, 5, 7],
        (ALL_STUDIES, "estimated again"): [7, 4, 3],
        (ALL_STUDIES, "recounted"): [40, 40, 0],
        (ALL_STUDIES, "print against itself"): [12, 5, 7],
    }
    assert {key: row.tolist() for key, row in table[["rows", "match", "differs"]].iterrows()} == wanted
    assert set(KINDS) == set(Kind)


def test_each_row_of_the_page_has_its_kind_and_can_be_chosen_by_it(ledger):
    html = ledger_html(ledger)
    assert html.count('data-kind="recounted"') == 41 and html.count('data-kind=""') == 1
    assert 'id="ledger-kind"' in html and f'<option value="{Kind.PRINTED.value}">' in html
    assert "dataset.kind" in html
