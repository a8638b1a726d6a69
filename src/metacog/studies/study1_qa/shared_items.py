"""Answers of several models to the same items, how far two models may cross on them, and answers at a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table, ended, with_ends
from metacog.sdt import InputError
from metacog.sdt.intervals import wilson
from metacog.sdt.type2 import auroc2_interval

# Answers of several models to the same items, one for each model, item and temperature.


@dataclass(frozen=True)
class Names:
    """Columns of a trial table.

    Attributes
    ----------
    confidence : str
    draw : str or None
        What tells several draws of one model, item and temperature apart.
    answer : str or None
        Texts of answers, the same where two draws say the same.
    """

    confidence: str = "nlp"
    draw: str | None = None
    answer: str | None = None


def named_alike(trials: pd.DataFrame, names: Names) -> pd.DataFrame:
    """``model, item, correct, temperature, confidence, draw`` and, if it is named, ``answer`` of trials.

    Without draws that column is 0.

    Raises
    ------
    InputError
        A column that is missing, or no trial.
    """
    fixed = {"model": "model", "item": "question_id", "correct": "correct", "temperature": "temperature"}
    wanted = fixed | {k: v for k, v in vars(names).items() if v is not None}
    if absent := [v for v in wanted.values() if v not in trials]:
        raise InputError(f"the trials have no column {', '.join(absent)}")
    if trials.empty:
        raise InputError("there are no trials")
    rows = pd.DataFrame({k: trials[v].to_numpy() for k, v in wanted.items()})
    rows["correct"] = rows["correct"].astype(float)
    rows["confidence"] = rows["confidence"].astype(float).where(lambda c: np.isfinite(c))
    return rows if "draw" in rows else rows.assign(draw=0.0)


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
        The temperature at which own and others' confidence is read: the lowest.
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
    def of(cls, trials: pd.DataFrame, names: Names) -> SharedItems:
        """Arrange trials, the lowest draw standing for each model, item and temperature.

        Raises
        ------
        InputError
            A column that is missing, draws without a name, a model without a trial at the reference, or no
            item with a confidence of all models there.
        """
        rows = named_alike(trials, names)
        key = ["model", "item", "temperature"]
        if names.draw is None and rows.duplicated(key).any():
            raise InputError(
                "a model answers an item more than once at a temperature; name the column of draws"
            )
        drawn = rows[rows.duplicated(key, keep=False)]
        rows = rows.sort_values("draw", kind="stable").drop_duplicates(key)
        at = float(rows["temperature"].min())
        models = tuple(dict.fromkeys(trials["model"]))
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
        each = [set(map(float, self.sure[name].columns)) for name in models]
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


# How far two models cross that do not know themselves, and whose answers depend on difficulty unequally.

#: Made by ``benchmarks/crossing_bound.py``; analyses that judge a crossing name this file.
TABLE = "data/simulations/crossing_bound.csv"
#: Answers of one model may depend so many times as steeply on the difficulty as those of the other.
SLOPE_RATIO = 3.0
#: Sections of the table: where the bound comes from; what a rule with it says in other simulated runs.
BOUND, RULE = "bound", "rule"
#: What simulated models' confidence is about, as the table calls it.
DIFFICULTY, OWN_STATE = "difficulty alone", "own state too"


@cache
def simulations() -> pd.DataFrame:
    """The committed table; its columns are those of ``benchmarks/crossing_bound.py``."""
    return committed_table(TABLE)


def rule_rows(n_questions: int) -> pd.DataFrame:
    """What the bound did in other simulated runs, of the number of questions that is nearest in its logarithm.

    Returns
    -------
    DataFrame
        ``reads`` (:data:`DIFFICULTY` or :data:`OWN_STATE`), ``n_questions, slope_ratio, runs, crossing`` (true),
        ``bound`` (mean), ``above_0`` and ``called``: shares of runs whose interval lies above 0, and above the bound.
    """
    rows = simulations().query("section == @RULE")
    sizes = rows["n_questions"].unique()
    nearest = sizes[np.abs(np.log(sizes) - np.log(max(n_questions, 1))).argmin()]
    columns = ["reads", "n_questions", "slope_ratio", "runs", "crossing", "bound", "above_0", "called"]
    return rows.loc[rows["n_questions"] == nearest, columns].reset_index(drop=True)


def crossing_bound(n_questions: int, lead: float) -> float:
    """The crossing that the lower end of an interval has to exceed to speak for self-knowledge.

    Parameters
    ----------
    n_questions : int
    lead : float
        :attr:`metacog.sdt.area_comparison.Crossing.lead`: how much better one model's confidence orders the
        answers of both. The sign is of no importance.

    Returns
    -------
    float
        NaN without a lead.

    Notes
    -----
    Two models that read one difficulty with unequal noise cross at 0 if the answers of both depend on it alike.
    If those of the better reader depend on it r times as steeply, its lead on its own answers is larger than on
    the other's, at most r times as large where slopes are small, and the crossing is half the difference: at most
    (r - 1)/(r + 1) of the mean lead, one half of it for r = 3. The share that is taken is simulated, by number of
    questions: the largest, over slopes, noises and accuracies, of the share in truth and of the share that the
    lower end of the 95 % interval exceeds in 5 % of runs. Between simulated sizes it is interpolated over the
    logarithm of their number; fewer or more questions take the nearest.
    """
    by_size = shares()
    sizes = np.log(by_size.index.to_numpy(dtype=np.float64))
    return float(np.interp(np.log(max(n_questions, 1)), sizes, by_size.to_numpy())) * abs(lead)


def shares() -> pd.Series:
    """Share of the lead that the bound is, by number of questions."""
    table = simulations()
    rows = table[(table["section"] == BOUND) & (table["slope_ratio"] == SLOPE_RATIO)]
    return rows.groupby("n_questions")[["share", "share_95"]].max().max(axis=1)


AT_REFERENCE = "this is the reference"
ONE_CLASS = "the answers are all right or all wrong"

REFERENCE_COLUMNS = (
    "model",
    "temperature",
    "accuracy",
    "n_wrong",
    *with_ends("known", "same", "same_auroc2", "tells_same", "auroc2"),
    "n_questions",
    "left_out",
    "why",
)


def reference_answers(asked: SharedItems) -> pd.DataFrame:
    """How the answers at each temperature go with the same model's answers at the reference.

    Returns
    -------
    DataFrame
        Columns :data:`REFERENCE_COLUMNS`: ``known``, the share of the wrong answers whose item the model
        gets right at the reference; ``same``, the share of answers that equal its answer there;
        ``same_auroc2``, AUROC2 of that alone for right and wrong; ``tells_same``, how well confidence tells
        whether it is so; ``auroc2`` of confidence for right and wrong. Shares have Wilson's interval. Without
        answers the columns of ``same`` are missing.
    """
    rows = []
    for model in asked.models:
        temperatures = asked.temperatures(asked.models)
        for temperature in temperatures if len(temperatures) > 1 else []:
            kept = asked.shared(asked.models, temperature)
            row = _reference_row(asked, model, temperature, kept) if kept.any() else {}
            labels = {"model": model, "temperature": temperature, "n_questions": int(kept.sum())}
            rows.append({"why": "", **row, **labels, "left_out": asked.left_out(kept)})
    return pd.DataFrame(rows, columns=list(REFERENCE_COLUMNS))


def _reference_row(
    asked: SharedItems, model: str, temperature: float, kept: NDArray[np.bool_]
) -> dict[str, Any]:
    hits = asked.right(model, temperature, kept)
    sure = asked.confidence(model, temperature, kept)
    row: dict[str, Any] = {"accuracy": float(hits.mean()), "n_wrong": int((~hits).sum())}
    row |= _area("auroc2", hits, sure)
    if temperature == asked.reference:
        return row | {"why": AT_REFERENCE}
    if not hits.all():
        row |= _share("known", asked.right(model, asked.reference, kept)[~hits])
    if asked.text is not None:
        same = (
            asked.text[(model, temperature)].to_numpy()[kept]
            == asked.text[(model, asked.reference)].to_numpy()[kept]
        )
        row |= _share("same", same)
        row |= _area("same_auroc2", hits, same.astype(float)) | _area("tells_same", same, sure)
    return row | {"why": ONE_CLASS if hits.all() or not hits.any() else ""}


def _area(name: str, hits: NDArray[np.bool_], score: NDArray[np.float64]) -> dict[str, float]:
    if hits.all() or not hits.any():
        return {}
    found = auroc2_interval(hits, score)
    return ended(name, found.estimate, *found.ends)


def _share(name: str, hits: NDArray[np.bool_]) -> dict[str, float]:
    lower, upper = wilson(hits.mean(), hits.size)
    return ended(name, float(hits.mean()), float(lower), float(upper))
