"""What this study's run says of small models, for the page on them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.collect.models import labelled
from metacog.sdt import auroc2_interval
from metacog.studies.contributions import (
    BEHIND,
    OF_AREAS,
    STATED,
    claim_of,
    commonest,
    read_in_form,
    small_models_of,
)
from metacog.studies.study import Inputs, analysis
from metacog.studies.study4_probe.judging import RULES
from metacog.studies.study4_probe.paper import in_words
from metacog.studies.study4_probe.scores import CONSTANT, scored
from metacog.verdicts.outcomes import of_rule

#: What each task's reply holds, and what its confidence is called.
FORMS = {
    "T1_CC": "Answer, confidence: two lines (study 4)",
    "T2_EV": "Flaw or not, which: two lines (study 4)",
    "T3_KB": "Four lines on what it knows (study 4)",
    "T4_CR": "Answer, confidence of 100 (study 4)",
    "T5_RCV": "Flaw, step, repair: three lines (study 4)",
}
PARTS = {"T1_CC": "Study 4, confidence out of 10", "T4_CR": "Study 4, confidence out of 100"}
SIGNALS = {"stated": (STATED, "the number stated"), "agreement": (BEHIND, "how often the answer comes back")}


@analysis(needs=("probe", "replication", "replication_items"))
def small_models(inputs: Inputs) -> dict[str, Any]:
    """What does the probe show of small models?"""
    found = inputs.result("replication")
    first = scored(labelled(inputs.trials("probe")))
    told = pd.concat([found.outcomes, inputs.result("replication_items").outcomes])
    claims = []
    for name, rule in RULES.items():
        units = of_rule(told, name)
        for model, own in units.groupby(units["unit"].astype("str").str.split(" on ").str[0], sort=False):
            told_of = zip(own["holds"], own["why"], strict=True)
            known = [(None if pd.isna(holds) else bool(holds), in_words(why)) for holds, why in told_of]
            claims.append(claim_of(f"{rule.claim} (study 4)", str(model), known))
    forms = read_in_form(first, first["task"].map(FORMS), first["parse_status"].eq("ok"))
    return small_models_of(areas(found.agreement), forms, claims)


def areas(items: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of the number stated on each task, and of how often the answer comes back."""
    rows = []
    for (model, task), own in items.groupby(["model", "task"], sort=False):
        for column, (source, signal) in SIGNALS.items():
            known = own.dropna(subset=[column])
            right = known["correct"].astype(bool)
            row = {
                "model": model,
                "part": PARTS[str(task)],
                "signal": signal,
                "source": source,
                "n": len(known),
                "same": commonest(known[column]) if source == STATED else float("nan"),
            }
            row["why"] = "all right or all wrong" if right.nunique() < 2 else ""
            if not row["why"] and known[column].nunique() < 2:
                row["why"] = CONSTANT
            if not row["why"]:
                area = auroc2_interval(right, known[column])
                row |= dict(
                    zip(("auroc2", "auroc2_lower", "auroc2_upper"), (area.estimate, *area), strict=True)
                )
            rows.append(row)
    return pd.DataFrame(rows, columns=list(OF_AREAS))
