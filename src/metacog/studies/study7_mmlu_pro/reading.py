"""What is in the rows of 83 models: what is missing, what nobody can have stated, runs at chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt import difference_of_shares
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study7_mmlu_pro.rows import (
    FILES,
    SIGNALS,
    STATED,
    TOKENS,
    TONE,
    Rows,
    at_chance,
    constant_share,
    load,
)

#: A run that lacks more than this share of something is shown.
MUCH = 1 / 20
#: What a reply can lack: an answer, and each kind of confidence.
LACKS = ("no_answer", "no_stated", "no_tokens", "no_tone")
#: A reply that sounds more sure than this sounds more sure than not.
SURE = 0.5
#: Zeros with an answer without which it is not asked whether they were stated.
FEWEST_ZEROS = 100
#: Columns of what is said of zeros.
ZEROS = (
    *("model", "zeros", "unanswered", "right_at_zero", "right_elsewhere", "tone_at_zero", "tone_elsewhere"),
    *("told", "sounds_sure"),
)


@analysis(files=FILES)
def reading(inputs: Inputs, rows: Rows | None = None) -> dict[str, Any]:
    """What is in the rows of 83 models?"""
    rows = rows or load()
    runs = runs_of(rows)
    most = runs[list(LACKS)].max(axis=1).sort_values(ascending=False, kind="stable")
    outside = {s: int(((rows.signals[s] < 0) | (rows.signals[s] > 1)).sum()) for s in (STATED, TONE)}
    lacking = runs.loc[most.index[most > MUCH]]
    return {
        "runs": runs,
        "lacking": lacking,
        "zeros": zeros_of(rows),
        "n_models": len(runs),
        "n_families": int(rows.models["family"].nunique()),
        "n_weights": int(rows.models["weights"].nunique()),
        "n_items": rows.key.size,
        "n_stated_outside": outside[STATED],
        "n_tone_outside": outside[TONE],
        "n_without_tokens": int((runs["no_tokens"] == 1).sum()),
        "constant_share": constant_share(rows),
    }


def runs_of(rows: Rows) -> pd.DataFrame:
    """Of each run, the share of found answers that are right, the shares of what it lacks, and if it is at chance."""
    found = rows.answer >= 0
    missing = {signal: np.isnan(rows.signals[signal]).mean(axis=1) for signal in SIGNALS}
    return pd.DataFrame(
        {
            "model": rows.models["model"],
            "accuracy": rows.right.sum(axis=1) / np.maximum(found.sum(axis=1), 1),
            "no_answer": 1 - found.mean(axis=1),
            "no_stated": missing[STATED],
            "no_tokens": missing[TOKENS],
            "no_tone": missing[TONE],
            "at_chance": at_chance(rows),
        }
    )


def zeros_of(rows: Rows) -> pd.DataFrame:
    """Whether a stated 0 says anything of an answer, of models with :data:`FEWEST_ZEROS` of them.

    A number that a parser puts in where it finds none stands beside right and wrong answers alike. One that the model
    wrote stands beside answers that are right less often (``told``, by the interval of the difference).
    """
    stated, tone, found = rows.signals[STATED], rows.usable(TONE), rows.answer >= 0
    lines = []
    for j, model in enumerate(rows.models["model"]):
        zero = found[j] & (stated[j] == 0)
        other = found[j] & np.isfinite(stated[j]) & ~zero
        if zero.sum() < FEWEST_ZEROS or not other.any():
            continue
        right, n = rows.right[j], (int(zero.sum()), int(other.sum()))
        gap = difference_of_shares(int(right[zero].sum()), n[0], int(right[other].sum()), n[1])
        shares = (
            float((~found[j])[stated[j] == 0].mean()),
            float(right[zero].mean()),
            float(right[other].mean()),
        )
        sounds = _mean(tone[j][zero]), _mean(tone[j][other])
        lines.append((model, n[0], *shares, *sounds, gap.upper < 0, sounds[0] > SURE))
    made = pd.DataFrame(lines, columns=list(ZEROS))
    return made.sort_values("zeros", ascending=False, kind="stable", ignore_index=True)


def _mean(values: np.ndarray) -> float:
    there = values[np.isfinite(values)]
    return float(there.mean()) if there.size else np.nan


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: models that lack something or are at chance, and what stated zeros say."""
    lacks = result.runs["model"].isin(result.lacking["model"])
    thinks = result.runs["model"].str.endswith("-think")
    lost = result.runs[result.runs["at_chance"]]
    return {
        "n_lacking": int(lacks.sum()),
        "lacking_thinking": float(lacks[thinks].mean()),
        "lacking_rest": float(lacks[~thinks].mean()),
        "at_chance": listed(lost["model"]),
        "at_chance_right": 100 * float(lost["accuracy"].max()),
        "one_letter": 100 * result.constant_share,
        "n_zeros": len(result.zeros),
        "n_zeros_told": int(result.zeros["told"].sum()),
        "zeros_sure": listed(result.zeros.loc[result.zeros["sounds_sure"], "model"]),
    }


VIEWS = Views("reading", numbers=numbers)
