"""How much of confidence could be read from the surface of an answer, or from other models' confidence?

The mean log-probability of an answer's words goes with how long the answer is and how rare its words are, and so does
being right. Neither needs a model that knows anything. :func:`surface_controls` says what is left of confidence, for
each model and temperature, beyond length, beyond word rarity, beyond both, beyond other models' confidence in their own
answers to the same questions, and beyond all of it.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from metacog.measures.model_items import FEW, SILENT
from metacog.sdt import InputError
from metacog.studies.study1_qa.beyond_controls import COLUMNS, beyond_controls
from metacog.studies.study1_qa.word_rarity import word_table

LENGTH, RARITY, SURFACE = "length", "word rarity", "length and rarity"
OTHERS, ALL = "other models", "all of these"
#: Signals of each control.
CONTROLS = {
    LENGTH: (LENGTH,),
    RARITY: (RARITY,),
    SURFACE: (LENGTH, RARITY),
    OTHERS: (OTHERS,),
    ALL: (LENGTH, RARITY, OTHERS),
}
#: Share of a model's questions that another model must have answered to be one of the others.
LEAST_SHARED = 0.5
LEFT_COLUMNS = ("model", "temperature", "n_others", "n_left_out", *COLUMNS)


def surface_controls(
    trials: pd.DataFrame,
    *,
    confidence: str = "nlp",
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
) -> pd.DataFrame:
    """What is left of each model's confidence at each temperature beyond the surface of its answers, by control.

    ``n_others`` other models stand for themselves; ``n_left_out`` answers have no confidence, or one of the others has
    none for the question. All controls are on the same answers. Without other models their rows are not there. A model
    none of whose answers at a temperature has a confidence is none of the others, and its rows have no values.
    """
    key = ["model", "question_id", "temperature"]
    wanted = (*key, "correct", confidence, "answer", "n_tokens")
    if absent := [name for name in wanted if name not in trials]:
        raise InputError(f"the trials have no column {', '.join(absent)}")
    if trials.empty:
        raise InputError("there are no trials")
    if repeated := int(trials.duplicated(key).sum()):
        raise InputError(
            f"{repeated:,} trials repeat an item of one model at one temperature; keep one of each"
        )
    texts = trials["answer"].fillna("").astype(str)
    rows = pd.DataFrame(
        {
            "model": trials["model"].astype(str),
            "item": trials["question_id"].astype(str),
            "temperature": trials["temperature"].astype(float),
            "correct": trials["correct"].astype(float),
            "confidence": trials[confidence].astype(float),
            "tokens": trials["n_tokens"].astype(float),
            "characters": texts.str.len().astype(float),
            "rarest": word_table().rarest(texts),
        }
    )
    left = []
    drawn: dict[str, Any] = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    for (name, at), own in rows.groupby(["model", "temperature"], sort=False):
        there = rows[(rows["model"] != name) & (rows["temperature"] == at)]
        others = there.pivot(index="item", columns="model", values="confidence").reindex(own["item"])
        others = others.loc[:, others.notna().mean() >= LEAST_SHARED]
        own = own.set_index("item")
        silent = bool(own["confidence"].isna().all())
        if silent and others.shape[1] < 2:  # a control where two others have it too
            others = others.iloc[:, :0]
        kept = own[own["confidence"].notna() & others.notna().all(axis=1)]
        others = others.loc[kept.index]
        found = _left(kept, others, SILENT if silent else FEW, drawn)
        about = {
            "model": name,
            "temperature": at,
            "n_others": others.shape[1],
            "n_left_out": len(own) - len(kept),
        }
        left += [about | row for row in found.to_dict("records")]
    order = {name: i for i, name in enumerate(dict.fromkeys(rows["model"]))}
    return pd.DataFrame(left, columns=list(LEFT_COLUMNS)).sort_values(
        ["model", "temperature"],
        key=lambda c: c.map(order) if c.name == "model" else c,
        kind="stable",
        ignore_index=True,
    )


def _left(kept: pd.DataFrame, others: pd.DataFrame, flag: str, drawn: dict[str, Any]) -> pd.DataFrame:
    controls = {name: parts for name, parts in CONTROLS.items() if others.shape[1] or OTHERS not in parts}
    if kept.empty:
        rows = [{"control": name, "n": 0, "n_wrong": 0, "flag": flag} for name in controls]
        return pd.DataFrame(rows, columns=list(COLUMNS))
    signals: dict[str, ArrayLike] = {
        LENGTH: kept[["tokens", "characters"]].to_numpy(),
        RARITY: kept["rarest"].to_numpy(),
    }
    if others.shape[1]:
        signals[OTHERS] = others.to_numpy()
    return beyond_controls(
        kept["correct"].to_numpy(), kept["confidence"].to_numpy(), signals, controls, **drawn
    )
