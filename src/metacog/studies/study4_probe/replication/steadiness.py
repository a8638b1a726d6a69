"""The strict layer: does stated confidence follow how steadily a model gives the same answer?"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from metacog.collect.parsing import agree, one_number
from metacog.sdt.correlation import rank_correlation
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS
from metacog.studies.study4_probe.ledger.published import short


def agreement(trials: pd.DataFrame) -> pd.DataFrame:
    """Share of an item's resamples that give the answer of its scored reply.

    A resample without a readable answer does not agree. Items whose scored reply has no answer have none to
    agree with: NaN.

    Returns
    -------
    DataFrame
        ``model, task, question_id, stated, correct, agreement, k``, for items with resamples.
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


def retest(trials: pd.DataFrame) -> pd.DataFrame:
    """Does a model say the same confidence when asked again? ``model, task, retest``.

    The mean, over all pairs of resamples, of Pearson's correlation over items of the confidences stated in
    both; NaN where no pair has three items on which both vary.
    """
    found = []
    again = trials[(trials["sample"] > 0) & trials["task"].isin(TASKS_WITH_ANSWERS)]
    for (model, task), rows in again.groupby(["model", "task"], sort=False):
        wide = rows.pivot(index="question_id", columns="sample", values="stated")
        r = wide.corr(min_periods=3).to_numpy()
        pairs = r[np.triu_indices(len(r), 1)]
        usable = pairs[np.isfinite(pairs)]
        found.append({"model": model, "task": task, "retest": usable.mean() if len(usable) else math.nan})
    return pd.DataFrame(found, columns=["model", "task", "retest"])


def correlations(items: pd.DataFrame, *, n_resamples: int, seed: int, of: str = "agreement") -> pd.DataFrame:
    """One row per model and task: rho of stated confidence with another figure of the item, p and interval.

    Parameters
    ----------
    items : DataFrame
        ``model, task, stated`` and the column ``of``.
    of : str
        ``agreement`` (of resampled answers), or ``entropy``.

    Returns
    -------
    DataFrame
        ``model, task, rho, lower, upper, p, items, left_out``, the mean of ``of`` under its own name, ``undefined``
        and ``why``; ``left_out`` counts items without a stated confidence or the figure, ``undefined`` the
        resamples of items on which one of the two did not vary, and ``why`` says why there is no interval.
        ``p`` is that of permutations (:func:`metacog.sdt.correlation.rank_correlation`).
    """
    found = []
    for (model, task), rows in items.groupby(["model", "task"], sort=False):
        whole = rows.dropna(subset=["stated", of])
        own = rank_correlation(whole["stated"], whole[of], n_resamples=n_resamples, seed=seed)
        found.append(
            {
                "model": model,
                "task": short(str(task)),
                "rho": own.rho,
                "lower": own.lower,
                "upper": own.upper,
                "p": own.p_value,
                "items": own.n,
                "left_out": len(rows) - own.n,
                of: float(rows[of].mean()),
                "undefined": own.undefined,
                "why": own.why if own.n >= 3 else f"{own.n} items with both",
            }
        )
    return pd.DataFrame(found)
