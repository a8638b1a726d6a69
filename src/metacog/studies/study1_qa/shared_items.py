"""Answers of several models to the same items, one for each model, item and temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.sdt import InputError


def named_alike(
    trials: pd.DataFrame, confidence: str = "nlp", draw: str | None = None, same: str | None = None
) -> pd.DataFrame:
    """``model, item, correct, temperature, confidence, draw, same`` of trials, from their columns of these names.

    ``draw`` tells several draws of one model, item and temperature apart; without it that column is 0. ``same`` is the
    share of the model's other answers to the item that are the same answer; without it that column is NaN.
    """
    wanted = {"model": "model", "item": "question_id", "correct": "correct", "temperature": "temperature"}
    wanted |= {"confidence": confidence} | ({} if draw is None else {"draw": draw})
    wanted |= {} if same is None else {"same": same}
    if absent := [v for v in wanted.values() if v not in trials]:
        raise InputError(f"the trials have no column {', '.join(absent)}")
    if trials.empty:
        raise InputError("there are no trials")
    rows = pd.DataFrame({k: trials[v].to_numpy() for k, v in wanted.items()})
    rows["correct"] = rows["correct"].astype(float)
    rows["confidence"] = rows["confidence"].astype(float).where(lambda c: np.isfinite(c))
    return rows.assign(
        **{name: value for name, value in (("draw", 0.0), ("same", np.nan)) if name not in rows}
    )


@dataclass(frozen=True)
class SharedItems:
    """First draws of the items that all models answered, as items by (model, temperature).

    ``reference`` is the lowest temperature, at which own and others' confidence is read; items without an answer or a
    confidence of some model there are left out. ``hits`` and ``sure`` are NaN where there is none; ``drawn`` are the
    draws of items that a model answered more than once at a temperature. ``same`` is the share of the model's other
    answers to the item that are the same answer.
    """

    hits: pd.DataFrame
    sure: pd.DataFrame
    same: pd.DataFrame
    models: tuple[str, ...]
    reference: float
    drawn: pd.DataFrame

    @classmethod
    def of(
        cls, trials: pd.DataFrame, confidence: str = "nlp", draw: str | None = None, same: str | None = None
    ) -> SharedItems:
        rows = named_alike(trials, confidence, draw, same)
        key = ["model", "item", "temperature"]
        if draw is None and rows.duplicated(key).any():
            raise InputError(
                "a model answers an item more than once at a temperature; name the column of draws"
            )
        drawn = rows[rows.duplicated(key, keep=False)]
        rows = rows.sort_values("draw", kind="stable").drop_duplicates(key)
        at = float(rows["temperature"].min())
        models = tuple(dict.fromkeys(trials["model"]))
        wide = {
            column: rows.pivot(index="item", columns=["model", "temperature"], values=column)
            for column in ("correct", "confidence", "same")
        }
        sure = wide["confidence"]
        if absent := [name for name in models if (name, at) not in sure]:
            raise InputError(f"no trial of {', '.join(map(str, absent))} at the reference {at:g}")
        everyone = sure[[(name, at) for name in models]].notna().all(axis=1)
        if not everyone.any():
            raise InputError("no item was answered by all models with a confidence at the reference")
        return cls(
            wide["correct"][everyone],
            sure[everyone],
            wide["same"][everyone],
            models,
            at,
            drawn[["model", "temperature", "item", "correct", "confidence", "same"]],
        )

    @property
    def n_items(self) -> int:
        return len(self.sure)

    def temperatures(self, models: Sequence[str]) -> list[float]:
        each = [set(map(float, self.sure[name].columns)) for name in models]
        return sorted(set.intersection(*each))

    def shared(self, models: Sequence[str], temperature: float) -> NDArray[np.bool_]:
        """Items that these models answered at a temperature with a confidence, shape ``(n_items,)``."""
        return self.sure[[(name, temperature) for name in models]].notna().all(axis=1).to_numpy()

    def draws(self, model: str, temperature: float) -> tuple[NDArray[np.int64], pd.DataFrame]:
        """A model's draws, with a confidence, of items that it answered more than once at a temperature.

        First the place of each draw's item among those with a confidence of all models at the reference, then the
        draws, two or more of each item.
        """
        own = self.drawn[(self.drawn["model"] == model) & (self.drawn["temperature"] == temperature)]
        place = self.sure.index.get_indexer(pd.Index(own["item"]))
        known = own.assign(place=place)[(place >= 0) & own["confidence"].notna().to_numpy()]
        known = known[known.duplicated("place", keep=False)]
        return known["place"].to_numpy(dtype=np.int64), known

    def right(self, model: str, temperature: float, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return self.hits[(model, temperature)].to_numpy()[kept].astype(bool)

    def confidence(self, model: str, temperature: float, kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        return self.sure[(model, temperature)].to_numpy(dtype=np.float64)[kept]
