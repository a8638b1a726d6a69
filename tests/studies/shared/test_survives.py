"""Which claims survive: outcomes and sentences follow the tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.core.frames import committed_table
from metacog.measures.claims import ASKED_HERE, OF_PEOPLE, by_set, row
from metacog.studies.shared import survives as shown
from metacog.studies.study import Result


def found(**ends: tuple[float, float]) -> pd.DataFrame:
    return pd.DataFrame([row(name, sum(e) / 2, *e, 100) for name, e in ends.items()])


def judge(sets: dict) -> Result:
    return Result(shown.judge(sets), simulated=committed_table(shown.SIMULATED))


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
    assert len(result.drawn) == 3 and list(result.claims.iloc[0][["holds", "fails", "open", "untested"]]) == [
        1,
        0,
        1,
        0,
    ]


def test_numbers_follow_the_tables():
    held, left = (shown.numbers(two_sets(ends)) for ends in ((0.05, 0.2), (-0.2, 0.2)))
    assert (held["confidence_holds"], held["confidence_sets"], held["n_sets"]) == (2, 2, 2)
    assert (left["confidence_holds"], left["confidence_open"]) == (1, 1)
    pairs = [held[f"{end}_pairs"] for end in ("least", "most", "lower", "upper")]
    assert pairs == pytest.approx([62.5, 65, 55, 70])
    assert held["thinking_least"] == held["thinking_most"] == pytest.approx(-20)
    assert held["thinking_reach"] == pytest.approx(10) and held["thinking_fails"] == 1
    assert np.isnan(held["tokens_least"]) and held["tokens_sets"] == 0 and np.isnan(held["here_size"])


def test_a_set_that_the_book_asked_is_shown_and_not_counted():
    own = by_set({f"open questions, {ASKED_HERE}": found(confidence=(-0.1, 0.1))}, {})
    result = judge({"a": by_set({"first": found(confidence=(0.1, 0.2))}, {}), "b": own})
    told = shown.numbers(result)
    assert len(result.drawn) == 2 and (told["n_sets"], told["confidence_sets"]) == (1, 1)
    assert (told["confidence_holds"], told["confidence_open"]) == (1, 0)
    assert [told[f"here_size{end}"] for end in ("", "_lower", "_upper")] == pytest.approx([50, 40, 60])


def test_peoples_answers_are_told_apart_from_models():
    own = by_set({f"a set, {OF_PEOPLE}": found(confidence=(0.02, 0.06))}, {})
    told = shown.numbers(judge({"a": by_set({"first": found(confidence=(0.1, 0.2))}, {}), "b": own}))
    assert (told["confidence_sets"], told["confidence_holds"]) == (1, 1)
    assert told["least_pairs"] == pytest.approx(65) and told["human_size"] == pytest.approx(54)


def test_a_value_without_an_interval_says_of_how_many_it_is():
    few = pd.DataFrame([row("thinking", 0.06, float("nan"), float("nan"), 1)])
    cells = judge({"a": by_set({"one": few}, {})}).cells.set_index("claim")
    assert cells.loc["thinking", "outcome"] == "cannot be tested"
    assert cells.loc["thinking", "why"] == "+0.060; too few to tell: 1 maker"
    (drawn,) = judge({"a": by_set({"one": few}, {})}).drawn.to_dict("records")
    assert drawn["size"] == pytest.approx(6) and drawn["open"] and drawn["pairs"]


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
    told = shown.of_worlds(pd.DataFrame(rows))
    assert (told["n_runs"], told["n_worlds"]) == (200, 3)
    assert (told["false_min"], told["false_max"]) == pytest.approx((2, 4))
    assert (told["covers_min"], told["covers_max"]) == pytest.approx((92, 98))
    assert told["alone_min"] == told["alone_max"] == pytest.approx(25)
