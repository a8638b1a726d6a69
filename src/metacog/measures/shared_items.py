"""Answers of several models to the same items, one for each model, item and temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.sdt import InputError


@dataclass(frozen=True)
class Names:
    """Columns of a trial table.

    Attributes
    ----------
    model, item, correct, confidence : str
    temperature : str or None
        None: all trials were answered in one way.
    draw : str or None
        What tells several draws of one model, item and temperature apart.
    answer : str or None
        Texts of answers, the same where two draws say the same.
    """

    model: str = "model"
    item: str = "question_id"
    correct: str = "correct"
    confidence: str = "nlp"
    temperature: str | None = "temperature"
    draw: str | None = None
    answer: str | None = None


def named_alike(trials: pd.DataFrame, names: Names) -> pd.DataFrame:
    """The named columns alone, under the names that :class:`Names` has for them.

    Without temperatures that column is 0, without draws theirs is; ``answer`` is there if it is named.

    Raises
    ------
    InputError
        A column that is missing, or no trial.
    """
    wanted = {k: v for k, v in vars(names).items() if v is not None}
    if absent := [v for v in wanted.values() if v not in trials]:
        raise InputError(f"the trials have no column {', '.join(absent)}")
    if trials.empty:
        raise InputError("there are no trials")
    rows = pd.DataFrame({k: trials[v].to_numpy() for k, v in wanted.items()})
    rows["correct"] = rows["correct"].astype(float)
    rows["confidence"] = rows["confidence"].astype(float).where(lambda c: np.isfinite(c))
    for column in ("temperature", "draw"):
        if column not in rows:
            rows[column] = 0.0
    return rows


@dataclass(frozen=True)
class SharedItems:
    """First draws of the items that all models answered, as items by (model, temperature).

    Attributes
    ----------
    hits, sure : DataFrame
        Correctness and confidence, NaN where there is none.
    text : DataFrame or None
        Answers, if they were named.
    models : tuple of str
        In the order of the trials.
    reference : float
        The temperature at which own and others' confidence is read.
    n_left_out : int
        Items that a model did not answer, or without a confidence, at the reference.
    drawn : DataFrame
        Draws of items that a model answered more than once at a temperature: columns ``model, temperature, item,
        correct, confidence``, confidence NaN where there is none.
    """

    hits: pd.DataFrame
    sure: pd.DataFrame
    text: pd.DataFrame | None
    models: tuple[str, ...]
    reference: float
    n_left_out: int
    drawn: pd.DataFrame

    @classmethod
    def of(cls, trials: pd.DataFrame, names: Names, reference: float | None = None) -> SharedItems:
        """Arrange trials, the lowest draw standing for each model, item and temperature.

        Raises
        ------
        InputError
            A column that is missing, draws without a name, a reference that was not asked, or no item with
            a confidence of all models at the reference.
        """
        rows = named_alike(trials, names)
        key = ["model", "item", "temperature"]
        if names.draw is None and rows.duplicated(key).any():
            raise InputError(
                "a model answers an item more than once at a temperature; name the column of draws"
            )
        drawn = rows[rows.duplicated(key, keep=False)]
        rows = rows.sort_values("draw", kind="stable").drop_duplicates(key)
        known = sorted(float(t) for t in rows["temperature"].unique())
        at = known[0] if reference is None else float(reference)
        models = tuple(dict.fromkeys(trials[names.model]))
        wide = {
            column: rows.pivot(index="item", columns=["model", "temperature"], values=column)
            for column in ("correct", "confidence", "answer")
            if column in rows
        }
        sure = wide["confidence"]
        if absent := [name for name in models if (name, at) not in sure]:
            raise InputError(f"no trial of {', '.join(map(str, absent))} at the reference {at:g}")
        everyone = sure[[(name, at) for name in models]].notna().all(axis=1)
        if not everyone.any():
            raise InputError("no item was answered by all models with a confidence at the reference")
        kept = {column: table[everyone] for column, table in wide.items()}
        return cls(
            kept["correct"],
            kept["confidence"],
            kept.get("answer"),
            models,
            at,
            int((~everyone).sum()),
            drawn[["model", "temperature", "item", "correct", "confidence"]],
        )

    @property
    def n_items(self) -> int:
        """Items with a confidence of all models at the reference."""
        return len(self.sure)

    def temperatures(self, models: Sequence[str]) -> list[float]:
        """Temperatures at which all of these models were asked."""
        asked = list(
            zip(self.sure.columns.get_level_values(0), self.sure.columns.get_level_values(1), strict=True)
        )
        each = [{float(t) for m, t in asked if m == name} for name in models]
        return sorted(set.intersection(*each))

    def shared(self, models: Sequence[str], temperature: float) -> NDArray[np.bool_]:
        """Items that these models answered at a temperature with a confidence, shape ``(n_items,)``."""
        return self.sure[[(name, temperature) for name in models]].notna().all(axis=1).to_numpy()

    def left_out(self, kept: NDArray[np.bool_]) -> int:
        """Items that were left out at the reference, or are not kept."""
        return self.n_left_out + int((~kept).sum())

    def draws(self, model: str, temperature: float) -> tuple[NDArray[np.int64], pd.DataFrame, int]:
        """A model's draws of items that it answered more than once at a temperature, with a confidence.

        Returns
        -------
        place : int array, shape ``(n,)``
            The item of each draw among those with a confidence of all models at the reference.
        draws : DataFrame, ``n`` rows
            Two or more of each item.
        left_out : int
            Items drawn more than once that are not among these.
        """
        own = self.drawn[(self.drawn["model"] == model) & (self.drawn["temperature"] == temperature)]
        place = self.sure.index.get_indexer(pd.Index(own["item"]))
        known = own.assign(place=place)[(place >= 0) & own["confidence"].notna().to_numpy()]
        known = known[known.duplicated("place", keep=False)]
        left_out = int(own["item"].nunique() - known["item"].nunique())
        return known["place"].to_numpy(dtype=np.int64), known, left_out

    def right(self, model: str, temperature: float, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether a model's answers to the kept items are right."""
        return self.hits[(model, temperature)].to_numpy()[kept].astype(bool)

    def confidence(self, model: str, temperature: float, kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        """A model's confidence on the kept items."""
        return self.sure[(model, temperature)].to_numpy(dtype=np.float64)[kept]
