"""What the atlas says of claims that other sets are asked about as well."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd

from metacog.measures.claims import SetClaims, by_set, claim_effects
from metacog.studies.study import Inputs, analysis
from metacog.studies.study6_frontier.ledger.rows import load, model_items, partly_stated
from metacog.studies.study6_frontier.paper import FILES

NAME = "atlas"
#: Series whose makers say how large the models are, by name.
_SIZE = re.compile(r"(Gemma 3|GPT-oss)[ -](\d+)B")
#: Why a claim has no effect here.
WHY = {
    "thinking": "no model answered with thinking on and off",
    "tokens": "no probabilities were kept",
}


@analysis(returns=SetClaims, files=FILES)
def claims(inputs: Inputs) -> SetClaims:
    """What does the atlas say of claims about self-knowledge?"""
    items, uncounted = model_items(), partly_stated()
    items = items.kept(models=[model for model in items.models if model not in uncounted])
    domain = load().trials.drop_duplicates("question_id").set_index("question_id")["domain"]
    items = replace(items, strata=tuple(str(domain[item]) for item in items.items))
    sizes = [
        (model, match[1], match[1], float(match[2]))
        for model in items.models
        if (match := _SIZE.fullmatch(model))
    ]
    series = pd.DataFrame(sizes, columns=["model", "series", "line", "billions"])
    found = claim_effects(items, items.models, series=series)
    return by_set({NAME: found}, {NAME: WHY})
