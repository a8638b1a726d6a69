"""Claims on the order of printed averages. Oracle: the printed averages, read by hand, and changed ones."""

from dataclasses import replace

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.ledger.entry import Kind, Settings, Status
from metacog.ledger.judging import judge
from metacog.studies.study3_dmc.ledger import LEDGER, published
from metacog.studies.study3_dmc.ledger.orders import orders

#: How a claim begins, its comparisons, and an average that makes one fail: table, model, method, value.
CLAIMS = [
    ("RQ2: among the verbalised", 2, ("table2", "gpt_3.5", "verb_cot", 0.32)),
    ("RQ2: Verb-Cot and Verb-Topk", 3, ("table2", "gpt_3.5", "verb_topk", 0.3767)),
    ("RQ2: consistency ways", 9, ("table2", "gpt_3.5", "perturbing", 0.5293)),
    ("RQ3: GPT-4 exceeds", 6, ("table3", "gpt_4", "verb_vanilla", 0.3224)),
    ("RQ3: LLaMA2 differs less", 2, ("table3", "llama2_70b", "self_random", 0.7)),
    ("RQ2: Perturbing and Misleading", 2, ("table2", "gpt_3.5", "misleading", 0.5987)),
]


def test_every_claim_on_order_is_a_match_of_print_with_print():
    entries = [e for e in LEDGER.entries(Settings()) if e.quantity == "comparisons that hold"]
    assert len(entries) == len(CLAIMS)
    for (start, n, _), entry in zip(CLAIMS, entries, strict=True):
        row = judge(entry, 3.0)
        assert entry.item.startswith(start) and entry.published == str(n)
        assert (row["status"], row["kind"]) == (Status.MATCH, Kind.PRINTED)
        fewer = replace(entry, value=replace(entry.value, value=n - 1.0))
        assert judge(fewer, 3.0)["status"] == Status.DIFFERS


@pytest.mark.parametrize(("start", "n", "change"), CLAIMS)
def test_an_average_on_the_other_side_breaks_a_claim(start, n, change):
    place, model, method, value = change
    tables = {name: published.averages(name) for name in ("table2", "table3")}
    moved = tables[place].copy()
    moved[model, method] = value
    tables[place] = moved
    (one,) = [o for o in orders(tables["table2"], tables["table3"]) if o.claim.startswith(start)]
    assert one.comparisons == n and one.holding < n


def test_slightly_stands_beside_another_gap():
    """By hand: .5986 less .5606 and .5599; the weakest consistency way less top-k is .0305."""
    (one,) = [o for o in orders() if "slightly" in o.claim]
    assert "0.0380 to 0.0387" in one.note and "0.0305 or more" in one.note


def test_a_claim_that_is_not_understood_is_named(monkeypatch):
    odd = pd.DataFrame([{"section": "RQ9", "claim": "all are alike"}])
    monkeypatch.setattr(published, "as_text", lambda name: odd)
    cells = pd.DataFrame({"SAT": 1.0}, index=published_averages()[1].index)
    monkeypatch.setattr(published, "cells", lambda name: cells)
    with pytest.raises(MetacogError, match="all are alike"):
        orders(*(published_averages()))


def published_averages() -> tuple[pd.Series, pd.Series]:
    """Averages of tables 2 and 3 that need no file."""
    two = pd.Series(
        1.0,
        index=pd.MultiIndex.from_product([["gpt_3.5"], list(published.METHODS)], names=["model", "method"]),
    )
    three = pd.Series(
        1.0,
        index=pd.MultiIndex.from_product(
            [list(published.MODELS), ["verb_vanilla"]], names=["model", "method"]
        ),
    )
    return two, three
