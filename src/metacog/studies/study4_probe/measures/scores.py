"""The five scores of a model, with intervals over items.

Every item counts. Confidence that was not stated, or cannot be read, counts as the middle of its scale: 50 in
T4-CR (the paper's rule) and, by the same rule of ours, 5.5 in T1-CC; how often is always said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.measures.estimates import Measured
from metacog.sdt.correlation import correlation_test
from metacog.sdt.intervals import percentile_limits, wilson
from metacog.studies.study4_probe.asking.thresholds import Thresholds
from metacog.studies.study4_probe.ledger.published import TASKS, short
from metacog.studies.study4_probe.measures.range_score import FLAT, NARROW

FloatArray = NDArray[np.float64]

#: What a missing confidence counts as.
MIDDLE: Mapping[str, float] = {"T1_CC": 5.5, "T4_CR": 50.0}
#: T1-CC without a correlation: one confidence throughout (the paper's rule), or all answers alike.
UNDEFINED = 50.0
#: Right and wrong answers below which the correlation of T1-CC hangs on single items.
FEWEST_OF_EACH = 3
#: Remark on a task in which no confidence could be read.
UNSTATED = "no confidence read"
#: Remark on a task in which every item has the same one.
CONSTANT = "one confidence throughout"
#: Name of the one measure of a task's cell.
SCORE = "score"


def scored(trials: pd.DataFrame) -> pd.DataFrame:
    """The replies that are scored: the first to each item.

    Raises
    ------
    MetacogError
        If there is none.
    """
    first = trials[trials["sample"] == 0]
    if first.empty:
        raise MetacogError("there are no scored replies of the probe (sample 0) among these trials")
    return first


def calibration(correct: FloatArray, confidence: FloatArray) -> FloatArray:
    """T1-CC of rows of items, shape (..., n): (r + 1)/2 x 100; 50 where r does not exist."""
    x = confidence - confidence.mean(axis=-1, keepdims=True)
    y = correct - correct.mean(axis=-1, keepdims=True)
    size = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    moving = (np.ptp(confidence, axis=-1) > 0) & (np.ptp(correct, axis=-1) > 0)
    r = np.divide((x * y).sum(axis=-1), size, out=np.zeros_like(size), where=moving)
    return np.asarray(np.where(moving, 50 * (np.clip(r, -1, 1) + 1), UNDEFINED), dtype=np.float64)


def calibration_range(correct: FloatArray, confidence: FloatArray, at: Thresholds | None) -> FloatArray:
    """T4-CR of rows of items, shape (..., n); without thresholds the zero-penalty score."""
    brier = 100 * (1 - ((confidence / 100 - correct) ** 2).mean(axis=-1))
    if at is None:
        return np.asarray(brier)
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
) -> Measured:
    """A statistic of two columns of items as a measured cell's :data:`SCORE`, with resamples of the items.

    Raises
    ------
    MetacogError
        Fewer than two items.
    """
    if first.size < 2:
        raise MetacogError("a score of the probe needs at least two items")
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    rows = rng.integers(0, first.size, (n_resamples, first.size))
    draws = statistic(first[rows], second[rows])
    values, bounds = {SCORE: float(statistic(first, second))}, {SCORE: percentile_limits(draws)}
    return Measured(values, bounds, (), {SCORE: draws})


def columns(rows: pd.DataFrame, task: str, *, strict: bool = False) -> tuple[FloatArray, FloatArray]:
    """Credit of a task's items, and confidence with the middle where none was read."""
    own = rows[rows["task"] == task]
    credit = own["credit_strict" if strict else "credit"].to_numpy(dtype=np.float64)
    return credit, own["stated"].fillna(MIDDLE.get(task, 0.0)).to_numpy(dtype=np.float64)


def rule_of(task: str, at: Thresholds) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """The rule by which a task is scored."""
    if task == "T1_CC":
        return calibration
    if task == "T4_CR":
        return lambda right, sure: calibration_range(right, sure, at)
    return mean_credit


def task_draws(rows: pd.DataFrame, task: str, at: Thresholds, *, n_resamples: int, seed: int) -> Measured:
    """One task's score of one model, on its items and on resamples of them; tasks draw independently."""
    return bootstrap(
        rule_of(task, at), *columns(rows, task), n_resamples=n_resamples, seed=(seed, list(TASKS).index(task))
    )


def profile(trials: pd.DataFrame, at: Thresholds, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """One row per model and task: ``model, task, score, lower, upper, p, items, right, unread, no_confidence, note``.

    ``right`` is the sum of credit, ``unread`` counts replies whose form failed, ``no_confidence`` stated
    confidences that are missing. ``p`` is, of T1-CC, the permutation p of stated confidence with correctness
    (Pearson's, two-sided) over the items with a stated one.
    """
    found = []
    for model, rows in scored(trials).groupby("model", sort=False):
        for task in TASKS:
            own = rows[rows["task"] == task]
            if len(own) < 2:
                continue
            got = task_draws(rows, task, at, n_resamples=n_resamples, seed=seed)
            low, high = _limits(got, own, task)
            found.append(
                {
                    "model": model,
                    "task": short(task),
                    "score": got.values[SCORE],
                    "lower": low,
                    "upper": high,
                    "p": _calibration_p(own, seed) if task == "T1_CC" else math.nan,
                    "items": len(own),
                    "right": float(own["credit"].sum()),
                    "unread": int((own["parse_status"] != "ok").sum()),
                    "no_confidence": float(own["stated"].isna().sum()) if task in MIDDLE else math.nan,
                    "note": _note(own, task),
                }
            )
    return pd.DataFrame(found)


def _calibration_p(own: pd.DataFrame, seed: int) -> float:
    stated = own.dropna(subset=["stated"])
    return correlation_test(stated["stated"], stated["credit"], seed=seed)[0]


def _limits(got: Measured, own: pd.DataFrame, task: str) -> tuple[float, float]:
    """Interval of a score; Wilson's where all items earned a point or none, and no resample can differ."""
    share = own["credit"].mean()
    if task in MIDDLE or share not in (0, 1):
        return got.bounds[SCORE]
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


def second_rule(trials: pd.DataFrame) -> pd.DataFrame:
    """T3-KB by both rules: ``model, key_rule, knows_rule``, as percentages."""
    rows = scored(trials)
    own = rows[rows["task"] == "T3_KB"].groupby("model", sort=False)
    return pd.DataFrame(
        {"key_rule": 100 * own["credit"].mean(), "knows_rule": 100 * own["knows"].mean()}
    ).reset_index()


def composites(scores: pd.DataFrame) -> pd.DataFrame:
    """``model, of_four, of_five, spread`` of a profile; NaN where a task is missing."""
    wide = scores.pivot(index="model", columns="task", values="score")
    wide = wide.reindex(index=scores["model"].unique(), columns=[short(t) for t in TASKS])
    four = wide.drop(columns=short("T3_KB"))
    return pd.DataFrame(
        {
            "of_four": four.mean(axis=1, skipna=False),
            "of_five": wide.mean(axis=1, skipna=False),
            "spread": wide.max(axis=1, skipna=False) - wide.min(axis=1, skipna=False),
        }
    ).reset_index()
