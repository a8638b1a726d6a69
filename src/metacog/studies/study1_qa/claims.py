"""What open questions say of claims that other sets are asked about as well."""

from __future__ import annotations

import re

import pandas as pd

from metacog.measures.claims import ASKED_HERE, COLUMNS, SetClaims, by_set, claim_effects, over
from metacog.measures.model_items import ModelItems
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import REFERENCE, open_trials, primary
from metacog.trials import SCORE, scored

HERE, PUBLISHED = f"open questions, {ASKED_HERE}", "open questions, published counts"
_COUNTS = "only counts were published, with thinking on and off"
WHY = {
    HERE: {
        "saturated": "confidence is a probability, no number that is stated",
        "size": "too few sizes of one maker",
        "size_equal": "too few sizes of one maker",
        "thinking": "no model answered with thinking on and off",
        "tokens": "no model states a confidence in the same replies",
    },
    PUBLISHED: dict.fromkeys(
        ("confidence", "saturated", "size", "size_equal", "accuracy", "domains", "tokens"), _COUNTS
    ),
}


def maker(model: object) -> str:
    return re.match(r"[A-Za-z]*", str(model)).group() or str(model)  # type: ignore[union-attr]


def asked(trials: pd.DataFrame) -> pd.DataFrame:
    rows = scored(trials[trials["temperature"] == REFERENCE])
    rows = rows[rows[SCORE].notna()]
    if rows.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    rows = rows.assign(maker=[maker(model) for model in rows["model"]])
    items = ModelItems.of(rows, confidence=SCORE, family="maker", stratum="domain")
    return claim_effects(items, items.models, stated=False)


@analysis(needs=("open", "thinking"), returns=SetClaims)
def claims(inputs: Inputs) -> SetClaims:
    """What do open questions say of claims about self-knowledge?"""
    changes = inputs.result("thinking").differences
    plain = changes[(changes["quantity"] == "auroc2") & changes["difference"].notna()]
    published = over("thinking", plain["difference"], [maker(one) for one in plain["model"]])
    own = asked(primary(open_trials(inputs)))
    return by_set({HERE: own, PUBLISHED: pd.DataFrame([published])}, WHY)
