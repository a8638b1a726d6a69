"""Models whose confidence cannot be compared, in the tables of what confidence is made of: named, with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.measures.reference_answers import REFERENCE_COLUMNS
from metacog.measures.self_knowledge import (
    CROSSING_COLUMNS,
    DRAW,
    LUCK_COLUMNS,
    PART_COLUMNS,
    STATE,
    SelfKnowledge,
)
from metacog.studies.study1_qa.cells.flags import Flag
from metacog.trials.signals import SCORE

#: Why a model is left out that has a confidence for none of the questions for which the others have one.
APART = "no question for which the other models have a confidence too"
#: Columns that hold words.
_WORDS = ("model", "part", "first", "second", "why")


def nothing_known(lowest: float, n_items: int) -> SelfKnowledge:
    """The result for a run in which no model has a confidence: tables without rows."""
    return SelfKnowledge(
        _table([], PART_COLUMNS),
        _table([], CROSSING_COLUMNS),
        _table([], LUCK_COLUMNS),
        _table([], REFERENCE_COLUMNS),
        lowest,
        0,
        n_items,
    )


def apart(trials: pd.DataFrame, temperature: float) -> list[str]:
    """Models to leave out so that the others have a confidence for at least one same question.

    Those with the fewest confidences come first; one model always stays.

    Parameters
    ----------
    trials : DataFrame
        Open answers with the column ``score``, one a model, question and temperature.
    temperature : float
        Where confidence is compared.
    """
    sure = trials[(trials["temperature"] == temperature) & trials[SCORE].notna()]
    asked = {str(model): set(own) for model, own in sure.groupby("model", sort=False)["question_id"]}
    staying = sorted(asked, key=lambda model: len(asked[model]))
    out = []
    while len(staying) > 1 and not set.intersection(*(asked[model] for model in staying)):
        out.append(staying.pop(0))
    return out


def with_silent(found: SelfKnowledge, trials: pd.DataFrame, silent: Mapping[str, str]) -> SelfKnowledge:
    """A result with rows for models that it leaves out because their confidence cannot be read or compared.

    Parameters
    ----------
    found : SelfKnowledge
        Of the other models.
    trials : DataFrame
        Open answers of all models, one a model, question and temperature.
    silent : mapping of str to str
        Why, by model.

    Returns
    -------
    SelfKnowledge
        Accuracy alone has values in their rows; ``why`` says why nothing else has.
    """
    if not silent:
        return found
    models = list(dict.fromkeys(trials["model"]))
    mine = trials[trials["model"].isin(silent)]
    right = mine.groupby(["model", "temperature"], sort=False)["correct"].agg(["mean", "size", "sum"])
    at = [{"model": str(m), "temperature": float(t), "why": silent[str(m)]} for m, t in right.index]
    pairs = [pair for pair in combinations(models, 2) if set(pair) & set(silent)]
    temperatures = sorted(float(t) for t in mine["temperature"].unique())
    return replace(
        found,
        parts=_with(
            found.parts,
            [
                row | {"part": part}
                for row in at
                for part in (STATE, *([DRAW] if row["temperature"] != found.reference else []))
            ],
            models,
        ),
        crossings=_with(
            found.crossings,
            [
                {
                    "first": one,
                    "second": two,
                    "temperature": t,
                    "n_questions": 0,
                    "why": silent.get(one) or silent[two],
                }
                for one, two in pairs
                for t in temperatures
            ],
        ),
        luck=_with(
            found.luck,
            [row | dict.fromkeys(("n_questions", "n_mixed", "n_draws", "n_single"), 0) for row in at],
            models,
        ),
        reference_answers=_with(
            found.reference_answers,
            [
                row | {"accuracy": one["mean"], "n_wrong": one["size"] - one["sum"], "n_questions": 0}
                for row, (_, one) in zip(at, right.iterrows(), strict=True)
            ]
            if len(temperatures) > 1
            else [],
            models,
        ),
    )


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
