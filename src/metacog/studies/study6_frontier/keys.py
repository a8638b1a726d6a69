"""How far can the answer key be trusted?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table
from metacog.measures.model_items import ModelItems
from metacog.measures.suspected_keys import suspected_items, suspected_keys
from metacog.report.views import Views
from metacog.sdt import wilson
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study6_frontier.ledger.rows import model_items
from metacog.studies.study6_frontier.paper import FILES
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import beyond

#: Thresholds that pages speak of: most of the others, and nearly all; and the same in words.
MOST, NEARLY_ALL = 0.5, 0.9
AGREE = {MOST: "at least half of the others", NEARLY_ALL: "nine tenths of the others"}
#: So many of the most accurate models are asked of.
BEST = 10
#: What the rule does where it is known which keys are wrong, made by ``benchmarks/suspected_keys.py``.
SIMULATED = "data/simulations/suspected_keys.csv"
#: Kinds of truth, as that table calls them, and the models that a row is about: all, or the most accurate.
WRONG, MISCONCEIVED, ATTRACTED = "wrong keys", "shared misconceptions", "unequal attraction"
EVERY, OF_BEST = "all", "best"

RULES = {
    "errors": Rule(
        f"Of the {BEST} most accurate models, at least {BEST // 2 + 1} have more than half of their errors on items on "
        "which at least half of the models of other families give the same answer, which is not the key: the 95 % "
        "interval of this share lies above one half.",
        "errors and keys",
        no_null="the published rows; a description, no test",
    )
}


@analysis(files=(*FILES, SIMULATED))
def keys(inputs: Inputs, items: ModelItems | None = None, *, verdicts: bool = True) -> dict[str, Any]:
    """How many of the models' errors may be the answer key's?"""
    items = items or model_items()
    best = best_of(suspected_keys(items))
    return {
        "best": best,
        "rule": committed_table(SIMULATED),
        "outcomes": errors(best) if verdicts else None,
        "n_items": len(items.items),
    }


def agreed(items: ModelItems, threshold: float) -> np.ndarray:
    """Items suspected for at least half of the models, shape ``(N,)``."""
    return np.mean([suspected_items(items, model, threshold) for model in items.models], axis=0) >= 0.5


def best_of(table: pd.DataFrame) -> pd.DataFrame:
    """The most accurate models: which share of their errors lies on suspected items, and how AUROC2 rises without."""
    parts = []
    table = table.sort_values("accuracy", ascending=False, kind="stable")
    for threshold, name in AGREE.items():
        own = table[table["threshold"] == threshold].head(BEST)
        lower, upper = wilson(own["share_of_errors"], own["n_errors"].clip(lower=1))
        part = own[["model", "share_of_errors"]].assign(
            share_of_errors_lower=lower, share_of_errors_upper=upper
        )
        parts.append(part.assign(rule=name, rise=own["auroc2_without"] - own["auroc2"]))
    return pd.concat(parts, ignore_index=True)


def errors(best: pd.DataFrame) -> pd.DataFrame:
    """Whether the errors of the most accurate models lie mostly where the others contradict the key, by intervals."""
    own = best.loc[best["rule"] == AGREE[MOST], ["model", "share_of_errors_lower", "share_of_errors_upper"]]
    units = [beyond(model, low, high, 0.5, "no error") for model, low, high in own.itertuples(index=False)]
    return outcomes("errors", units, BEST // 2 + 1)


def numbers(result: Result) -> dict[str, Any]:
    """What the best get wrong on suspected items, what leaving these out does, and both where every key is right."""
    own = result.best[result.best["rule"] == AGREE[MOST]]
    shares = 100 * own["share_of_errors"].dropna()
    right = result.rule.set_index(["truth", "threshold", "models"]).loc[(ATTRACTED, MOST, OF_BEST)]
    return {
        "least_share": float(shares.min()),
        "most_share": float(shares.max()),
        "rise": 100 * float(own["rise"].mean()),
        "right_suspected": float(right["n_suspected"]),
        "right_share": float(right["share_of_errors"]),
        "right_rise": 100 * float(right["auroc2_without"] - right["auroc2_by_key"]),
    }


VIEWS = Views("keys", numbers=numbers)
