"""Decoding entropy of answers (:mod:`metacog.studies.study4_probe.asking.collection`) and stated confidence."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS
from metacog.studies.study4_probe.ledger.published import short
from metacog.studies.study4_probe.measures.scores import scored
from metacog.studies.study4_probe.replication import steadiness

#: Items with an entropy that a correlation takes.
FEWEST = 3
#: What is lacking where nothing was asked, no draw held an answer, and no draw could be used.
LACKING = (
    "not asked for: the setting draws is 0",
    "no draw held an answer",
    "the engine gives no log-probabilities",
)
TOO_FEW = "only {} items with enough usable draws"


def by_item(trials: pd.DataFrame) -> pd.DataFrame:
    """``model, task, question_id, stated, correct, entropy`` of the items whose answers were drawn again."""
    first = scored(trials)
    rows = first[first["task"].isin(TASKS_WITH_ANSWERS) & (first["entropy_asked"] > 0)]
    names = ["model", "task", "question_id", "stated", "correct", "entropy"]
    return rows[names].reset_index(drop=True)


def reasons(trials: pd.DataFrame) -> pd.DataFrame:
    """``model, task, used, why``: share of draws that could be used, and why there is no entropy.

    ``why`` is empty where at least three items have one.
    """
    first = scored(trials)
    rows = first[first["task"].isin(TASKS_WITH_ANSWERS)]
    found = []
    for (model, task), own in rows.groupby(["model", "task"], sort=False):
        asked, read, used = (int(own[f"entropy_{c}"].sum()) for c in ("asked", "read", "used"))
        found.append(
            {
                "model": model,
                "task": task,
                "used": used / asked if asked else np.nan,
                "why": _why(asked, read, used, int(own["entropy"].notna().sum())),
            }
        )
    return pd.DataFrame(found, columns=["model", "task", "used", "why"])


def _why(asked: int, read: int, used: int, items: int) -> str:
    if items >= FEWEST:
        return ""
    lacking = next((why for n, why in zip((asked, read, used), LACKING, strict=True) if not n), TOO_FEW)
    return lacking.format(items)


def correlations(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """One row per model and task: rho of stated confidence with decoding entropy, its p and its interval.

    Returns
    -------
    DataFrame
        As :func:`.steadiness.correlations` gives it, with ``used`` (share of draws that could be used);
        ``why`` says what the engine or the replies lack where there is no entropy to correlate. No row where
        nothing was drawn.
    """
    items = by_item(trials)
    if items.empty:
        return pd.DataFrame(
            columns=["model", "task", "rho", "lower", "upper", "p", "items", "left_out", "entropy"]
        )
    found = steadiness.correlations(items, n_resamples=n_resamples, seed=seed, of="entropy")
    lacking = reasons(trials).rename(columns={"why": "lacking"})
    both = found.merge(lacking.assign(task=lacking["task"].map(short)), how="left")
    whys = both["lacking"].where(both["lacking"].fillna("") != "", both["why"])
    return both.assign(why=whys).drop(columns="lacking")
