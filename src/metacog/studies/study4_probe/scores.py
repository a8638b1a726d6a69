"""The five scores of a run's models, and T4-CR taken apart.

Every item counts in a score, and a reply whose form cannot be read earns nothing, as in the paper; but where fewer
replies to a task can be read than :data:`FEWEST_READ` there is no score, which would be one of form alone. Confidence
that was not stated, or cannot be read, counts as the middle of its scale: 50 in T4-CR (the paper's rule) and, by the
same rule of ours, 5.5 in T1-CC; how often is always said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.sdt.checks import FloatArray
from metacog.sdt.intervals import percentile_limits, wilson
from metacog.sdt.rank_correlations import correlation_test
from metacog.studies.study4_probe.paper import TASKS, short
from metacog.studies.study4_probe.range_score import (
    FLAT,
    NARROW,
    RANGE_BAND,
    SIGMA_BAND,
    Thresholds,
    range_score,
)

#: What a missing confidence counts as.
MIDDLE: Mapping[str, float] = {"T1_CC": 5.5, "T4_CR": 50.0}
#: T1-CC without a correlation: one confidence throughout (the paper's rule), or all answers alike.
UNDEFINED = 50.0
#: Right and wrong answers below which the correlation of T1-CC hangs on single items.
FEWEST_OF_EACH = 3
#: Remark on a task in which no confidence could be read.
UNSTATED = "no confidence read"
#: How the remark on a task ends of which too few replies can be read.
UNREAD = "replies could be read"
#: Remark on a task in which every item has the same one.
CONSTANT = "one confidence throughout"
#: Share of a task's replies that must be readable for a score.
FEWEST_READ = 0.1
#: Replies to an item that stand for the paper's two retests.
RETESTS = (1, 2)


def scored(trials: pd.DataFrame) -> pd.DataFrame:
    """The replies that are scored: the first to each item."""
    first = trials[trials["sample"] == 0]
    if first.empty:
        raise MetacogError("there are no scored replies of the probe (sample 0) among these trials")
    return first


def readable(trials: pd.DataFrame) -> pd.DataFrame:
    """The scored replies of those models and tasks that have a score: enough of them can be read."""
    first = scored(trials)
    read = first["parse_status"].eq("ok").groupby([first["model"], first["task"]]).transform("mean")
    return first[read >= FEWEST_READ]


def calibration(correct: FloatArray, confidence: FloatArray) -> FloatArray:
    """T1-CC of rows of items, shape (..., n): (r + 1)/2 x 100; 50 where r does not exist."""
    x = confidence - confidence.mean(axis=-1, keepdims=True)
    y = correct - correct.mean(axis=-1, keepdims=True)
    size = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    moving = (np.ptp(confidence, axis=-1) > 0) & (np.ptp(correct, axis=-1) > 0)
    r = np.divide((x * y).sum(axis=-1), size, out=np.zeros_like(size), where=moving)
    return np.asarray(np.where(moving, 50 * (np.clip(r, -1, 1) + 1), UNDEFINED), dtype=np.float64)


def calibration_range(correct: FloatArray, confidence: FloatArray, at: Thresholds) -> FloatArray:
    """T4-CR of rows of items, shape (..., n)."""
    brier = 100 * (1 - ((confidence / 100 - correct) ** 2).mean(axis=-1))
    flat = FLAT * np.maximum(0, 1 - confidence.std(axis=-1, ddof=1) / at.sigma_t)
    narrow = NARROW * np.maximum(0, 1 - np.ptp(confidence, axis=-1) / at.range_t)
    return np.asarray(np.maximum(0, brier - flat - narrow))


def mean_credit(credit: FloatArray, _: FloatArray) -> FloatArray:
    """Mean credit of rows of items, as a percentage."""
    return np.asarray(100 * credit.mean(axis=-1))


def bootstrap(
    statistic: Callable[[FloatArray, FloatArray], FloatArray],
    first: FloatArray,
    second: FloatArray,
    *,
    n_resamples: int,
    seed: int | tuple[int, ...],
) -> tuple[float, tuple[float, float]]:
    """A statistic of two columns of items, and its limits over resamples of the items."""
    if first.size < 2:
        raise MetacogError("a score of the probe needs at least two items")
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    rows = rng.integers(0, first.size, (n_resamples, first.size))
    return float(statistic(first, second)), percentile_limits(statistic(first[rows], second[rows]))


def columns(rows: pd.DataFrame, task: str) -> tuple[FloatArray, FloatArray]:
    """Credit of a task's items, and confidence with the middle where none was read."""
    own = rows[rows["task"] == task]
    stated = own["stated"].fillna(MIDDLE.get(task, 0.0))
    return own["credit"].to_numpy(dtype=np.float64), stated.to_numpy(dtype=np.float64)


