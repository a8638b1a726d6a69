"""Does stated confidence follow how steadily a model gives the same answer, or how torn it is between words?"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from metacog.collect.named_lines import one_number
from metacog.collect.short_answers import agree
from metacog.sdt.correlations import correlation
from metacog.sdt.rank_correlations import rank_correlation
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS
from metacog.studies.study4_probe.paper import short
from metacog.studies.study4_probe.scores import FEWEST_OF_EACH, scored

#: Level of all tests of one kind together.
LEVEL = 0.05
#: Items with an entropy that a correlation takes.
FEWEST = 3
#: What is lacking where nothing was asked, no draw held an answer, and no draw could be used.
LACKING = (
    "not asked for: the setting draws is 0",
    "no draw held an answer",
    "the engine gives no log-probabilities",
)
TOO_FEW = "only {} items with enough usable draws"


def agreement(trials: pd.DataFrame) -> pd.DataFrame:
    """Share of an item's resamples that give the answer of its scored reply: ``model, task, question_id, stated,
    correct, agreement, k``.

    A resample without a readable answer does not agree. Items whose scored reply has no answer have none to agree with:
    NaN. Items without resamples have no row.
    """
    found = []
    own = trials[trials["task"].isin(TASKS_WITH_ANSWERS)]
    for (model, task, item), rows in own.groupby(["model", "task", "question_id"], sort=False):
        first, again = rows[rows["sample"] == 0], rows[rows["sample"] > 0]
        if first.empty or again.empty:
            continue
        given = str(first["answer"].iloc[0])
        share = math.nan
        if "ANSWER" not in str(first["unread"].iloc[0]).split():
            share = float(np.mean([_same(task, given, str(other)) for other in again["answer"]]))
        found.append(
            {
                "model": model,
                "task": task,
                "question_id": item,
                "stated": first["stated"].iloc[0],
                "correct": bool(first["correct"].iloc[0]),
                "agreement": share,
                "k": len(again),
            }
        )
    names = ["model", "task", "question_id", "stated", "correct", "agreement", "k"]
    return pd.DataFrame(found, columns=names)


def _same(task: object, given: str, other: str) -> bool:
    if not other:
        return False
    if task == "T1_CC":
        return one_number(given) == one_number(other)
    return agree(given, other)


def by_item(trials: pd.DataFrame) -> pd.DataFrame:
    """``model, task, question_id, stated, correct, entropy`` of the items whose answers were drawn again."""
    first = scored(trials)
    rows = first[first["task"].isin(TASKS_WITH_ANSWERS) & (first["entropy_asked"] > 0)]
    names = ["model", "task", "question_id", "stated", "correct", "entropy"]
    return rows[names].reset_index(drop=True)


def correlations(items: pd.DataFrame, *, seed: int, of: str = "agreement") -> pd.DataFrame:
    """Of each model and task rho of stated confidence with another figure of the item: ``model, task, rho, p, why``.

    ``p`` is that of permutations (:func:`metacog.sdt.rank_correlation`), and ``why`` says why there is none.
    """
    found = []
    for (model, task), rows in items.groupby(["model", "task"], sort=False):
        whole = rows.dropna(subset=["stated", of])
        own = rank_correlation(
            whole["stated"], whole[of], n_resamples=1, seed=seed
        )  # no interval is asked for
        why = own.why if own.n >= 3 else f"{own.n} items with both"
        found.append({"model": model, "task": short(str(task)), "rho": own.rho, "p": own.p_value, "why": why})
    return pd.DataFrame(found, columns=["model", "task", "rho", "p", "why"])


def with_correctness(trials: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Rho of T1-CC's stated confidence with being right: ``model, n, rho, lower, upper, p, level, why``.

    Interval by Fisher's transformation, ``p`` of permutations, and the ``level`` that p has to reach where as many
    models are tested (Bonferroni). ``why`` says what keeps a model from having them.
    """
    found = []
    first = scored(trials)
    for model, rows in first[first["task"] == "T1_CC"].groupby("model", sort=False):
        whole = rows.dropna(subset=["stated"])
        own = rank_correlation(whole["stated"], whole["credit"], n_resamples=1, seed=seed)
        ends = correlation(whole["stated"], whole["credit"], kind="spearman")
        right = int(whole["credit"].sum())
        few = min(right, len(whole) - right) < FEWEST_OF_EACH
        why = f"{right} of {len(whole)} right" if few else "" if own.rho == own.rho else own.why
        values = (math.nan,) * 4 if few else (own.rho, ends.lower, ends.upper, own.p_value)
        found.append((model, len(whole), *values, why))
    names = ["model", "n", "rho", "lower", "upper", "p", "why"]
    table = pd.DataFrame(found, columns=names)
    return table.assign(level=LEVEL / max(1, int(table["rho"].notna().sum())))


def with_entropy(trials: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """The same of decoding entropy; ``why`` says what the engine or the replies lack where there is none.

    No row where nothing was drawn.
    """
    found = correlations(by_item(trials), seed=seed, of="entropy")
    lacking = {
        (str(model), short(str(task))): _lacking(own)
        for (model, task), own in scored(trials).groupby(["model", "task"])
    }
    rows = zip(found["model"], found["task"], found["why"], strict=True)
    whys = [lacking[model, task] or why for model, task, why in rows]
    return found.assign(why=whys)


def _lacking(own: pd.DataFrame) -> str:
    """Why a model's replies to a task have no entropy to correlate; empty where at least three items have one."""
    items = int(own["entropy"].notna().sum())
    if items >= FEWEST:
        return ""
    counts = (int(own[f"entropy_{name}"].sum()) for name in ("asked", "read", "used"))
    return next((why for n, why in zip(counts, LACKING, strict=True) if not n), TOO_FEW).format(items)
