"""The opening of the ledger's page follows its rows."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from metacog.ledger.summary import kinds
from metacog.studies.shared import ledger_page


def ledger(*rows: tuple[str, str, str, str, str, float, str]) -> pd.DataFrame:
    names = ["study", "table", "item", "quantity", "published", "reproduced", "status"]
    made = pd.DataFrame(rows, columns=names).assign(note="a note")
    return made


ROWS = (
    ("study 1", "text of v2", "A claim", "holds", "True", 0.0, "differs"),
    ("study 2", "study 2, text", "x" * 400, "rho", "0.5", 0.25, "differs"),
    ("study 2", "table 1", "cell", "d'", "1", 2.0, "differs"),
    ("study 2", "table 1", "cell", "c", "1", 1.0, "match"),
    ("study 2", "table 2", "cell", "c", "1", 1.0, "match"),
)


def test_what_differs_is_told_with_the_claims_of_texts_first():
    made = ledger_page.told(ledger(ROWS[2], *ROWS[:2]))
    assert made["table"].tolist() == [ROWS[0][1], ROWS[1][1], ROWS[2][1]]
    assert made["reproduced"].tolist() == ["False", "0.250", "2"]
    assert ledger_page.told(ledger(ROWS[-1])).empty
    full = ledger_page.told(
        ledger(("the frontier", "t", "i", "q", "0.123456789012", 0.123456780001, "differs"))
    )
    assert full.loc[0, ["study", "published", "reproduced"]].tolist() == [
        "the frontier",
        "0.123457",
        "0.123457",
    ]


@pytest.mark.parametrize(("match", "differs", "said"), [(0, 0, (0, 0)), (3, 2, (3, 5))])
def test_the_head_counts_what_could_have_failed(match, differs, said):
    rows = [("study 1", "t", "i", "q", "1", 1.0, "match")] * match
    rows += [("study 1", "t", "i", "q", "1", 1.0, "differs")] * differs
    made = ledger(*rows).assign(kind="estimated again", resampled=False)
    result = SimpleNamespace(ledger=made, kinds=kinds(made))
    told = ledger_page.figures(result)
    assert (told["match"], told["rows"]) == (told["estimated_match"], told["estimated_rows"]) == said
    assert told["waiting"] == told["recounted_rows"] == 0
