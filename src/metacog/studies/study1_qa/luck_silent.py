"""Models whose confidence cannot be compared, in the tables of what confidence is made of: named, with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.studies.study1_qa.cells import Flag
from metacog.studies.study1_qa.luck_parts import DRAW, STATE, TABLES
from metacog.trials import SCORE

#: Why a model is left out that has a confidence for none of the questions for which the others have one.
APART = "no question for which the other models have a confidence too"
#: Columns that hold words.
_WORDS = ("model", "part", "first", "second", "of", "why")


def nothing_known(lowest: float, n_items: int) -> dict[str, Any]:
    """:func:`.luck_parts.self_knowledge` of a run in which no model has a confidence: tables without rows."""
    return {name: _table([], columns) for name, columns in TABLES.items()} | {
        "reference": lowest,
        "n_items": n_items,
    }


def apart(trials: pd.DataFrame, temperature: float) -> list[str]:
    """Models to leave out so that the others have a confidence for at least one same question at a temperature.

    Those with the fewest confidences come first; one model always stays.
    """
    sure = trials[(trials["temperature"] == temperature) & trials[SCORE].notna()]
    asked = {str(model): set(own) for model, own in sure.groupby("model", sort=False)["question_id"]}
    staying = sorted(asked, key=lambda model: len(asked[model]))
    out = []
    while len(staying) > 1 and not set.intersection(*(asked[model] for model in staying)):
        out.append(staying.pop(0))
    return out


def with_silent(found: Mapping[str, Any], trials: pd.DataFrame, silent: Mapping[str, str]) -> dict[str, Any]:
    """Tables with rows for models that they leave out because their confidence cannot be read or compared, and why.

    Accuracy alone has values in these rows.
    """
    if not silent:
        return dict(found)
    models = list(dict.fromkeys(trials["model"]))
    mine = trials[trials["model"].isin(silent)]
    right = mine.groupby(["model", "temperature"], sort=False)["correct"].agg(["mean"])
    at = [{"model": str(m), "temperature": float(t), "why": silent[str(m)]} for m, t in right.index]
    temperatures = sorted(float(t) for t in mine["temperature"].unique())
    parts = [
        row | {"part": part}
        for row in at
        for part in (STATE, *([DRAW] if row["temperature"] != found["reference"] else []))
    ]
    crossings = [
        {
            "first": one,
            "second": two,
            "temperature": t,
            "n_questions": 0,
            "why": silent.get(one) or silent[two],
        }
        for one, two in combinations(models, 2)
        if {one, two} & set(silent)
        for t in temperatures
    ]
    draws = [row | dict.fromkeys(("n_questions", "n_mixed", "n_draws", "n_single"), 0) for row in at]
    answers = [
        row | {"accuracy": mean, "n_questions": 0} for row, mean in zip(at, right["mean"], strict=True)
    ]
    return {
        **found,
        "parts": _with(found["parts"], parts, models),
        "crossings": _with(found["crossings"], crossings),
        "draws": _with(found["draws"], draws, models),
        "answers": _with(found["answers"], answers if len(temperatures) > 1 else [], models),
    }


def silent_rises(rises: pd.DataFrame, trials: pd.DataFrame, silent: Sequence[str]) -> pd.DataFrame:
    """The table of rises with rows for models without a readable confidence."""
    rows = []
    for model in silent:
        lowest, *others = sorted(
            float(t) for t in trials.loc[trials["model"] == model, "temperature"].unique()
        )
        about = {"model": model, "reference": lowest, "n": 0, "why": Flag.SILENT.value}
        rows += [about | {"temperature": t} for t in others]
    return _with(rises, rows, list(dict.fromkeys(trials["model"])))


def _with(table: pd.DataFrame, rows: Sequence[Mapping[str, Any]], models: Sequence[str] = ()) -> pd.DataFrame:
    """A table with further rows, by model in the order of the trials where there is one."""
    if not rows:
        return table
    more = _table(rows, list(table.columns))
    whole = pd.concat([table, more], ignore_index=True) if len(table) else more
    if not models:
        return whole
    return whole.sort_values(
        "model", key=lambda names: names.map(list(models).index), kind="stable", ignore_index=True
    )


def _table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table in which every column but those of words is one of numbers."""
    table = pd.DataFrame(list(rows), columns=list(columns))
    return table.astype({name: np.float64 for name in columns if name not in _WORDS})
