"""T1-CC and T4-CR by one measure: does confidence tell right from wrong on one task better than on the other?

The scores of the two tasks cannot be held against each other: that of T1-CC is a correlation whose 50 stands
for none, that of T4-CR a Brier score less penalties, in which 50 says nothing. AUROC2, the chance that a
right answer carries more confidence than a wrong one, is 0.5 without self-knowledge on both, and asks nothing
of the scale on which confidence was stated. Items without a stated confidence are left out.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from metacog.sdt.area_comparison import compare_areas
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS
from metacog.studies.study4_probe.ledger.published import short
from metacog.studies.study4_probe.measures.scores import (
    CONSTANT,
    FEWEST_OF_EACH,
    UNSTATED,
    FloatArray,
    scored,
)

#: Differences of AUROC2 within this say that the tasks are alike.
ALIKE = 0.1


def by_one_measure(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of both tasks, and T1-CC less T4-CR.

    Returns
    -------
    DataFrame
        ``model``; ``right_t1, wrong_t1, area_t1, lower_t1, upper_t1`` and the same of ``t4``; ``difference, lower,
        upper`` (95 %, items independent); ``left_out`` (items of both tasks without a stated confidence) and
        ``why`` there is no interval: fewer than three right or wrong answers, or one confidence throughout.
    """
    found = []
    for model, rows in scored(trials).groupby("model", sort=False):
        own = [rows[rows["task"] == task] for task in TASKS_WITH_ANSWERS]
        if any(part.empty for part in own):
            continue
        stated = [part.dropna(subset=["stated"]) for part in own]
        why = " and ".join(filter(None, map(_lacking, stated, TASKS_WITH_ANSWERS)))
        row: dict[str, object] = {"model": model}
        for part, name in zip(stated, ("t1", "t4"), strict=True):
            right = int((part["credit"] == 1).sum())
            row |= {f"right_{name}": right, f"wrong_{name}": len(part) - right}
            row |= dict.fromkeys((f"area_{name}", f"lower_{name}", f"upper_{name}"), math.nan)
        row |= dict.fromkeys(("difference", "lower", "upper"), math.nan)
        if not why:
            got = compare_areas(*_columns(stated[0]), *_columns(stated[1]))
            for area, name in ((got.a, "t1"), (got.b, "t4")):
                row |= {
                    f"area_{name}": area.estimate,
                    f"lower_{name}": area.lower,
                    f"upper_{name}": area.upper,
                }
            row |= {"difference": got.difference, "lower": got.lower, "upper": got.upper}
        row |= {
            "left_out": sum(map(len, own)) - sum(map(len, stated)),
            "why": why,
        }
        found.append(row)
    return pd.DataFrame(found)


def _columns(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    right, sure = (rows["credit"] == 1).to_numpy(), rows["stated"].to_numpy()
    return right.astype(np.float64), sure.astype(np.float64)


def _lacking(rows: pd.DataFrame, task: str) -> str:
    """What keeps a task from having an AUROC2 with an interval; empty where nothing does."""
    if rows.empty:
        return f"{UNSTATED} on {short(task)}"
    if rows["stated"].nunique() == 1:
        return f"{CONSTANT} on {short(task)}"
    right = int((rows["credit"] == 1).sum())
    if right < FEWEST_OF_EACH:
        return f"only {right} right on {short(task)}"
    wrong = len(rows) - right
    return f"only {wrong} wrong on {short(task)}" if wrong < FEWEST_OF_EACH else ""
