"""The experiment with confidence on the models of the run: tables, measures and signals of confidence.

Cells are small, so 1/(2K) is added to every count, with K levels of confidence (the log-linear rule of Hautus
1995 for hits and false alarms): a rate of 0 or 1 then leaves d' finite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.models import labels_of
from metacog.collect.plan import settings_of
from metacog.core.frames import ended, typed_rows, with_ends
from metacog.report.views import Views
from metacog.sdt import auroc2_interval
from metacog.sdt.area_intervals import delong_paired
from metacog.sdt.bootstrap import MetaDBootstrap, bootstrap_meta_d_many
from metacog.sdt.meta_d import fittable
from metacog.sdt.sensitivity import padding
from metacog.sdt.simulate import counts_from_trials
from metacog.sdt.type1 import type1
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.cells import by_confidence
from metacog.studies.study2_two_choice.paper import CONFIDENCE, Ratings, stacked
from metacog.studies.study2_two_choice.paper import TASKS as NAMES
from metacog.studies.study2_two_choice.settings import TASKS

#: Ratings per side, unless a run asks on another scale.
K = len(CONFIDENCE)
#: The signal that is about the option that the model prefers, which need not be the one that was drawn.
OF_OPTION = "p_preferred"
#: Signals of confidence that a trial may carry, and what readers call them.
SIGNALS = {
    "rating": "the digit given",
    "expected_confidence": "the mean over the digits",
    "p_decision": "the probability of the decision",
    OF_OPTION: "the probability of the preferred option",
}
_CELL = {"task": "str", "model": "str"}
#: Columns of :func:`fitted`.
FITTED = {
    **_CELL,
    **dict.fromkeys(with_ends("d_prime", "meta_d", "m_ratio"), "float64"),
    "levels": "int64",
    **dict.fromkeys(("near_chance", "padded"), "bool"),
}
#: Columns of :func:`unfitted`.
UNFITTED = _CELL | dict.fromkeys(("asked", "decided", "usable"), "int64") | {"why": "str"}
#: Columns of :func:`signals`.
COMPARED = {
    **_CELL,
    "signal": "str",
    **dict.fromkeys(("n", "right"), "int64"),
    **dict.fromkeys(with_ends("auroc2", "gain"), "float64"),
}
#: Columns of :func:`draws`.
DRAWS = _CELL | dict.fromkeys(("wrong", "wrong_against"), "int64")


@analysis(needs=("confidence",))
def replication_ratings(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, fewest: int = 10
) -> dict[str, Any]:
    """Do the models of this run know when they are right?"""
    trials = inputs.trials("confidence")
    tables = rating_cells(trials, levels_of(inputs))
    cells = with_labels(fitted(tables, n_resamples, seed))
    of_signals = signals(trials)
    read_from = of_signals["signal"].map(SIGNALS).astype("str")
    return {
        "cells": cells,
        "unfitted": with_labels(unfitted(trials, cells)),
        "signals": with_labels(of_signals.assign(read_from=read_from)),
        "draws": with_labels(draws(trials)),
        "accuracy": with_labels(by_confidence(tables, fewest)),
    }


def usable(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials whose reply was understood, ``response`` (and ``rating``, if there is one) as whole numbers."""
    kept = trials[trials["parse_status"] == "ok"]
    whole = {name: "int64" for name in ("response", "rating") if name in kept}
    return kept.astype(whole).reset_index(drop=True)


