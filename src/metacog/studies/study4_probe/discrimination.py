"""Which items tell the models of a run apart, and what the printed item discrimination can have been.

An item's discrimination is the correlation, over models, of its points with those of the rest of its task. An
item on which all models earn the same has none. With two models every correlation is 1 or -1: it says whether
the item takes the side of the model that leads on the rest, and nothing of how good an item it is. So below
:data:`.panel.FEWEST_MODELS` models only the items that separate them are counted.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy.stats import binom

from metacog.core.words import listed, plural
from metacog.sdt.discrimination import item_discrimination
from metacog.studies.study4_probe import published
from metacog.studies.study4_probe.items import load_items
from metacog.studies.study4_probe.panel import FEWEST_MODELS
from metacog.studies.study4_probe.published import ITEMS, TASKS, short
from metacog.studies.study4_probe.scores import bootstrap, mean_credit, scored


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
        same), ``share, lo, hi`` (of items that separate, in percent, items resampled), ``with_rest`` (two
        models: separating items on the side of the model that leads on the rest; NaN otherwise), ``mean,
        mean_lo, mean_hi, defined`` (item-rest correlation, models resampled; NaN below six models).
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
        low, high = drawn.limits()
        row = {
            "task": short(task),
            "models": len(x),
            "items": x.shape[1],
            "all_right": int((x == 1).all(axis=0).sum()),
            "none_right": int((x == 0).all(axis=0).sum()),
            "separate": int(apart.sum()),
            "share": drawn.estimate,
            "lo": low,
            "hi": high,
            "with_rest": _with_rest(x),
            "mean": math.nan,
            "mean_lo": math.nan,
            "mean_hi": math.nan,
            "defined": math.nan,
        }
        if len(x) >= FEWEST_MODELS:
            own = item_discrimination(x, n_resamples=n_resamples, seed=seed)
            row |= {
                "mean": own.mean,
                "mean_lo": own.mean_lower,
                "mean_hi": own.mean_upper,
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
        lo, hi`` (item-rest correlation, models resampled; NaN below six models, or where it is undefined).
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
                        "right_in": listed(table.index[x[:, k] == 1]),
                        "points": float(x[:, k].sum()),
                        "r": r[k],
                        "lo": low[k],
                        "hi": high[k],
                    }
                )
    return pd.DataFrame(rows)


def said(frame: pd.DataFrame) -> str:
    """How many items separate the models, and what that allows."""
    if frame.empty:
        return "One model cannot be told apart from others: item discrimination needs at least two."
    models, separate, n = int(frame["models"].max()), int(frame["separate"].sum()), int(frame["items"].sum())
    words = f"{separate} of {plural(n, 'item')} separate the {models} models."
    if models >= FEWEST_MODELS:
        clear = frame[frame["mean_lo"] > 0]
        return (
            f"{words} The mean discrimination of their items lies above 0, by its interval over models, in "
            f"{listed(clear['task'])}."
        )
    if models == 2:
        side = int(frame["with_rest"].sum())
        words += (
            f" With two models a correlation over models is 1 or -1, or does not exist: {side} of the "
            f"{separate} items side with the model that leads on the rest of the task, the others with the "
            "other, and that is all two models can tell."
        )
    return (
        f"{words} Whether an item is a good one cannot be said from {models} models: correlations over "
        f"models are given from {FEWEST_MODELS} on."
    )


def printed_said() -> str:
    """Over which items the printed mean discrimination of T3-KB can have been taken.

    An item on which all models score alike stays so in every resample of models, so a mean that counts it as
    0 cannot exceed the share of the others. Where items are resampled, that share is binomial.
    """
    high = float(published.claim("discrimination", "upper"))
    some, n = int(published.claim("discriminating_items")), ITEMS["T3_KB"]
    by_models, by_items = some / n, float(binom.ppf(0.975, n, some / n)) / n
    words = (
        f"Of T3-KB's {n} items {some} are printed as having a discrimination other than 0. If all models "
        "score alike on the others, and these count as 0, the upper end of a bootstrap interval of the mean "
        f"is at most {by_models:.2f} with models resampled and {by_items:.2f} with items; printed is "
        f"{high:.3f}."
    )
    fits = high <= max(by_models, by_items)
    tail = "allows such a mean" if fits else f"is that of a mean over the {some} items alone"
    return f"{words} The printed interval {tail}."
