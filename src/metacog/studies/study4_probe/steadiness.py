"""The strict layer: does stated confidence follow how steadily a model gives the same answer?"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from metacog.collect.field_lines import one_number
from metacog.collect.name_matching import agree
from metacog.studies.study4_probe.published import short
from metacog.studies.study4_probe.scores import FloatArray, bootstrap

#: Tasks whose replies hold both an answer and a confidence.
TASKS_WITH_ANSWERS = ("T1_CC", "T4_CR")


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
                "model": model, "task": task, "question_id": item, "stated": first["stated"].iloc[0],
                "correct": bool(first["correct"].iloc[0]), "agreement": share, "k": len(again),
            }
        )  # fmt: skip
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


def spearman(first: FloatArray, second: FloatArray) -> FloatArray:
    """Spearman's rho of rows, shape (..., n); NaN where either does not vary."""
    x, y = rankdata(first, axis=-1), rankdata(second, axis=-1)
    x = x - x.mean(axis=-1, keepdims=True)
    y = y - y.mean(axis=-1, keepdims=True)
    size = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    blank = np.full(size.shape, np.nan)
    return np.asarray(np.divide((x * y).sum(axis=-1), size, out=blank, where=size > 0))


def correlations(items: pd.DataFrame, *, n_resamples: int, seed: int, of: str = "agreement") -> pd.DataFrame:
    """A row a model and task: rho of stated confidence with another figure of the item, and its interval.

    Parameters
    ----------
    items : DataFrame
        ``model, task, stated`` and the column ``of``.
    of : str
        ``agreement`` (of resampled answers), or ``entropy``.

    Returns
    -------
    DataFrame
        ``model, task, rho, lo, hi, items, left_out``, the mean of ``of`` under its own name, ``undefined``;
        ``left_out`` counts items without a stated confidence or the figure, ``undefined`` the resamples of
        items on which one of the two did not vary. The interval is NaN where more than half of them are.
    """
    found = []
    for (model, task), rows in items.groupby(["model", "task"], sort=False):
        whole = rows.dropna(subset=["stated", of])
        row = {
            "model": model, "task": short(str(task)), "rho": math.nan, "lo": math.nan, "hi": math.nan,
            "items": len(whole), "left_out": len(rows) - len(whole), of: float(rows[of].mean()),
            "undefined": 0,
        }  # fmt: skip
        if len(whole) >= 3:
            x, y = (whole[c].to_numpy(dtype=np.float64) for c in ("stated", of))
            got = bootstrap(spearman, x, y, n_resamples=n_resamples, seed=seed)
            usable = got.draws[np.isfinite(got.draws)]
            row |= {"rho": got.estimate, "undefined": n_resamples - len(usable)}
            if math.isfinite(got.estimate) and 2 * len(usable) > n_resamples:
                row["lo"], row["hi"] = (float(q) for q in np.quantile(usable, [0.025, 0.975]))
        found.append(row)
    return pd.DataFrame(found)
