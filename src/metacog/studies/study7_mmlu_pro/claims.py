"""What 83 models on MMLU-Pro say of claims that other sets are asked about as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from metacog.measures.claims import SetClaims, by_set, claim_effects, over
from metacog.studies.study import analysis
from metacog.studies.study7_mmlu_pro.rows import FILES, STATED, TOKENS, TONE, Rows, counted, load
from metacog.studies.study7_mmlu_pro.thinking import SERIES, THINKING

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Each kind of confidence, as the page calls it.
NAMES = {
    STATED: "MMLU-Pro, stated",
    TOKENS: "MMLU-Pro, token probability",
    TONE: "MMLU-Pro, how sure it sounds",
}
_ONE = "asked of stated numbers"
WHY = {"saturated": _ONE, "thinking": _ONE, "tokens": _ONE}


def series_of(models: pd.DataFrame) -> pd.DataFrame:
    """Models of one series that differ in size; a series that thinks and one that does not are two lines of one."""
    made = []
    for line, (begins, thinks) in SERIES.items():
        own = models[models["model"].str.startswith(begins) & (models["thinking"] == thinks)]
        own = own[(own["trained"] == "instruct") & own["billions"].notna()].drop_duplicates("weights")
        made.append(own[["model", "billions"]].assign(series=line.partition(",")[0], line=line))
    return pd.concat(made, ignore_index=True)


def thought(pairs: pd.DataFrame, family: pd.Series) -> dict:
    """The change in AUROC2 with thinking."""
    own = pairs[(pairs["kind"] == THINKING) & pairs["auroc2"].notna()]
    items = int(own["n"].max()) if len(own) else 0
    return over("thinking", own["auroc2"], own["second"].map(family), n_models=len(own), n_items=items)


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


@analysis(needs=("thinking",), returns=SetClaims, files=FILES)
def claims(inputs: Inputs) -> SetClaims:
    """What do 83 models on MMLU-Pro say of claims about self-knowledge?"""
    found = {NAMES[signal]: of_signal(load(), signal) for signal in NAMES}
    family = load().models.set_index("model")["family"]
    extra = pd.DataFrame([thought(inputs.result("thinking").pairs, family)])
    found[NAMES[STATED]] = pd.concat([found[NAMES[STATED]], extra], ignore_index=True)
    return by_set(found, {NAMES[signal]: WHY for signal in (TOKENS, TONE)})
