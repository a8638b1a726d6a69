"""Decoding entropy of an answer: how torn a model is between texts when it writes its answer line.

The Monte-Carlo estimate of length-normalised predictive entropy (Malinin & Gales 2021): over draws of the
answer line at temperature 1, the mean of minus the log-probability a token. The line ends before CONFIDENCE,
so that doubt about which number to state is not mixed in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.engines.base import Generation
from metacog.studies.study4_probe import steadiness
from metacog.studies.study4_probe.items import ProbeItem
from metacog.studies.study4_probe.marking import mark_reply
from metacog.studies.study4_probe.published import short
from metacog.studies.study4_probe.scores import scored
from metacog.studies.study4_probe.steadiness import TASKS_WITH_ANSWERS

#: Share of the draws that must hold an answer with log-probabilities.
LEAST_USED = 0.5


def decoding_entropy(item: ProbeItem, draws: Sequence[Generation]) -> dict[str, Any]:
    """Entropy of an item's answer line, in nats a token, and what it rests on.

    A draw without an answer (no such line, or no number where one is asked for) is left out and counted, as
    is one without log-probabilities.

    Returns
    -------
    dict
        ``entropy`` (NaN where less than half of the draws could be used), ``entropy_asked, entropy_read``
        (draws with an answer), ``entropy_used`` (those with log-probabilities).
    """
    read = [d for d in draws if "ANSWER" not in mark_reply(item, d.text).unread]
    nlp = [d.nlp for d in read if d.n_tokens and math.isfinite(d.nlp)]
    enough = bool(nlp) and len(nlp) >= LEAST_USED * len(draws)
    return {
        "entropy": max(0.0, -math.fsum(nlp) / len(nlp)) if enough else math.nan,
        "entropy_asked": len(draws),
        "entropy_read": len(read),
        "entropy_used": len(nlp),
    }


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
    if items >= 3:
        return ""
    if not asked:
        return "not asked for: the setting draws is 0"
    if not read:
        return "no draw held an answer"
    if not used:
        return "the engine gives no log-probabilities"
    return f"only {items} items with enough usable draws"


def correlations(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """A row a model and task: rho of stated confidence with decoding entropy, its p and its interval.

    Returns
    -------
    DataFrame
        As :func:`.steadiness.correlations` gives it, with ``used`` (share of draws that could be used);
        ``why`` says what the engine or the replies lack where there is no entropy to correlate. No row where
        nothing was drawn.
    """
    items = by_item(trials)
    if items.empty:
        return pd.DataFrame(columns=["model", "task", "rho", "lo", "hi", "p", "items", "left_out", "entropy"])
    found = steadiness.correlations(items, n_resamples=n_resamples, seed=seed, of="entropy")
    lacking = reasons(trials).rename(columns={"why": "lacking"})
    both = found.merge(lacking.assign(task=lacking["task"].map(short)), how="left")
    whys = both["lacking"].where(both["lacking"].fillna("") != "", both["why"])
    return both.assign(why=whys).drop(columns="lacking")


def said(table: pd.DataFrame) -> str:
    """Where there is no entropy, and why; else the correlations."""
    if table.empty:
        return "No answer was drawn at temperature 1, so there is no decoding entropy."
    lacking = table[table["rho"].isna()]
    words = [f"{r.model} on {r.task}: undefined, {r.why}" for r in rows_of(lacking)]
    given = table[table["rho"].notna()]
    words += [
        f"{r.model} on {r.task}: rho = {r.rho:.2f} over {r.items} items (p = {r.p:.2f})"
        for r in rows_of(given)
    ]
    return f"Stated confidence with decoding entropy. {'; '.join(words)}."
