"""What this study's run says of small models, for the page on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from metacog.collect.models import labelled
from metacog.core.frames import rows_of
from metacog.studies.contributions import BEHIND, STATED, claim_of, commonest, small_models_of
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc.asking.ways import NAMES, way_name
from metacog.verdicts.rules import NOT_TESTABLE

#: What the written ways of asking want, by their methods.
WRITTEN = {
    "verbal_vanilla": "Letter and number: written (study 3)",
    "verbal_cot": "Sentence, letter, number: written (study 3)",
    "verbal_topk": "Guesses with numbers: written (study 3)",
    "token_probability": "One of two options: chosen (study 3)",
}
SOURCES = {way_name("verbal_vanilla", "written"): STATED, NAMES["token_probability"]: BEHIND}
FIRST = "Says A whatever A is, asked for a letter (study 3)"
PART = "Study 3, one of two answers"


@analysis(needs=("signals", "replication", "written"))
def small_models(inputs: Inputs) -> dict[str, Any]:
    """What do nine ways of asking show of small models?"""
    found = inputs.result("signals")
    pooled = found.pooled
    areas = pooled.assign(part=PART, signal=pooled["name"], source=pooled["name"].map(SOURCES).fillna(""))
    written = labelled(inputs.trials("written")).query("method == 'verbal_vanilla'")
    same = written.groupby("model")["confidence"].agg(commonest)
    areas["same"] = areas["model"].map(same).where(areas["source"] == STATED)
    asked = pooled[pooled["form"].eq("written") | pooled["method"].eq("token_probability")]
    forms = asked.assign(form=asked["method"].map(WRITTEN), read=asked["n"])
    preferring = [
        claim_of(
            FIRST,
            r.model,
            [
                (
                    True if r.lower > 0 else False if r.upper < 0 else None,
                    f"A in {r.first:.0%} of {r.n}; preference {r.lower:.2f} to {r.upper:.2f} (1: always A)",
                )
            ],
        )
        for r in rows_of(found.positions)
    ]
    return small_models_of(areas, forms, [*counted(inputs.result("replication").questions), *preferring])


def counted(questions: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """What the paper's questions get for answers, counted as other claims are: an answer begins with its yeses."""
    for r in rows_of(questions):
        yes = 0 if r.answer == NOT_TESTABLE else int(r.answer.partition(" of ")[0])
        claim = f"{r.claim} (study 3)"
        yield {"claim": claim, "model": r.model, "answer": r.answer, "yes": yes, "no": 0, "why": r.why}
