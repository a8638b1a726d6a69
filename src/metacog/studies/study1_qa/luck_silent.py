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
    found: dict[str, Any] = {"reference": lowest, "n_items": n_items}
    for name, columns in TABLES.items():
        numbers = dict.fromkeys((one for one in columns if one not in _WORDS), np.float64)
        found[name] = pd.DataFrame(columns=list(columns)).astype(numbers)
    return found


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
    at = mine.groupby(["model", "temperature"], sort=False)["correct"].mean().rename("accuracy").reset_index()
    at = at.assign(why=at["model"].map(silent), n_questions=0)
    drawn = at[at["temperature"] != found["reference"]].assign(part=DRAW)
    parts = pd.concat([at.assign(part=STATE), drawn]).sort_index(kind="stable")
    crossings = [
        (one, two, t, 0, silent.get(one) or silent[two])
        for one, two in combinations(models, 2)
        if {one, two} & set(silent)
        for t in sorted(at["temperature"].unique())
    ]
    pairs = pd.DataFrame(crossings, columns=["first", "second", "temperature", "n_questions", "why"])
    several = at["temperature"].nunique() > 1
    return {
        **found,
        "parts": _with(found["parts"], parts.drop(columns="n_questions"), models),
        "crossings": _with(found["crossings"], pairs),
        "draws": _with(found["draws"], at.assign(n_mixed=0, n_draws=0, n_single=0), models),
        "answers": _with(found["answers"], at if several else at.iloc[:0], models),
    }


def silent_rises(rises: pd.DataFrame, trials: pd.DataFrame, silent: Sequence[str]) -> pd.DataFrame:
    """The table of rises with rows for models without a readable confidence."""
    asked = trials.loc[trials["model"].isin(silent), ["model", "temperature"]].drop_duplicates()
    asked["reference"] = asked.groupby("model")["temperature"].transform("min")
    rows = asked[asked["temperature"] > asked["reference"]].sort_values("temperature", kind="stable")
    return _with(rises, rows.assign(n=0, why=Flag.SILENT.value), list(dict.fromkeys(trials["model"])))


def _with(table: pd.DataFrame, more: pd.DataFrame, models: Sequence[str] = ()) -> pd.DataFrame:
    """A table with further rows, by model in the order of the trials where there is one."""
    if more.empty:
        return table
    more = more.reindex(columns=table.columns)
    numbers = dict.fromkeys((name for name in more if name not in _WORDS), np.float64)
    whole = pd.concat(
        [table, more.astype(numbers)] if len(table) else [more.astype(numbers)], ignore_index=True
    )
    if not models:
        return whole
    place = whole["model"].map(list(models).index)
    return whole.loc[place.sort_values(kind="stable").index].reset_index(drop=True)
