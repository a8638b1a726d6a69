"""Which items separate the models of a run.

An item's discrimination is the correlation, over models, of its points with those of the rest of its task. An
item on which all models earn the same has none. With two models every correlation is 1 or -1: it says whether
the item takes the side of the model that leads on the rest, and nothing of how good an item it is. So below
:data:`.panel.FEWEST_MODELS` models only the items that separate them are counted.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from metacog.sdt.discrimination import item_discrimination
from metacog.studies.study4_probe.asking.items import load_items
from metacog.studies.study4_probe.ledger.published import TASKS, short
from metacog.studies.study4_probe.measures.panel import FEWEST_MODELS
from metacog.studies.study4_probe.measures.scores import SCORE, bootstrap, mean_credit, scored


def points(trials: pd.DataFrame, task: str) -> pd.DataFrame:
    """Points, models x the items of a task that all models were asked."""
    rows = scored(trials)
    own = rows[rows["task"] == task]
    return own.pivot(index="model", columns="question_id", values="credit").dropna(axis=1)


def by_task(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """How many items of each task separate the models, and their mean discrimination.

    Returns
    -------
    DataFrame
        ``task, models, items, all_right, none_right, separate`` (items on which not all models earn the
        same), ``share, lower, upper`` (of items that separate, in percent, items resampled), ``with_rest`` (two
        models: separating items on the side of the model that leads on the rest; NaN otherwise), ``mean,
        mean_lower, mean_upper, defined`` (item-rest correlation, models resampled; NaN below six models).
    """
    rows = []
    for number, task in enumerate(TASKS):
        table = points(trials, task)
        x = table.to_numpy(dtype=np.float64)
        if x.shape[1] < 2 or len(x) < 2:
            continue
        apart = np.ptp(x, axis=0) > 0
        drawn = bootstrap(
            mean_credit,
            apart.astype(np.float64),
            apart.astype(np.float64),
            n_resamples=n_resamples,
            seed=(seed, number),
        )
        low, high = drawn.bounds[SCORE]
        row = {
            "task": short(task),
            "models": len(x),
            "items": x.shape[1],
            "all_right": int((x == 1).all(axis=0).sum()),
            "none_right": int((x == 0).all(axis=0).sum()),
            "separate": int(apart.sum()),
            "share": drawn.values[SCORE],
            "lower": low,
            "upper": high,
            "with_rest": _with_rest(x),
            "mean": math.nan,
            "mean_lower": math.nan,
            "mean_upper": math.nan,
            "defined": math.nan,
        }
        if len(x) >= FEWEST_MODELS:
            own = item_discrimination(x, n_resamples=n_resamples, seed=seed)
            row |= {
                "mean": own.mean,
                "mean_lower": own.mean_lower,
                "mean_upper": own.mean_upper,
                "defined": float(own.n_defined),
            }
        rows.append(row)
    return pd.DataFrame(rows)


def _with_rest(x: np.ndarray) -> float:
    """Separating items whose item-rest correlation is 1: two models only."""
    if len(x) != 2:
        return math.nan
    item = x[0] - x[1]
    rest = item.sum() - item
    return float((item * rest > 1e-12).sum())


def items(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """Every item on which not all models earn the same.

    Returns
    -------
    DataFrame
        ``task, item, question, right_in`` (models with the whole point), ``points`` (sum over models), ``r,
        lower, upper`` (item-rest correlation, models resampled; NaN below six models, or where it is undefined).
    """
    prompts = {item.id: item.prompt for item in load_items()}
    rows = []
    for task in TASKS:
        table = points(trials, task)
        x = table.to_numpy(dtype=np.float64)
        if x.shape[1] < 2 or len(x) < 2:
            continue
        r = low = high = np.full(x.shape[1], np.nan)
        if len(x) >= FEWEST_MODELS:
            own = item_discrimination(x, n_resamples=n_resamples, seed=seed)
            r, low, high = own.r, own.lower, own.upper
        for k, name in enumerate(table.columns):
            if np.ptp(x[:, k]) > 0:
                rows.append(
                    {
                        "task": short(task),
                        "item": name,
                        "question": prompts.get(name, "")[:120],
                        "right_in": "; ".join(table.index[x[:, k] == 1]),
                        "points": float(x[:, k].sum()),
                        "r": r[k],
                        "lower": low[k],
                        "upper": high[k],
                    }
                )
    return pd.DataFrame(rows)
