"""Pairs of one maker's models of which the second reasons at length: what their stated confidence tells."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.measures.equal_accuracy import equal_accuracy
from metacog.measures.two_conditions import in_hundred
from metacog.studies.study import Inputs, analysis
from metacog.studies.study6_frontier.ledger.rows import model_items, partly_stated
from metacog.studies.study6_frontier.paper import FILES

#: The pairs that study 5 asked as well, by what they are called there.
PAIRS = {
    "Qwen3-Next 80B": ("Qwen 80B Inst", "Qwen Think"),
    "DeepSeek R1 and V3.2": ("DeepSeek V3.2", "DeepSeek-R1"),
}


@analysis(files=FILES)
def thinking_effects(inputs: Inputs) -> dict[str, Any]:
    """How does stated confidence differ between models that reason at length and their makers' others?"""
    items = model_items()
    able = [name for name in items.models if name not in partly_stated()]
    asked = {called: pair for called, pair in PAIRS.items() if set(pair) <= set(items.models)}
    found = equal_accuracy(items, list(asked.values()), unchanged=able) if asked else pd.DataFrame()
    return {"effects": in_hundred(found, list(asked), of="MMLU", signal="a number it states")}