def rule_of(task: str, at: Thresholds) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """The rule by which a task is scored."""
    if task == "T1_CC":
        return calibration
    if task == "T4_CR":
        return lambda right, sure: calibration_range(right, sure, at)
    return mean_credit


def profile(trials: pd.DataFrame, at: Thresholds, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """One row per model and task: ``model, task, score, lower, upper, p, items, right, unread, note``.

    ``right`` is the sum of credit, ``unread`` counts replies whose form failed. ``p`` is, of T1-CC, the permutation p
    of stated confidence with correctness (Pearson's, two-sided) over the items with a stated one. A task of which too
    few replies can be read (:data:`FEWEST_READ`) has no score, and its ``note`` says so.
    """
    found, kept = [], readable(trials).index
    for model, rows in scored(trials).groupby("model", sort=False):
        for task in TASKS:
            own = rows[rows["task"] == task]
            if len(own) < 2:
                continue
            unread = int((own["parse_status"] != "ok").sum())
            score = low = high = p = math.nan
            note = f"{len(own) - unread} of {len(own)} {UNREAD}"
            if own.index.isin(kept).all():
                own_seed = (seed, list(TASKS).index(task))
                score, limits = bootstrap(
                    rule_of(task, at), *columns(rows, task), n_resamples=n_resamples, seed=own_seed
                )
                (low, high), note = _limits(limits, own, task), _note(own, task)
                p = _calibration_p(own, seed) if task == "T1_CC" else math.nan
            found.append(
                {
                    "model": model,
                    "task": short(task),
                    "score": score,
                    "lower": low,
                    "upper": high,
                    "p": p,
                    "items": len(own),
                    "right": float(own["credit"].sum()),
                    "unread": unread,
                    "note": note,
                }
            )
    return pd.DataFrame(found)


def without_score(profile: pd.DataFrame) -> dict[str, str]:
    """Why a model of a profile has no composite, by model, of those that lack a task's score."""
    lost = profile[profile["score"].isna()].groupby("model", sort=False)[["unread", "items"]].sum()
    return {
        str(model): f"{row['items'] - row['unread']:.0f} of {row['items']:.0f} {UNREAD} where a task has "
        "no score"
        for model, row in lost.iterrows()
    }


def _calibration_p(own: pd.DataFrame, seed: int) -> float:
    stated = own.dropna(subset=["stated"])
    return correlation_test(stated["stated"], stated["credit"], seed=seed)[0]


def _limits(limits: tuple[float, float], own: pd.DataFrame, task: str) -> tuple[float, float]:
    """Interval of a score; Wilson's where all items earned a point or none, and no resample can differ."""
    share = own["credit"].mean()
    if task in MIDDLE or share not in (0, 1):
        return limits
    low, high = wilson([share], [len(own)])
    return float(100 * low[0]), float(100 * high[0])


def _note(own: pd.DataFrame, task: str) -> str:
    """Why a score says little or nothing, where it does not."""
    if task in ("T2_EV", "T5_RCV") and own["flag"].notna().all() and own["flag"].nunique() == 1:
        return f"always {'an error' if own['flag'].iloc[0] else 'no error'}"
    if task not in MIDDLE:
        return ""
    if own["stated"].isna().all():
        return UNSTATED
    if own["stated"].fillna(MIDDLE[task]).nunique() == 1:
        return CONSTANT
    if task == "T1_CC" and own["credit"].nunique() == 1:
        return "all right" if own["credit"].iloc[0] else "none right"
    right = int(own["credit"].sum())
    if task == "T1_CC" and min(right, len(own) - right) < FEWEST_OF_EACH:
        return f"only {right} right" if 2 * right < len(own) else f"only {len(own) - right} wrong"
    return ""


def composites(trials: pd.DataFrame, scores: pd.DataFrame, at: Thresholds) -> pd.DataFrame:
    """Composites of a profile, NaN where a task is missing: ``model, of_four, of_five, of_slots, slots, key_rule,
    knows_rule``.

    The paper fills fifteen slots: each task once, and twice more to see how steady its score is. Here the first two
    replies after the scored one are those retests, where a task was asked again; ``of_slots`` is the mean over tasks
    of the mean over their ``slots``. The last two are T3-KB by both of the paper's rules, as percentages.
    """
    wide = scores.pivot(index="model", columns="task", values="score")
    wide = wide.reindex(index=scores["model"].unique(), columns=[short(t) for t in TASKS])
    four = wide.drop(columns=short("T3_KB"))
    means = {"of_four": four.mean(axis=1, skipna=False), "of_five": wide.mean(axis=1, skipna=False)}
    slots = _retested(trials, scores, at).groupby("model", sort=False)
    by_task = slots.apply(lambda own: own.groupby("task")["score"].mean().mean(skipna=False))
    boundary = readable(trials).query("task == 'T3_KB'").groupby("model", sort=False)
    rules = {"key_rule": 100 * boundary["credit"].mean(), "knows_rule": 100 * boundary["knows"].mean()}
    found = pd.DataFrame({**means, "of_slots": by_task, "slots": slots["score"].count(), **rules})
    found["of_slots"] = found["of_slots"].where(found["of_five"].notna())
    return found.reindex(wide.index).rename_axis("model").reset_index()


def _retested(trials: pd.DataFrame, scores: pd.DataFrame, at: Thresholds) -> pd.DataFrame:
    """A row a slot, ``model, task, score``: the scored replies of a task, and each of its retests that is whole."""
    rows = [scores[["model", "task", "score"]]]
    sizes = {(row.model, row.task): row.items for row in rows_of(scores)}
    again = trials[trials["sample"].isin(RETESTS)]
    for (model, task, _), own in again.groupby(["model", "task", "sample"], sort=False):
        key = (model, short(str(task)))
        if len(own) == sizes.get(key):
            score = float(rule_of(str(task), at)(*columns(own, str(task))))
            rows.append(pd.DataFrame([(*key, score)], columns=["model", "task", "score"]))
    return pd.concat(rows, ignore_index=True)


def thresholds_of(trials: pd.DataFrame) -> Thresholds:
    """The thresholds that the trials were collected under."""
    pairs = trials[["sigma_t", "range_t"]].drop_duplicates()
    if len(pairs) != 1:
        raise MetacogError(
            f"these trials of the probe hold {len(pairs)} pairs of thresholds: give the models of one panel "
            "the same `panel` in the profile and collect them together"
        )
    return Thresholds(*(float(x) for x in pairs.iloc[0]))


def t4_of(trials: pd.DataFrame) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """Models with a score of T4-CR, and their items."""
    for model, rows in readable(trials).groupby("model", sort=False):
        right, sure = columns(rows, "T4_CR")
        if right.size >= 2:
            yield str(model), right, sure


def sweep(trials: pd.DataFrame) -> pd.DataFrame:
    """T4-CR at the nine pairs of thresholds: ``model, sigma_t`` and one column per range threshold."""
    found = []
    for model, right, sure in t4_of(trials):
        for sigma in SIGMA_BAND.values():
            cells = {
                f"range_{name}": range_score(right, sure, sigma_t=sigma, range_t=r).score
                for name, r in RANGE_BAND.items()
            }
            found.append({"model": model, "sigma_t": sigma, **cells})
    return pd.DataFrame(found)
