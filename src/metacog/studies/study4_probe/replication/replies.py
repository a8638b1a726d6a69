"""What replies show besides the five scores: penalties, the sweep of thresholds, dissociation, item audit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study4_probe.asking.items import load_items
from metacog.studies.study4_probe.asking.thresholds import Thresholds
from metacog.studies.study4_probe.asking.wordings import load_wordings
from metacog.studies.study4_probe.ledger.published import TASKS, short
from metacog.studies.study4_probe.measures import panel
from metacog.studies.study4_probe.measures.range_score import RANGE_BAND, SIGMA_BAND, range_score
from metacog.studies.study4_probe.measures.scores import SCORE, columns, scored, task_draws


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
    for model, rows in scored(trials).groupby("model", sort=False):
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
    for model, rows in scored(trials).groupby("model", sort=False):
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
    for model, rows in scored(trials).groupby("model", sort=False):
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
    wide = wide[[short(t) for t in TASKS if short(t) in wide]].dropna(axis=1)
    try:
        share = panel.components(wide).share
    except MetacogError as refused:
        return Panel(len(wide), refused=str(refused))
    return Panel(len(wide), share, panel.correlation(wide, short("T1_CC"), short("T2_EV")))
