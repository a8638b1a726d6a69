"""What 83 models on MMLU-Pro say of claims that other sets are asked about as well."""

from __future__ import annotations

import pandas as pd

from metacog.measures.claims import SetClaims, by_set, claim_effects, over
from metacog.studies.study import Inputs, analysis
from metacog.studies.study7_mmlu_pro.rows import FILES, STATED, TOKENS, TONE, Rows, counted, load
from metacog.studies.study7_mmlu_pro.thinking import THINKING, series_of

#: Each kind of confidence, as the page calls it.
NAMES = {
    STATED: "MMLU-Pro, stated",
    TOKENS: "MMLU-Pro, token probability",
    TONE: "MMLU-Pro, how sure it sounds",
}
WHY = dict.fromkeys(("saturated", "thinking", "tokens"), "asked of stated numbers")


@analysis(needs=("thinking",), returns=SetClaims, files=FILES)
def claims(inputs: Inputs) -> SetClaims:
    """What do 83 models on MMLU-Pro say of claims about self-knowledge?"""
    rows = load()
    found = {NAMES[signal]: of_signal(rows, signal) for signal in NAMES}
    family = rows.models.set_index("model")["family"]
    extra = pd.DataFrame([thought(inputs.result("thinking").pairs, family)])
    found[NAMES[STATED]] = pd.concat([found[NAMES[STATED]], extra], ignore_index=True)
    return by_set(found, {NAMES[signal]: WHY for signal in (TOKENS, TONE)})


def thought(pairs: pd.DataFrame, family: pd.Series) -> dict:
    """The change in AUROC2 with thinking."""
    own = pairs[(pairs["kind"] == THINKING) & pairs["auroc2"].notna()]
    return over("thinking", own["auroc2"], own["second"].map(family))


def of_signal(rows: Rows, signal: str) -> pd.DataFrame:
    """One kind of confidence of the models that are counted."""
    items, names = rows.model_items(signal), counted(rows)
    items = items.kept(models=[model for model in items.models if model in names])
    weights = rows.models.set_index("model")["weights"]
    return claim_effects(
        items,
        [str(weights[model]) for model in items.models],
        stated=signal == STATED,
        series=series_of(rows.models),
        second=rows.model_items(TOKENS) if signal == STATED else None,
    )
