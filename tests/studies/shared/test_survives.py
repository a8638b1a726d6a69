"""Which claims survive: outcomes and sentences follow the tables."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
from heads_checked import faults

from metacog.measures.claims import by_set, row
from metacog.studies.shared import survives_shown as shown
from metacog.studies.shared.survives import Survives, judge


def found(**ends: tuple[float, float]) -> pd.DataFrame:
    return pd.DataFrame([row(name, sum(e) / 2, *e, 100) for name, e in ends.items()])


def two_sets(second: tuple[float, float]) -> Survives:
    one = by_set(
        {"first": found(confidence=(0.1, 0.2), thinking=(-0.3, -0.1))}, {"first": {"tokens": "no words"}}
    )
    two = by_set({"second": found(confidence=second)}, {})
    return judge({"a": one, "b": two})


def test_every_pair_of_claim_and_set_is_judged_once() -> None:
    result = two_sets((-0.2, 0.2))
    assert len(result.cells) == result.n_claims * result.n_sets and result.n_sets == 2
    says = result.cells.set_index(["claim", "set"])
    assert says.loc[("confidence", "first"), "outcome"] == "holds"
    assert says.loc[("thinking", "first"), "outcome"] == "fails"
    assert says.loc[("tokens", "first"), "why"] == "no words"
    assert result.n_cells == 3 and list(result.claims.iloc[0][["holds", "fails", "open", "untested"]]) == [
        1,
        0,
        1,
        0,
    ]


def test_sentences_follow_the_tables() -> None:
    held, left = two_sets((0.05, 0.2)), two_sets((-0.2, 0.2))
    assert "1 of 2 claims hold wherever they can be tested: confidence tells" in shown.answer(held)
    assert shown.answer(left).startswith("None of the 2 claims")
    assert "Fails wherever it can be tested: thinking helps." in shown.by_outcome(held)
    assert "Tested in one set alone: thinking helps." in shown.by_outcome(held)
    assert "(holds in 1, open in 1)" in shown.by_outcome(left) and "Not the same" not in shown.by_outcome(
        held
    )
    assert "3 can be tested: 2 hold, 1 fail, 0 cannot be told. 15 cannot" in shown.counted(held)
    assert [faults(shown.answer(one)) for one in (held, left)] == [[], []]


def test_a_value_without_an_interval_says_of_how_many_it_is() -> None:
    few = pd.DataFrame([row("thinking", 0.06, float("nan"), float("nan"), 2)])
    cells = judge({"a": by_set({"one": few}, {})}).cells.set_index("claim")
    assert cells.loc["thinking", "outcome"] == "cannot be tested"
    assert cells.loc["thinking", "why"] == "+0.060; too few to tell: 2 pairs"


def test_what_the_rule_says_in_simulated_worlds_is_counted() -> None:
    rows = [
        {
            "world": "nothing",
            "claim": "size",
            "nought": True,
            "runs": 200,
            "covers": 190,
            "holds": 4,
            "beyond": 9,
        },
        {
            "world": "nothing",
            "claim": "accuracy",
            "nought": True,
            "runs": 200,
            "covers": 184,
            "holds": 90,
            "beyond": 8,
        },
        {
            "world": "some",
            "claim": "size",
            "nought": False,
            "runs": 200,
            "covers": 196,
            "holds": 199,
            "beyond": 200,
        },
    ]
    said = shown.checked(replace(two_sets((0.05, 0.2)), simulated=pd.DataFrame(rows)))
    assert "200 runs of each of 2 worlds" in said
    assert "in 2.0 to 4.0 % of the runs" in said and "in 92.0 to 98.0 %" in said
    assert shown.checked(two_sets((0.05, 0.2))) == ""
