"""Is what KEEP says knowledge of oneself, or difficulty that other models see too?"""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import DIAGONAL, EXACT, SIZES, Cut, own_and_others, simulated_like
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.integrity import copied, without_pairs
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE
from metacog.verdicts.self_knowledge import judge
from metacog.verdicts.self_knowledge_words import READING, against, headline, like_these

#: Ways of cutting difficulty, the main one first.
CUTS = (Cut(EXACT), Cut("5 classes", 5), Cut("5 classes by track", 5, True))


@analysis(files=(*FILES, DIAGONAL, SIZES))
def probes_self_knowledge(
    inputs: Inputs, *, n_resamples: int = 1000, n_permutations: int = 200, seed: int = 42
) -> dict[str, Any]:
    """How much of what KEEP says is knowledge of oneself?"""
    rows = load()
    rows = rows[rows["track"].isin(RETROSPECTIVE)]
    pairs = copied(rows)
    drawn = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    keep = judge(
        own_and_others(items_of(without_pairs(rows, pairs)), cuts=CUTS, **drawn),
        verdicts=False,
    )
    return {
        "keep": keep,
        "simulated": simulated_like(keep.models, keep.n_items),
        "n_copied": 2 * len(pairs),
    }


def items_of(rows: pd.DataFrame) -> ModelItems:
    """Models by items, with confidence 1 for KEEP and 0 for WITHDRAW; a family is the first word of a model's name."""
    named = rows.assign(
        family=rows["model"].str.split().str[0],
        question_id=rows["track"] + ":" + rows["item"].astype(str),
        sure=rows["keep"].astype(float),
    )
    return ModelItems.of(named, confidence="sure", family="family", stratum="track")


ANALYSES = (probes_self_knowledge,)
VIEWS = (
    Views(
        "probes_self_knowledge",
        sentences={
            "answer": lambda result: headline(result.keep),
            "keep_against": lambda result: against(result.keep),
            "could_be_seen": lambda result: like_these(result.keep, result.simulated),
            "reading": lambda _: READING,
        },
    ),
)
