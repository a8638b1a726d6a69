"""Claims by their id. Oracle: a file of five lines, and what each must become."""

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.ledger.claims import claim_entries
from metacog.ledger.entry import Role, Status, Value

LINES = pd.DataFrame(
    [
        ("sum", "1", "the sum", "points", "=", "12", "", "", "printed"),
        ("ends", "2", "the ends", "points", "", "", "3", "9", "printed"),
        ("holds", "2", "it holds", "claim", "=", "", "", "", "words"),
        ("bound", "3", "more than", "p", "<", "0.05", "", "", "bound"),
        ("rounded", "3", "at least", "r", ">=", "0.98", "", "", "printed"),
    ],
    columns=["id", "section", "claim", "quantity", "relation", "value", "lower", "upper", "kind"],
)
ROLE = Role(Status.REPEAT, "ends", "again")
ANSWERS = {
    "sum": lambda numbers: Value(sum(numbers), "hand", error=0.1),
    "ends": lambda numbers: {"lower": Value(min(numbers), "hand"), "upper": Value(max(numbers), "hand")},
    "holds": lambda numbers: Value(1.0, "hand"),
    "bound": lambda numbers: None,
    "rounded": lambda numbers: Value(0.9798, "hand"),
}


def entries(lines=LINES, answers=ANSWERS):
    return claim_entries(
        lines,
        answers,
        [3, 9],
        study="toy",
        table="text {section}",
        item="{section}: {claim}",
        quantities={"upper": "at most"},
        needs=lambda line: f"data of {line.id}",
        role=lambda claim, column, value: ROLE if column == "upper" else None,
    )


def test_each_printed_figure_is_an_entry():
    found = entries()
    assert list(found[["table", "item", "quantity", "published"]].itertuples(index=False, name=None)) == [
        ("text 1", "1: the sum", "points", "12"),
        ("text 2", "2: the ends", "points, lower end", "3"),
        ("text 2", "2: the ends", "at most", "9"),
        ("text 2", "2: it holds", "claim", "True"),
        ("text 3", "3: more than", "p", "0.05"),
        ("text 3", "3: at least", "r", "0.98"),
    ]
    assert found["value"].tolist() == pytest.approx([12, 3, 9, 1.0, float("nan"), 0.9798], nan_ok=True)
    assert found["recomputed"].tolist() == [True, True, True, True, False, True]
    assert found["in_words"].tolist() == [False, False, False, True, False, False]
    assert found["relation"].tolist() == ["=", "=", "=", "=", "<", ">="]
    assert found["resampled"].tolist() == [True, False, False, False, False, False]
    assert found["role"].dropna().to_dict() == {2: ROLE}
    # a bound has no half digit, unless it is printed as the rounded end of what it sums up
    assert found["precision"].dropna().to_dict() == {5: 0.005}
    assert found["needs"][4] == "data of bound"
    plain = claim_entries(LINES, ANSWERS, [3, 9], study="toy", table="text")
    assert plain["quantity"][1:3].tolist() == ["points, lower end", "points, upper end"]


@pytest.mark.parametrize(
    ("lines", "answers", "named"),
    [
        (LINES, {k: v for k, v in ANSWERS.items() if k != "sum"}, "sum"),
        (LINES, {**ANSWERS, "other": lambda numbers: None}, "other"),
        (pd.concat([LINES, LINES[:1]]), ANSWERS, "sum"),
    ],
)
def test_claims_and_answers_go_together(lines, answers, named):
    with pytest.raises(MetacogError, match=named):
        entries(lines, answers)