def groups(trials: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Usable trials of each task and model, tasks in order, models as met."""
    kept = usable(trials)
    for task in TASKS:
        for model, part in kept[kept["task"] == task].groupby("model", sort=False):
            yield task, str(model), part


def with_labels(frame: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``name``, the label of the row's model, and ``task_name`` where they have a task."""
    found = frame.assign(name=frame["model"].map(labels_of(frame["model"])).astype("str"))
    return found.assign(task_name=found["task"].map(NAMES).astype("str")) if "task" in found else found


def levels_of(inputs: Inputs) -> int:
    """Levels of confidence that the run asks on."""
    return int(settings_of(inputs.study, inputs.profile).scale)


def pad_of(levels: int) -> float:
    """What is added to every count, by the number of levels of confidence."""
    return 1 / (2 * levels)


def rating_cells(trials: pd.DataFrame, levels: int = K) -> tuple[Ratings, ...]:
    """Tables of the cells that have usable trials of both stimuli, and not all of one decision and rating.

    There may be none; :func:`unfitted` says why of each cell.
    """
    found = []
    for task, model, part in groups(trials):
        rating, side = part["rating"].to_numpy(), part["response"].to_numpy()
        placed = np.where(side == 1, levels + rating, levels + 1 - rating)  # surest S1 ... surest S2
        s1, s2 = counts_from_trials(part["stimulus"], placed, levels)
        if s1.any() and s2.any() and ((s1 + s2) > 0).sum() > 1:
            found.append(Ratings(task, model, s1, s2))
    return tuple(found)


def unfitted(trials: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """The cells that were asked and are not among the fitted ``cells``, and ``why`` they have no table of ratings.

    Of the ``asked`` trials, how many are ``decided`` and how many ``usable`` (with a decision and a rating).
    """
    have = set(zip(cells["task"], cells["model"], strict=True))
    rows = []
    for (task, model), part in trials.groupby(["task", "model"], sort=False):
        if (task, model) not in have:
            kept = usable(part)
            counts = len(part), int(part["response"].notna().sum()), len(kept)
            if kept.empty:
                why = "no reply has both a decision and a rating"
            elif kept["stimulus"].nunique() < 2:
                why = "only replies to one of the two kinds of sentence can be used"
            else:
                why = "the same decision and the same rating were given throughout"
            rows.append(dict(zip(UNFITTED, (task, model, *counts, why), strict=True)))
    return typed_rows(rows, UNFITTED)


def fitted(cells: Sequence[Ratings], n_resamples: int, seed: int) -> pd.DataFrame:
    """Measures of each cell with limits, no row where there is none; without resamples those that need none.

    With one of the ``levels`` of ratings, or where d' is 0 to the last trial, meta-d' and M-ratio are NaN;
    ``near_chance``: the interval of d' reaches 0; ``padded``: what is added to every count determines d' or M-ratio
    (:mod:`metacog.sdt.sensitivity`), so that nothing has an interval.
    """
    if not cells:
        return typed_rows([], FITTED)
    s1, s2 = stacked(cells)
    pad = pad_of(s1.shape[1] // 2)
    known = np.flatnonzero(fittable(s1, s2, pad=pad))
    boots: dict[int, MetaDBootstrap] = {}
    if known.size and n_resamples:
        many = bootstrap_meta_d_many(
            s1[known], s2[known], n_resamples=n_resamples, seed=seed, pad=pad, scheme="stratified"
        )
        boots = dict(zip(known.tolist(), many, strict=True))
    return typed_rows([_row(cell, boots.get(i)) for i, cell in enumerate(cells)], FITTED)


def unjudged(cells: pd.DataFrame) -> pd.Series:
    """Why the M-ratio of each cell of :func:`fitted` cannot be judged; empty where it can."""
    reasons = {
        "the same rating throughout": cells["levels"] < 2,
        "determined by what is added to every count": cells["padded"].astype(bool),
        "d' may be 0": cells["near_chance"].astype(bool),
    }
    return pd.Series(np.select(list(reasons.values()), list(reasons), default=""), index=cells.index)


def _row(cell: Ratings, boot: MetaDBootstrap | None) -> dict[str, Any]:
    one = type1(cell.nR_S1, cell.nR_S2, correction="loglinear")
    by_level, k = cell.nR_S1 + cell.nR_S2, cell.nR_S1.size // 2
    levels = int(((by_level[:k][::-1] + by_level[k:]) > 0).sum())
    made = padding(cell.nR_S1[None], cell.nR_S2[None], pad=pad_of(k))
    padded = made.sensitive[0] if levels > 1 else made.d_prime_move[0] > made.d_prime_se[0]
    half = one.half_width("d_prime")
    found = ended("d_prime", one.d_prime, one.d_prime - half, one.d_prime + half)
    for name in ("meta_d", "m_ratio"):
        values = (float("nan"),) * 3
        if boot and levels > 1:  # with one digit, what was added to the counts would be fitted
            values = (getattr(boot.estimate, name), *getattr(boot, f"ci_{name}"))
        found |= ended(name, *values)
    if padded:
        found |= {name: float("nan") for name in found if name.endswith(("_lower", "_upper"))}
    near_chance = bool(one.d_prime - half <= 0)
    found |= {"levels": levels, "near_chance": near_chance, "padded": bool(padded)}
    return {"task": cell.task, "model": cell.model, **found}


def signals(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of every signal of confidence, and its difference from that of the digit given.

    The preferred option is judged by whether it is right itself: what the model would say without a draw. The
    difference is that of DeLong et al. (1988) on the same answers; NaN where it cannot be determined.
    """
    rows = []
    for task, model, part in groups(trials):
        right, p = part["correct"].astype(bool), part["p_decision"]
        for name in SIGNALS:
            correct, score = (
                (right ^ (p < 0.5), p.where(p >= 0.5, 1 - p)) if name == OF_OPTION else (right, part[name])
            )
            row = dict.fromkeys(COMPARED, float("nan")) | {"task": task, "model": model, "signal": name}
            row |= {"n": int(score.notna().sum()), "right": int(correct.sum())}
            if score.notna().all() and correct.nunique() > 1:
                area = auroc2_interval(correct, score)
                row |= ended("auroc2", area.estimate, *area)
                if name not in ("rating", OF_OPTION):
                    pair = delong_paired(correct, score, part["rating"])
                    row |= ended("gain", pair.difference, pair.lower, pair.upper)
            rows.append(row)
    return typed_rows(rows, COMPARED)


def draws(trials: pd.DataFrame) -> pd.DataFrame:
    """How much of what the probability of a decision tells is the luck of its draw, by task and model.

    Decisions that are ``wrong``, and how many of them are against the model's own preference (their probability is
    below one half).
    """
    rows = []
    for task, model, part in groups(trials):
        if part["p_decision"].notna().all():
            wrong = ~part["correct"].astype(bool)
            counts = int(wrong.sum()), int((wrong & (part["p_decision"] < 0.5)).sum())
            rows.append(dict(zip(DRAWS, (task, model, *counts), strict=True)))
    return typed_rows(rows, DRAWS)


def figures(result: Any) -> dict[str, Any]:
    """In how many cases (NaN for none) each signal tells right from wrong, and orders answers better than the digit."""
    wrong, against = (int(result.draws[name].sum()) for name in ("wrong", "wrong_against"))
    found: dict[str, Any] = {"wrong": wrong, "against": against}
    for signal in SIGNALS:
        own = result.signals[result.signals["signal"].eq(signal) & result.signals["auroc2"].notna()]
        found |= {
            f"{signal}_n": len(own) or float("nan"),
            f"{signal}_clear": int((own["auroc2_lower"] > 0.5).sum()),
            f"{signal}_better": int((own["gain_lower"] > 0).sum()),
            f"{signal}_worse": int((own["gain_upper"] < 0).sum()),
        }
    return found


VIEWS = (Views("replication_ratings", numbers=figures),)
