"""The opening of the ledger's page follows its rows."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd

from metacog.ledger.entry import Status
from metacog.studies.shared.ledger_page.differing import LONGEST, by_table, claims


def ledger(*rows: tuple[str, str, str, str, str, float, str]) -> SimpleNamespace:
    names = ["study", "table", "item", "quantity", "published", "reproduced", "status"]
    made = pd.DataFrame(rows, columns=names).assign(note="a note")
    return SimpleNamespace(ledger=made)


ROWS = (
    ("study 1", "text of v2", "A claim", "holds", "True", 0.0, "differs"),
    ("study 2", "study 2, text", "x" * 400, "rho", "0.5", 0.25, "differs"),
    ("study 2", "table 1", "cell", "d'", "1", 2.0, "differs"),
    ("study 2", "table 1", "cell", "c", "1", 1.0, "match"),
    ("study 2", "table 2", "cell", "c", "1", 1.0, "match"),
)


def test_claims_are_told_by_study_and_the_others_counted():
    text = claims(ledger(*ROWS))
    assert "A claim (holds): it does not hold; a note." in text
    assert "printed 0.5, recomputed 0.25" in text and "x" * LONGEST not in text
    assert text.count("**Study") == 2 and "other 1 figure" in text and "d'" not in text
    assert claims(ledger(ROWS[-1])).startswith("No claim")


def test_the_picture_has_a_bar_for_each_table_that_differs_and_one_for_all_others():
    drawn = by_table(ledger(*ROWS))
    (axis,) = drawn.figure.axes
    names = [label.get_text() for label in axis.get_yticklabels()]
    assert set(names[:3]) == {"text of v2", "study 2, text", "table 1"} and names[3] == "1 other table"
    assert names.index("table 1") == 2  # half of its rows differ, all of the others'
    assert [text.get_text().strip() for text in axis.texts][2:] == ["1 of 2", "0 of 1"]
    nothing = ledger(("study 1", "table 1", "cell", "d'", "1", 1.0, Status.NEEDS.value))
    assert by_table(nothing).figure is None
