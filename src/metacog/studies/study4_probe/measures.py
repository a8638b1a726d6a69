"""Scores of the probe and what is computed from them, for this run and for the published panel.

Every item counts in a score, and a reply whose form cannot be read earns nothing, as in the paper; but where fewer
replies to a task can be read than :data:`FEWEST_READ` there is no score, which would be one of form alone. Confidence
that was not stated, or cannot be read, counts as the middle of its scale: 50 in T4-CR (the paper's rule) and, by the
same rule of ours, 5.5 in T1-CC; how often is always said.

T4-CR's Brier score is taken apart (Murphy 1973), in points of the score:

    brier = reliability - resolution + uncertainty + remainder

so that 100 less the sum is T4-CR without penalties. The remainder is what bins hide; with a bin for each stated value
there is none.

Models of one family are not independent, for they share data and recipe: a statistic that turns when one family is
left out is a statistic of that family.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.forensics.resamples import mean_cosine
from metacog.measures.estimates import Measured
from metacog.sdt.calibration import brier_decomposition
from metacog.sdt.correlations import correlation_test, kendall
from metacog.sdt.intervals import percentile_limits, wilson
from metacog.sdt.type2 import auroc2
from metacog.studies.study4_probe import paper
from metacog.studies.study4_probe.asking.marking import SCALES
from metacog.studies.study4_probe.paper import FLASH, HEADLINE, TASKS, scores, short
from metacog.studies.study4_probe.range_score import FLAT, NARROW, Thresholds

# What table 1's forty scores say of the panel: composites, components, cosines, correlations.

#: Panels smaller than this get no components, cosines or correlations between tasks.
FEWEST_MODELS = 6
DROPPED = "Gemma 3 27B"


@dataclass(frozen=True)
class Components:
    """Principal components of the tasks' correlation matrix.

    Attributes
    ----------
    eigenvalues : array, shape (tasks,)
        Largest first.
    loadings : DataFrame
        Unit eigenvectors, tasks x components ``c1, c2, ...``. The sign of a component is arbitrary.
    share : float
        Share of variance of the first two.
    """

    eigenvalues: np.ndarray
    loadings: pd.DataFrame
    share: float


def components(table: pd.DataFrame) -> Components:
    """Components of models x tasks scores.

    Raises
    ------
    MetacogError
        Fewer than six models, or a task on which all score the same.
    """
    refuse_small(table)
    if (table.std() == 0).any():
        raise MetacogError("a task on which all models score the same has no correlations")
    values, vectors = np.linalg.eigh(np.corrcoef(table.to_numpy().T))
    order = np.argsort(-values, kind="stable")
    names = [f"c{i + 1}" for i in range(len(order))]
    loadings = pd.DataFrame(vectors[:, order], index=table.columns, columns=names)
    kept = values[order]
    return Components(kept, loadings, float(kept[:2].sum() / kept.sum()))


def refuse_small(table: pd.DataFrame) -> None:
    """Refuse statistics of a panel that is too small."""
    if len(table) < FEWEST_MODELS:
        there = "is 1" if len(table) == 1 else f"are {len(table)}"
        raise MetacogError(f"statistics of a panel need at least {FEWEST_MODELS} models; there {there}")


def same_sign(found: pd.Series, printed: pd.Series) -> pd.Series:
    """A component turned to the side of the printed one."""
    return found * (1.0 if float((found * printed).sum()) >= 0 else -1.0)


def without_one(table: pd.DataFrame) -> pd.DataFrame:
    """The panel without the model that the paper leaves out for comparison."""
    return table.drop(index=DROPPED)


def correlation(table: pd.DataFrame, first: str = "T1_CC", second: str = "T2_EV") -> float:
    """Pearson's r of two tasks over the models."""
    refuse_small(table)
    return float(np.corrcoef(table[first], table[second])[0, 1])


def cosines() -> pd.DataFrame:
    """Mean cosine of the models' profiles, with and without the model left out, in three ways.

    ``panel, raw, by_task, by_model``: the scores as they are, less each task's mean, less each model's mean;
    ``forced`` is -1/(n - 1), about which the second lies whatever the scores.
    """
    rows = []
    for name, table in (("all eight", scores()), (f"without {DROPPED}", without_one(scores()))):
        x = table.to_numpy()
        rows.append(
            {
                "panel": name,
                "raw": mean_cosine(x),
                "by_task": mean_cosine(x - x.mean(axis=0)),
                "by_model": mean_cosine(x - x.mean(axis=1, keepdims=True)),
                "forced": -1 / (len(x) - 1),
            }
        )
    return pd.DataFrame(rows)


def printed_composites() -> pd.DataFrame:
    """Means of the headline tasks and of all five, by model."""
    table = scores()
    return pd.DataFrame(
        {
            "mean_T1_T2_T4_T5": table[list(HEADLINE)].mean(axis=1),
            "mean_T1_T5": table[list(TASKS)].mean(axis=1),
        }
    )


