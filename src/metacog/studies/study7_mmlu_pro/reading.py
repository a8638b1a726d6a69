"""What is in the rows of 83 models: what is missing, what nobody can have stated, variants, runs at chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.core.frames import ended, with_ends
from metacog.sdt import difference_of_shares, wilson
from metacog.studies.study import analysis
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

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: A run that lacks more than this share of something is shown.
MUCH, MUCH_IN_WORDS = 1 / 20, "one reply in twenty"
#: What a reply can lack: an answer, and each kind of confidence.
LACKS = ("no_answer", "no_stated", "no_tokens", "no_tone")
#: A reply that sounds more sure than this sounds more sure than not.
SURE = 0.5
#: Columns of :attr:`Reading.zeros`.
ZEROS = (
    "model",
    "zeros",
    "unanswered",
    "right_at_zero",
    "right_elsewhere",
    *with_ends("difference"),
    "tone_at_zero",
    "tone_elsewhere",
    "told",
    "sounds_sure",
)
#: Zeros with an answer without which it is not asked whether they were stated.
FEWEST_ZEROS = 100


@dataclass(frozen=True)
class Reading:
    """The rows, and what to know of them before anything is computed.

    Attributes
    ----------
    runs : DataFrame
        One row per model: ``model, family, variants`` (runs of the same weights, itself included), ``accuracy`` of the
        answers that were found with Wilson's limits, ``accuracy_all`` where a reply without an answer counts as wrong,
        ``no_answer``; of each signal the shares that are missing and the numbers outside 0 to 1:
        ``no_stated, no_tokens, no_tone, stated_outside, tone_outside``; ``levels`` of stated numbers, the most frequent
        (``top``) and its share (``top_share``); ``at_chance``.
    zeros : DataFrame
        Models with at least :data:`FEWEST_ZEROS` answers at a stated 0: ``model, zeros``; ``unanswered`` (share of all
        zeros in replies without an answer), ``right_at_zero, right_elsewhere, difference`` with ends, ``tone_at_zero,
        tone_elsewhere`` (means), ``told`` (whether such answers are right less often, by the interval), ``sounds_sure``
        (whether such replies sound more sure than not, which the number denies).
    n_rows, n_models, n_families, n_weights, n_items, n_source_files : int
    n_stated_outside, n_tone_outside : int
    lacking : DataFrame
        The runs that lack an answer or a kind of confidence in more than :data:`MUCH` of their replies, most first.
    n_lacking : int
    n_without_tokens : int
        Models without any token probability.
    constant_share : float
        Share of items that whoever always answers the commonest letter gets right: what a run must beat.
    at_chance : tuple of str
        Models that do not.
    """

    runs: pd.DataFrame
    zeros: pd.DataFrame
    lacking: pd.DataFrame
    n_rows: int
    n_models: int
    n_families: int
    n_weights: int
    n_items: int
    n_stated_outside: int
    n_tone_outside: int
    n_lacking: int
    n_without_tokens: int
    constant_share: float
    at_chance: tuple[str, ...]


def runs_of(rows: Rows) -> pd.DataFrame:
    """What each run holds and lacks: :attr:`Reading.runs`."""
    found = rows.answer >= 0
    n_found = found.sum(axis=1)
    accuracy = rows.right.sum(axis=1) / np.maximum(n_found, 1)
    lower, upper = wilson(accuracy, np.maximum(n_found, 1))
    missing = {signal: np.isnan(rows.signals[signal]).mean(axis=1) for signal in SIGNALS}
    outside = {
        signal: ((rows.signals[signal] < 0) | (rows.signals[signal] > 1)).sum(axis=1) for signal in SIGNALS
    }
    tops = [_commonest(row) for row in rows.usable(STATED)]
    return pd.DataFrame(
        {
            "model": rows.models["model"],
            "family": rows.models["family"],
            "variants": rows.models.groupby("weights")["model"].transform("size"),
            "accuracy": accuracy,
            "accuracy_lower": lower,
            "accuracy_upper": upper,
            "accuracy_all": rows.right.mean(axis=1),
            "no_answer": 1 - found.mean(axis=1),
            "no_stated": missing[STATED],
            "no_tokens": missing[TOKENS],
            "no_tone": missing[TONE],
            "stated_outside": outside[STATED],
            "tone_outside": outside[TONE],
            "levels": [levels for levels, _, _ in tops],
            "top": [top for _, top, _ in tops],
            "top_share": [share for _, _, share in tops],
            "at_chance": at_chance(rows),
        }
    )


def _commonest(values: np.ndarray) -> tuple[int, float, float]:
    """How many values differ, the most frequent one, and its share; missing ones left out."""
    levels, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    if not levels.size:
        return 0, np.nan, np.nan
    return levels.size, float(levels[counts.argmax()]), float(counts.max() / counts.sum())


def zeros_of(rows: Rows) -> pd.DataFrame:
    """Whether a stated 0 says anything of an answer: :attr:`Reading.zeros`.

    A number that a parser puts in where it finds none stands beside right and wrong answers alike. One that the model
    wrote stands beside answers that are right less often.
    """
    stated, tone, found = rows.signals[STATED], rows.usable(TONE), rows.answer >= 0
    lines = []
    for j, model in enumerate(rows.models["model"]):
        zero = found[j] & (stated[j] == 0)
        other = found[j] & np.isfinite(stated[j]) & ~zero
        if zero.sum() < FEWEST_ZEROS or not other.any():
            continue
        right = rows.right[j]
        gap = difference_of_shares(
            int(right[zero].sum()), int(zero.sum()), int(right[other].sum()), int(other.sum())
        )
        lines.append(
            {
                "model": model,
                "zeros": int(zero.sum()),
                "unanswered": float((~found[j])[stated[j] == 0].mean()),
                "right_at_zero": float(right[zero].mean()),
                "right_elsewhere": float(right[other].mean()),
                **ended("difference", gap.estimate, gap.lower, gap.upper),
                "tone_at_zero": _mean(tone[j][zero]),
                "tone_elsewhere": _mean(tone[j][other]),
                "told": gap.upper < 0,
                "sounds_sure": _mean(tone[j][zero]) > SURE,
            }
        )
    made = pd.DataFrame(lines, columns=list(ZEROS))
    return made.sort_values("zeros", ascending=False, kind="stable").reset_index(drop=True)


def _mean(values: np.ndarray) -> float:
    there = values[np.isfinite(values)]
    return float(there.mean()) if there.size else np.nan


def read(rows: Rows) -> Reading:
    """What is in some rows."""
    runs = runs_of(rows)
    without = runs["no_tokens"] == 1
    most = runs[list(LACKS)].max(axis=1)
    order = most.sort_values(ascending=False, kind="stable").index
    lacking = runs.loc[order][most[order] > MUCH]
    return Reading(
        runs=runs,
        zeros=zeros_of(rows),
        lacking=lacking,
        n_rows=rows.answer.size,
        n_models=len(runs),
        n_families=int(runs["family"].nunique()),
        n_weights=int(rows.models["weights"].nunique()),
        n_items=rows.key.size,
        n_stated_outside=int(runs["stated_outside"].sum()),
        n_tone_outside=int(runs["tone_outside"].sum()),
        n_lacking=len(lacking),
        n_without_tokens=int(without.sum()),
        constant_share=constant_share(rows),
        at_chance=tuple(runs.loc[runs["at_chance"], "model"]),
    )


@analysis(returns=Reading, files=FILES)
def reading(inputs: Inputs) -> Reading:
    """What is in the rows of 83 models?"""
    return read(load())
