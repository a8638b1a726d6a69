"""What replies show besides the five scores: penalties, the sweep of thresholds, dissociation, item audit.

An item's discrimination is the correlation, over models, of its points with those of the rest of its task. An item
on which all models earn the same has none. With two models every correlation is 1 or -1: it says whether the item
takes the side of the model that leads on the rest, and nothing of how good an item it is. So below
:data:`.panel.FEWEST_MODELS` models only the items that separate them are counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.collect.scoring import agree, one_number
from metacog.core.errors import MetacogError
from metacog.core.frames import ended, with_ends
from metacog.sdt.checks import FloatArray
from metacog.sdt.correlations import item_discrimination, rank_correlation
from metacog.sdt.gate import cheapest, gate, gate_worth
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study4_probe import measures
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS, load_items
from metacog.studies.study4_probe.asking.wordings import load_wordings
from metacog.studies.study4_probe.measures import (
    FEWEST_MODELS,
    SCORE,
    bootstrap,
    columns,
    mean_credit,
    readable,
    scored,
    task_draws,
)
from metacog.studies.study4_probe.paper import TASKS, short
from metacog.studies.study4_probe.range_score import RANGE_BAND, SIGMA_BAND, Thresholds, range_score

# The strict layer: does stated confidence follow how steadily a model gives the same answer?


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
        ``p`` is that of permutations (:func:`metacog.sdt.rank_correlation`).
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


def points(trials: pd.DataFrame, task: str) -> pd.DataFrame:
    """Points, models x the items of a task that all models were asked."""
    rows = readable(trials)
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


def thresholds_of(trials: pd.DataFrame) -> Thresholds:
    """The thresholds that the trials were collected under.

    Raises
    ------
    MetacogError
        If they hold more than one pair: trials of several panels, which are not compared.
    """
    pairs = trials[["sigma_t", "range_t"]].drop_duplicates()
    if len(pairs) != 1:
        raise MetacogError(
            f"these trials of the probe hold {len(pairs)} pairs of thresholds: give the models of one panel "
            "the same `panel` in the profile and collect them together"
        )
    return Thresholds(*(float(x) for x in pairs.iloc[0]))


def penalties(trials: pd.DataFrame, at: Thresholds) -> pd.DataFrame:
    """T4-CR taken apart: ``model, brier, sd, spread, flat, narrow, score, strict, no_confidence, n``.

    ``strict`` is the score when answers have to equal the key without regard to case and white space.
    """
    found = []
    for model, rows in readable(trials).groupby("model", sort=False):
        right, sure = columns(rows, "T4_CR")
        if right.size < 2:
            continue
        own = range_score(right, sure, sigma_t=at.sigma_t, range_t=at.range_t)
        exact = range_score(
            columns(rows, "T4_CR", strict=True)[0], sure, sigma_t=at.sigma_t, range_t=at.range_t
        )
        found.append(
            {
                "model": model,
                "brier": own.brier,
                "sd": own.sd,
                "spread": own.spread,
                "flat": own.flat,
                "narrow": own.narrow,
                "score": own.score,
                "strict": exact.score,
                "n": own.n,
                "right": float(right.sum()),
                "no_confidence": int(rows.loc[rows["task"] == "T4_CR", "stated"].isna().sum()),
            }
        )
    return pd.DataFrame(found)


def sweep(trials: pd.DataFrame) -> pd.DataFrame:
    """T4-CR at the nine pairs of thresholds: ``model, sigma_t`` and one column per range threshold."""
    found = []
    for model, rows in readable(trials).groupby("model", sort=False):
        right, sure = columns(rows, "T4_CR")
        if right.size < 2:
            continue
        for sigma in SIGMA_BAND.values():
            cells = {
                f"range_{name}": range_score(right, sure, sigma_t=sigma, range_t=r).score
                for name, r in RANGE_BAND.items()
            }
            found.append({"model": model, "sigma_t": sigma, **cells})
    return pd.DataFrame(found)


def dissociation(trials: pd.DataFrame, at: Thresholds, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """The scores T1-CC minus T4-CR: ``model, t1, t4, difference, lower, upper, bare``, items of both resampled.

    ``bare`` is the difference when T4-CR has no penalties. The two scores have different zeros, so that a
    difference says nothing about self-knowledge: :mod:`.two_tasks` compares the tasks by one measure.
    """
    found = []
    for model, rows in readable(trials).groupby("model", sort=False):
        if min((rows["task"] == task).sum() for task in ("T1_CC", "T4_CR")) < 2:
            continue
        one, four = (
            task_draws(rows, task, at, n_resamples=n_resamples, seed=seed) for task in ("T1_CC", "T4_CR")
        )
        t1, t4 = one.values[SCORE], four.values[SCORE]
        lower, upper = percentile_limits(one.draws[SCORE] - four.draws[SCORE])
        brier = range_score(*columns(rows, "T4_CR")).brier
        found.append(
            {
                "model": model,
                "t1": t1,
                "t4": t4,
                "difference": t1 - t4,
                "lower": lower,
                "upper": upper,
                "bare": t1 - brier,
            }
        )
    return pd.DataFrame(found)


def audit(trials: pd.DataFrame) -> pd.DataFrame:
    """Every scored reply of T1-CC and T4-CR.

    Columns ``model, task, item, question, key, answer, right, stated, cost``; ``cost`` is what
    the item subtracts from the Brier score, in points; NaN in T1-CC.
    """
    known = {item.id: item for item in load_items()}
    own = scored(trials)
    own = own[own["task"].isin(("T1_CC", "T4_CR")) & own["question_id"].isin(list(known))]
    size = own.groupby(["model", "task"])["question_id"].transform("size")
    gap = own["stated"].fillna(50.0) / 100 - own["credit"]
    return pd.DataFrame(
        {
            "model": own["model"],
            "task": own["task"].map(short),
            "item": own["question_id"],
            "question": own["question_id"].map(lambda i: known[i].prompt),
            "key": own["question_id"].map(lambda i: known[i].key),
            "answer": own["answer"].str.slice(0, 60),
            "right": own["credit"] == 1,
            "stated": own["stated"],
            "cost": (100 * gap**2 / size).where(own["task"] == "T4_CR"),
        }
    ).reset_index(drop=True)


def examples(trials: pd.DataFrame) -> pd.DataFrame:
    """Of each task the first item that the first model got wrong, or the first where it got none wrong.

    Columns ``model, task, instruction, item, reply, rubric`` (what earns the point) and ``right``.
    """
    known, wordings = {item.id: item for item in load_items()}, load_wordings()
    own = scored(trials)
    own = own[own["question_id"].isin(list(known)) & (own["model"] == own["model"].iloc[0])]
    found = []
    for task in TASKS:
        rows = own[own["task"] == task].sort_values("question_index", kind="stable")
        if rows.empty:
            continue
        wrong = rows[rows["credit"] < 1]
        row = (wrong if len(wrong) else rows).iloc[0]
        item = known[row["question_id"]]
        found.append(
            {
                "model": row["model"],
                "task": task,
                "instruction": wordings.tasks[task]["instruction"],
                "item": f"{wordings.marker} {item.prompt}",
                "reply": str(row["text"]).strip(),
                "rubric": item.rubric,
                "right": bool(row["credit"] == 1),
            }
        )
    return pd.DataFrame(found)


@dataclass(frozen=True)
class Panel:
    """Components and correlations of the tasks over this run's models, or why there are none.

    Attributes
    ----------
    models : int
    share : float
        Variance of the first two components, between 0 and 1.
    r : float
        Correlation of T1-CC with T2-EV.
    refused : str
        Empty where the figures exist.
    """

    models: int
    share: float = math.nan
    r: float = math.nan
    refused: str = ""


def panel_of(profile: pd.DataFrame) -> Panel:
    """What a panel's figures would be for this run's models."""
    wide = profile.pivot(index="model", columns="task", values="score")
    wide = wide[[short(t) for t in TASKS if short(t) in wide]].dropna()
    try:
        share = measures.components(wide).share
    except MetacogError as refused:
        return Panel(len(wide), refused=str(refused))
    return Panel(len(wide), share, measures.correlation(wide, short("T1_CC"), short("T2_EV")))


# Confidence gates of several models: load and missed errors.

#: Shares of missed errors for which the table gives the cheapest gate.
BARS = (0.5, 0.2, 0.1, 0.0)


def gate_curves(trials: pd.DataFrame) -> pd.DataFrame:
    """Every gate that the trials of each model distinguish: ``model, threshold, load, missed``.

    Parameters
    ----------
    trials : DataFrame
        With ``model``, ``correct`` and ``confidence``.
    """
    parts = []
    for model, rows in trials.groupby("model", sort=False):
        found = gate(rows["correct"].to_numpy(dtype=float), rows["confidence"].to_numpy(dtype=float))
        parts.append(
            pd.DataFrame(
                {
                    "model": model,
                    "threshold": found.threshold,
                    "load": found.load,
                    "missed": found.missed,
                    "missed_errors": found.missed_errors,
                    "risk": found.risk,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def gate_table(trials: pd.DataFrame, *, n_resamples: int = 2_000, seed: int = 42) -> pd.DataFrame:
    """The cheapest gate of each model for each bar of :data:`BARS`.

    Parameters
    ----------
    trials : DataFrame
        As for :func:`gate_curves`; trials of one ``question_id``, where there is that column, stay together.
    n_resamples, seed : int

    Returns
    -------
    DataFrame
        ``model, bar``; ``threshold, load, missed, missed_errors`` of the gate that is cheapest on all trials,
        which flatter it (``threshold`` is NaN where all is escalated); ``worth`` with limits, what confidence
        is worth where the threshold is picked on one half of the questions and judged on the other
        (:func:`metacog.sdt.gate.gate_worth`), 0 for escalating at random. Models without an error are
        left out.
    """
    found = []
    for model, rows in trials.groupby("model", sort=False):
        arrays = rows["correct"].to_numpy(dtype=float), rows["confidence"].to_numpy(dtype=float)
        units = rows["question_id"].to_numpy() if "question_id" in rows else np.arange(len(rows))
        curve = gate(*arrays)
        for bar in BARS if curve.errors else ():
            at = cheapest(curve, bar)
            found.append(
                {
                    "model": model,
                    "bar": bar,
                    "load": curve.load[at],
                    "threshold": curve.threshold[at] if curve.load[at] < 1 else math.nan,
                    "missed": curve.missed[at],
                    "missed_errors": int(curve.missed_errors[at]),
                    **ended("worth", *_worth(arrays, bar, units, n_resamples, seed)),
                }
            )
    names = ("model", "bar", "threshold", "load", "missed", "missed_errors", *with_ends("worth"))
    return pd.DataFrame(found, columns=list(names))


def _worth(
    arrays: tuple[FloatArray, FloatArray], bar: float, units: NDArray, n_resamples: int, seed: int
) -> tuple[float, float, float]:
    if np.unique(units).size < 2:
        return math.nan, math.nan, math.nan
    found = gate_worth(*arrays, bar, clusters=units, n_resamples=n_resamples, seed=seed)
    return found.worth, found.lower, found.upper
