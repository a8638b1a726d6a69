"""What is in the rows of 83 models: what is missing, what nobody can have stated, runs at chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed, plural
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
MUCH, MUCH_IN_WORDS = 1 / 20, "one reply in twenty"
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


def answer(result: Result) -> str:
    """What the rows lack, and whether a larger share of models with thinking on lacks something than of the others."""
    lacks = result.runs["model"].isin(result.lacking["model"])
    thinks = result.runs["model"].str.endswith("-think")
    most = ", most often thinking ones" if lacks[thinks].mean() > lacks[~thinks].mean() else ""
    return (
        f"{len(result.lacking)} of {result.n_models} models lack an answer or one of three kinds of confidence in "
        f"more than {MUCH_IN_WORDS}{most}."
    )


def outside(result: Result) -> str:
    """Numbers outside 0 to 1, and runs that do no better than one letter throughout."""
    lost = result.runs[result.runs["at_chance"]]
    who, end = "Every model does better", ""
    if len(lost):
        named = listed(
            f"{m} ({right:.1%} right)" for m, right in lost[["model", "accuracy"]].itertuples(index=False)
        )
        several = len(lost) > 1
        who = f"{named} {'do' if several else 'does'} no better"
        end = f", and {'are' if several else 'is'} shown, but not counted"
    return (
        f"{result.n_stated_outside} stated numbers and {result.n_tone_outside} judgements of tone lie outside 0 to 1 "
        f"and count as missing. {who} than always answering the commonest letter would "
        f"({result.constant_share:.1%}){end}."
    )


def of_zeros(result: Result) -> str:
    """Whether stated zeros were stated."""
    table = result.zeros
    sure = table.loc[table["sounds_sure"], "model"].tolist()
    said = (
        f"Replies with a stated 0 are right less often than the others of {int(table['told'].sum())} of "
        f"{plural(len(table), 'model')} that have enough of them: there the number says something."
    )
    if not sure:
        return said
    return f"{said} But those of {listed(sure)} sound sure to the judge, so that the 0 may be nobody's word."


VIEWS = Views("reading", sentences={"answer": answer, "outside": outside, "of_zeros": of_zeros})
