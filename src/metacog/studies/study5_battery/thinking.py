"""What of withdrawing differs between models that reason at length and their makers' others.

A delta counts in pairs: of a right and a wrong answer of one track, KEEP of the right one alone is a pair won, of both
or of none half a pair. So an AUROC2 of KEEP is one half and half the delta.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom, norm

from metacog.core.frames import ended
from metacog.measures.two_conditions import COLUMNS
from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study5_battery.deltas import COUNTED, counts, deltas, mean_difference
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE

#: Pairs of which the second reasons at length before it answers, by what pages call them.
PAIRS = {
    "Qwen3-Next 80B": ("Qwen 80B Inst", "Qwen 80B Think"),
    "DeepSeek R1 and V3.2": ("DeepSeek V3.2", "DeepSeek R1"),
}
#: One comparison is judged by itself, and among all pairs.
LEVELS = {"": 0.95, "together": 1 - 0.05 / len(PAIRS)}


@analysis(files=FILES)
def thinking_effects(inputs: Inputs) -> dict[str, Any]:
    """Do models that reason at length withdraw better than their makers' others?"""
    rows = load()
    rows = rows[rows["track"].isin(RETROSPECTIVE)]
    per_track = deltas(rows)
    effects, points = [], []
    for called, pair in PAIRS.items():
        off, on = (per_track[per_track["model"] == model] for model in pair)
        gap = {name: mean_difference(on, off, level) for name, level in LEVELS.items()}
        points.append({"pair": called, **ended("points", gap[""].estimate, *gap[""])})
        points[-1] |= {"together_lower": gap["together"].lower, "together_upper": gap["together"].upper}
        halves = [value / 2 for value in points[-1].values() if isinstance(value, float)][:3]
        about = {"set": "battery", "model": called, "signal": "whether it keeps its answer"}
        effects.append(about | ended("pairs", *halves) | ended("right", *more_right(rows, pair)))
    return {
        "effects": pd.DataFrame(effects, columns=list(COLUMNS)),
        "points": pd.DataFrame(points),
        "kept": kept(rows),
    }


def more_right(rows: pd.DataFrame, pair: tuple[str, str]) -> tuple[float, float, float]:
    """By how many points the second of a pair is right more often on the same items, with a 95 % interval."""
    right = rows.pivot(index=["track", "item"], columns="model", values="correct")[list(pair)].dropna()
    more = right[pair[1]].astype(float) - right[pair[0]].astype(float)
    half = 1.959964 * more.std() / np.sqrt(len(more))
    return tuple(100 * (more.mean() + one) for one in (0.0, -half, half))  # type: ignore[return-value]


def kept(rows: pd.DataFrame) -> pd.DataFrame:
    """How many of its right and of its wrong answers each model of the pairs keeps, in percent, all tracks together.

    For the second of a pair, ``habit`` is what it would keep of its wrong answers if it told them as well as the first
    does and only kept as many right ones as it does (equal variances), and ``as_many`` how often chance would then
    have it keep as many as it kept, or more.
    """
    both = dict.fromkeys(model for pair in PAIRS.values() for model in pair)
    table = counts(rows, by=("model",)).set_index("model").loc[list(both), COUNTED]
    n_right, n_wrong, right, wrong = (table[name].to_numpy(dtype=float) for name in COUNTED)
    made = pd.DataFrame(
        {"model": table.index, "n_wrong": n_wrong.astype(int), "kept_wrong": wrong.astype(int)}
    )
    for name, x, n in (("right", right, n_right), ("wrong", wrong, n_wrong)):
        ends = wilson(x / n, n)
        made = made.assign(
            **{name: 100 * x / n, f"{name}_lower": 100 * ends[0], f"{name}_upper": 100 * ends[1]}
        )
    made["delta"] = made["right"] - made["wrong"]
    z = norm.ppf(made[["right", "wrong"]].to_numpy() / 100)
    first = np.arange(0, len(made), 2)
    told = (z[first, 0] - z[first, 1])[:, None]
    habit = norm.cdf(z[first + 1, :1] - told)[:, 0]
    made.loc[first + 1, "habit"] = 100 * habit
    made.loc[first + 1, "as_many"] = 100 * binom.sf(wrong[first + 1] - 1, n_wrong[first + 1], habit)
    return made


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences are made of, of each pair: ``next`` and ``deep``."""
    found: dict[str, Any] = {}
    for i, name in enumerate(("next", "deep")):
        points = result.points.iloc[i].drop("pair")
        found |= {f"{name}_{column}": float(value) for column, value in points.items()}
        for when, row in zip(
            ("off", "on"), result.kept.iloc[2 * i : 2 * i + 2].to_dict("records"), strict=True
        ):
            shown = ("right", "wrong", "n_wrong", "kept_wrong", "delta", "habit", "as_many")
            found |= {f"{name}_{column}_{when}": row[column] for column in shown}
        found[f"{name}_by_habit"] = found[f"{name}_right_on"] - found[f"{name}_habit_on"]
    return found


VIEWS = Views("thinking_effects", numbers=numbers)
