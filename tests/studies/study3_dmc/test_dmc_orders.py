"""Claims on the order of printed averages. Oracle: the printed averages, read by hand, and changed ones."""

import pytest
from heads_checked import numbers_of

from metacog.ledger.entry import Kind, Settings, Status
from metacog.ledger.judging import judge
from metacog.studies.study3_dmc import paper
from metacog.studies.study3_dmc.ledger import LEDGER, ORDERS

#: Id of a claim, its comparisons, and an average that makes one fail: table, model, method, value.
CLAIMS = [
    ("vanilla_lowest", 2, ("table2", "gpt_3.5", "verb_cot", 0.32)),
    ("topk_notably", 3, ("table2", "gpt_3.5", "verb_topk", 0.3767)),
    ("consistency_above", 9, ("table2", "gpt_3.5", "perturbing", 0.5293)),
    ("models_ordered", 6, ("table3", "gpt_4", "verb_vanilla", 0.3224)),
    ("llama_differs_less", 2, ("table3", "llama2_70b", "self_random", 0.7)),
    ("slightly_below", 2, ("table2", "gpt_3.5", "misleading", 0.5987)),
]


def test_every_claim_on_order_is_a_match_of_print_with_print():
    entries = LEDGER.entries(Settings()).query("quantity == 'comparisons that hold'")
    texts = paper.as_text("order_claims").set_index("id")
    claims = [*((claim, n) for claim, n, _ in CLAIMS), ("cv_lowest", 18)]
    for (claim, n), row in zip(claims, judge(entries, 3.0).to_dict("records"), strict=True):
        assert row["item"].endswith(texts["claim"][claim]) and row["published"] == str(n)
        assert (row["status"], row["kind"]) == (Status.MATCH, Kind.PRINTED)
    fewer = judge(entries.assign(value=entries["value"] - 1), 3.0)
    assert (fewer["status"] == Status.DIFFERS).all()


@pytest.mark.parametrize(("claim", "n", "change"), CLAIMS)
def test_an_average_on_the_other_side_breaks_a_claim(claim, n, change):
    place, model, method, value = change
    tables = {name: paper.averages(name) for name in ("table2", "table3")}
    moved = tables[place].copy()
    moved[model, method] = value
    tables[place] = moved
    held, _ = ORDERS[claim](tables["table2"]["gpt_3.5"], tables["table3"])
    assert len(held) == n and sum(held) < n


def test_a_cv_of_another_measure_below_that_of_dmc_is_counted(monkeypatch):
    """By hand: the ratios run from .2609/.0064 (Brier, top-k) to .6999/.0064 (ECE, top-k) or .458/.0057."""
    ratios = [0.2609 / 0.0064, 0.6999 / 0.0064]
    held, note = ORDERS["cv_lowest"](None, None)
    assert held == [True] * 18 and numbers_of(note)[:2] == [f"{ratio:.0f}" for ratio in ratios]
    moved = paper.as_numbers("table1")
    moved.loc[moved["method"] == "misleading", "auroc"] = 0.0056
    monkeypatch.setattr(paper, "as_numbers", lambda name: moved)
    held, _ = ORDERS["cv_lowest"](None, None)
    assert len(held) == 18 and sum(held) == 17


def test_slightly_is_compared_with_another_gap():
    """By hand: .5986 minus .5606 and .5599; the weakest consistency way minus top-k is .0305."""
    _, note = ORDERS["slightly_below"](paper.averages("table2")["gpt_3.5"], paper.averages("table3"))
    assert numbers_of(note) == ["0.0380", "0.0387", "0.0305"]