NOBODY = "nobody"
#: Families that are one maker's, in addition to each family by itself.
SAME_MAKER: Mapping[str, tuple[str, ...]] = {"Gemini and Gemma": ("Gemini", "Gemma")}


def lineage(model: str) -> str:
    """The family a model's name begins with: its leading letters (``Claude``, ``GLM``, ``DeepSeek``).

    Raises
    ------
    MetacogError
        If the name begins with none.
    """
    found = re.match(r"[A-Za-z]+", model)
    if found is None:
        raise MetacogError(f"no lineage can be read from the model name {model!r}: begin it with the family")
    return found.group()


def groups_of(models: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Models by lineage, then by maker where a maker has several lineages among them."""
    found: dict[str, tuple[str, ...]] = {}
    for model in models:
        found[lineage(model)] = (*found.get(lineage(model), ()), model)
    for name, families in SAME_MAKER.items():
        if all(f in found for f in families):
            found[name] = tuple(m for f in families for m in found[f])
    return found


def leave_out(table: pd.DataFrame) -> pd.DataFrame:
    """The panel's figures without each lineage.

    Parameters
    ----------
    table : DataFrame
        Scores, models x the five tasks.

    Returns
    -------
    DataFrame
        ``left_out, models`` (those left out), ``n`` (left), ``leader`` (highest mean of the headline tasks),
        ``r`` (T1-CC with T2-EV), ``tau`` (mean tau-b of all pairs of tasks), ``share`` (variance of the first
        two components, in percent), ``c1, c2`` (size of the cosine of each of them with that of the whole
        panel) and ``why`` figures are missing. The first row leaves nobody out.

    Raises
    ------
    MetacogError
        If the whole panel is too small.
    """
    whole = components(table)
    rows = []
    for name, models in {NOBODY: (), **groups_of([str(m) for m in table.index])}.items():
        left = table.drop(index=list(models))
        row = {
            "left_out": name,
            "models": "; ".join(models),
            "n": len(left),
            "leader": str(left[list(HEADLINE)].mean(axis=1).idxmax()) if len(left) else "",
            **dict.fromkeys(("r", "tau", "share", "c1", "c2"), np.nan),
            "why": "",
        }
        try:
            row |= _figures(left, whole)
        except MetacogError as refused:
            row["why"] = str(refused)
        rows.append(row)
    return pd.DataFrame(rows)


def _figures(left: pd.DataFrame, whole: Components) -> dict[str, float]:
    without = components(left)
    taus = [kendall(left[a], left[b]).tau for a, b in combinations(TASKS, 2)]
    alike = {c: abs(float((without.loadings[c] * whole.loadings[c]).sum())) for c in ("c1", "c2")}
    return {
        "r": correlation(left),
        "tau": float(np.mean(taus)),
        "share": 100 * without.share,
        **alike,
    }


FloatArray = NDArray[np.float64]

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
    (Pearson's, two-sided) over the items with a stated one. A task of which too few replies can be read
    (:data:`FEWEST_READ`) has no score, and its ``note`` says so.
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
                got = task_draws(rows, task, at, n_resamples=n_resamples, seed=seed)
                score, (low, high), note = got.values[SCORE], _limits(got, own, task), _note(own, task)
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
                    "no_confidence": float(own["stated"].isna().sum()) if task in MIDDLE else math.nan,
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
    rows = readable(trials)
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


#: Bins of equal width.
BINS = 10
BINNINGS = {"unique": "each value stated", "width": f"{BINS} of equal width"}


def decompositions(model: str, correct: np.ndarray, confidence: np.ndarray) -> pd.DataFrame:
    """Murphy's terms of one model, one row per binning, in points of 100.

    Parameters
    ----------
    correct : array of 0/1, shape (n,)
    confidence : array, shape (n,)
        In percent.

    Returns
    -------
    DataFrame
        ``model, binning, bins`` (in use), ``n, right`` (percent), ``loss`` (100 times the Brier score),
        ``reliability, resolution, uncertainty, remainder`` (variance less covariance within bins), ``score``
        (100 less these, put together again), ``reliability_0, resolution_0`` (less the bias of few items;
        Ferro & Fricker 2012), ``skill`` and ``auroc2``, which has the direction that resolution lacks (NaN where
        all answers are alike).
    """
    area = auroc2(correct, confidence) if 0 < np.mean(correct) < 1 else float("nan")
    rows = []
    for binning, name in BINNINGS.items():
        p = np.asarray(confidence, dtype=np.float64) / 100
        own = brier_decomposition(correct, p, n_bins=BINS, binning=binning)
        bare = brier_decomposition(correct, p, n_bins=BINS, binning=binning, debiased=True)
        remainder = own.within_bin_variance - own.within_bin_covariance
        rows.append(
            {
                "model": model,
                "binning": name,
                "bins": own.n_bins,
                "n": len(p),
                "right": 100 * float(np.mean(correct)),
                "loss": 100 * own.brier,
                "reliability": 100 * own.reliability,
                "resolution": 100 * own.resolution,
                "uncertainty": 100 * own.uncertainty,
                "remainder": 100 * remainder,
                "score": 100 - 100 * (own.reliability - own.resolution + own.uncertainty + remainder),
                "reliability_0": 100 * bare.reliability,
                "resolution_0": 100 * bare.resolution,
                "skill": own.skill,
                "auroc2": area,
            }
        )
    return pd.DataFrame(rows)


def of_run(trials: pd.DataFrame) -> pd.DataFrame:
    """The terms of each model of a run; a confidence that was not stated counts as 50."""
    parts = []
    for model, rows in readable(trials).groupby("model", sort=False):
        right, sure = columns(rows, "T4_CR")
        if right.size >= 2:
            parts.append(decompositions(str(model), right, sure))
    return pd.concat(parts, ignore_index=True) if parts else flash_terms().iloc[:0]


def flash_terms() -> pd.DataFrame:
    """The terms of Flash's twelve printed items."""
    return decompositions(FLASH, *paper.flash_items())


# Strategies of stating confidence: constant, near the ceiling, two-valued or graded, by a stated rule.

STATES_NONE, STATES_ONE, CEILING, TWO, GRADED = (
    "not stated",
    "constant",
    "near the ceiling",
    "two-valued",
    "graded",
)


@dataclass(frozen=True)
class Rule:
    """Where the classes begin; the first that fits is taken.

    *Not stated*: fewer than ``fewest`` confidences were stated, or less than half. *Constant*: one value.
    *Near the ceiling*: a share ``most`` lies at ``ceiling`` times the top of the scale or above.
    *Two-valued*: the two commonest values make up a share ``most``. *Graded*: all else.

    Attributes
    ----------
    most : float
        Above 0.5, at most 1.
    ceiling : float
        Between 0 and 1.
    fewest : int
        At least 2.
    """

    most: float = 0.9
    ceiling: float = 0.9
    fewest: int = 3

    def __post_init__(self) -> None:
        if not (0.5 < self.most <= 1 and 0 < self.ceiling <= 1 and self.fewest >= 2):
            raise MetacogError(
                "a strategy's rule needs 0.5 < most <= 1, 0 < ceiling <= 1 and fewest of at least 2; got "
                f"{self.most}, {self.ceiling} and {self.fewest}"
            )


RULE = Rule()
#: Other shares at which the class is looked at again.
STRICT, LOOSE = replace(RULE, most=1.0), replace(RULE, most=0.8)


def strategy(stated: ArrayLike, top: float, rule: Rule = RULE) -> str:
    """The class of a list of stated confidences.

    Parameters
    ----------
    stated : array_like, shape (n,)
        On the task's own scale; NaN where none was stated.
    top : float
        Highest value of the scale.

    Raises
    ------
    MetacogError
        If a confidence lies above the top of the scale or below 0.
    """
    every = np.asarray(stated, dtype=np.float64)
    values = every[np.isfinite(every)]
    if values.size and not (values.min() >= 0 and values.max() <= top):
        raise MetacogError(f"a confidence lies outside its scale, 0 to {top:g}")
    if values.size < rule.fewest or 2 * values.size < every.size:
        return STATES_NONE
    counts = np.sort(np.unique(values, return_counts=True)[1])[::-1]
    if counts.size == 1:
        return STATES_ONE
    if np.mean(values >= rule.ceiling * top) >= rule.most:
        return CEILING
    return TWO if counts[:2].sum() >= rule.most * values.size else GRADED


def _row(model: str, task: str, stated: pd.Series) -> dict[str, object]:
    top = SCALES[task][1]
    values = stated.dropna()
    return {
        "model": model,
        "task": short(task),
        "items": len(stated),
        "stated": len(values),
        "values": int(values.nunique()),
        "commonest": float(values.value_counts(normalize=True).iloc[0]) if len(values) else np.nan,
        "at_top": float((values >= RULE.ceiling * top).mean()) if len(values) else np.nan,
        "strategy": strategy(stated, top),
        "strict": strategy(stated, top, STRICT),
        "loose": strategy(stated, top, LOOSE),
    }


def table(trials: pd.DataFrame) -> pd.DataFrame:
    """The strategy of each model on each task with a confidence.

    Returns
    -------
    DataFrame
        ``model, task, items, stated, values`` (different ones), ``commonest`` and ``at_top`` (share of stated
        confidences that have the commonest value, that lie near the top), ``strategy``, and what it would be
        with all (``strict``) or four in five (``loose``) in place of nine in ten.
    """
    first = scored(trials)
    return pd.DataFrame(
        [
            _row(str(model), task, rows.loc[rows["task"] == task, "stated"])
            for model, rows in first.groupby("model", sort=False)
            for task in SCALES
            if (rows["task"] == task).any()
        ]
    )


def flash_strategies() -> pd.DataFrame:
    """The same of Flash's twelve printed items."""
    _, sure = paper.flash_items()
    return pd.DataFrame([_row(FLASH, "T4_CR", pd.Series(sure))])
