"""Which claims survive: outcomes and sentences follow the tables."""

from __future__ import annotations

import pandas as pd
from heads_checked import faults

from metacog.measures.claims import by_set, row
from metacog.studies.shared import survives as shown
from metacog.studies.study import Result


def found(**ends: tuple[float, float]) -> pd.DataFrame:
    return pd.DataFrame([row(name, sum(e) / 2, *e, 100) for name, e in ends.items()])


def judge(sets: dict) -> Result:
    return Result(shown.judge(sets), simulated=pd.DataFrame())


def judged(worlds: list[dict]) -> Result:
    return Result(two_sets((0.05, 0.2)), simulated=pd.DataFrame(worlds))


def two_sets(second: tuple[float, float]) -> Result:
    one = by_set(
        {"first": found(confidence=(0.1, 0.2), thinking=(-0.3, -0.1))}, {"first": {"tokens": "no words"}}
    )
    two = by_set({"second": found(confidence=second)}, {})
    return judge({"a": one, "b": two})


def test_every_pair_of_claim_and_set_is_judged_once():
    result = two_sets((-0.2, 0.2))
    assert len(result.cells) == result.n_claims * 2
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


def test_sentences_follow_the_tables():
    held, left = two_sets((0.05, 0.2)), two_sets((-0.2, 0.2))
    assert "right answers have more confidence in 62 to 65 % of pairs" in shown.answer(held)
    assert shown.answer(left) == "Not in every set that can tell does confidence tell right from wrong."
    assert "*thinking helps*: -0.20 (fails in 1)." in shown.by_effect(held)
    assert "Cannot be tested: stated numbers are saturated, " in shown.by_effect(held)
    assert "3 can be tested: 2 hold, 1 fail, 0 cannot be told. 13 cannot" in shown.counted(held)
    assert list(held.effects["set"]) == ["first", "second"] and held.effects["thinking"].count() == 1
    assert [faults(shown.answer(one)) for one in (held, left)] == [[], []]


def test_a_value_without_an_interval_says_of_how_many_it_is():
    few = pd.DataFrame([row("thinking", 0.06, float("nan"), float("nan"), 1)])
    cells = judge({"a": by_set({"one": few}, {})}).cells.set_index("claim")
    assert cells.loc["thinking", "outcome"] == "cannot be tested"
    assert cells.loc["thinking", "why"] == "+0.060; too few to tell: 1 maker"


def test_what_the_rule_says_in_simulated_worlds_is_counted():
    same = {"over": "makers", "nought": True, "runs": 200}
    rows = [
        same | {"world": "nothing", "claim": "size", "covers": 190, "holds": 4, "beyond": 9},
        same | {"world": "nothing", "claim": "accuracy", "covers": 184, "holds": 90, "beyond": 8},
        same
        | {"world": "some", "claim": "size", "nought": False, "covers": 196, "holds": 199, "beyond": 200},
        same
        | {"world": "one maker of eight pairs", "claim": "thinking", "over": "each"}
        | {"covers": 100, "holds": 50, "beyond": 100},
    ]
    said = shown.checked(judged(rows))
    assert "200 runs or more of each of 3 worlds" in said
    assert "in 2.0 to 4.0 % of the runs" in said and "in 92.0 to 98.0 %" in said
    assert "Not simulated: confidence tells right from wrong, stated numbers are saturated, " in said
    assert "bear a claim out in 25 %" in said
    assert shown.checked(two_sets((0.05, 0.2))) == ""
