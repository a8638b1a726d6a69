"""People's trials, and models by items: the committed tables, checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.measures.model_items import ModelItems
from metacog.trials import repeated

PEOPLE, MODELS, MAKERS = (
    f"data/people/{name}.csv" for name in ("brainbench_people", "brainbench_models", "makers")
)
#: What the analyses read.
FILES = (PEOPLE, MODELS, MAKERS)
#: Columns of the tables.
OF_PEOPLE = ("person", "made_by", "item", "correct", "confidence", "expertise", "seconds")
OF_MODELS = ("model", "made_by", "item", "correct", "log_perplexity_difference")
#: Who wrote an item, and what the book calls such items.
MADE_BY = {"human": "written by people", "machine": "written by a model"}


@dataclass(frozen=True)
class Rows:
    """People and models on the same items.

    Attributes
    ----------
    people : DataFrame
        A row for each person and item: ``person`` (from 0), ``made_by, item`` (position in ``models.items``),
        ``correct, confidence, expertise, seconds``; by person and item.
    models : ModelItems
        Families are makers, strata are who wrote an item, confidence is the size of the difference of log perplexity.
    weights : tuple of str
        From which weights each model was made.
    """

    people: pd.DataFrame
    models: ModelItems
    weights: tuple[str, ...]

    def of(self, people: pd.Series | None = None, models: list[str] | None = None) -> Rows:
        """Some of the people's trials (a mask), and some of the models."""
        kept = self.people if people is None else self.people[people].reset_index(drop=True)
        if models is None:
            return replace(self, people=kept)
        made_from = dict(zip(self.models.models, self.weights, strict=True))
        weights = tuple(made_from[name] for name in models)
        return replace(self, people=kept, models=self.models.kept(models=models), weights=weights)

    @property
    def distinct_weights(self) -> list[str]:
        """From which weights each model was made, its own by its name."""
        named = zip(self.models.models, self.weights, strict=True)
        return [name if weights == "own" else weights for name, weights in named]

    @property
    def siblings(self) -> list[np.ndarray]:
        """Of each model the positions of its maker's models of other weights."""
        makers, weights = np.array(self.models.families), np.array(self.distinct_weights)
        return [
            np.flatnonzero((makers == maker) & (weights != one))
            for maker, one in zip(makers, weights, strict=True)
        ]


@cache
def load() -> Rows:
    """The committed tables."""
    return read(*(committed_table(name, keep_default_na=False) for name in FILES))


def read(people: pd.DataFrame, models: pd.DataFrame, makers: pd.DataFrame) -> Rows:
    """Check the tables and arrange them."""
    for name, table, columns in ((PEOPLE, people, OF_PEOPLE), (MODELS, models, OF_MODELS)):
        if missing := [c for c in columns if c not in table]:
            raise MetacogError(
                f"{name} lacks the column {', '.join(missing)}: restore it from the repository"
            )
        numbers = table[[c for c in columns if c not in ("person", "model", "made_by")]]
        if not all(pd.api.types.is_numeric_dtype(kind) for kind in numbers.dtypes):
            raise MetacogError(f"{name} holds text where a number is wanted")
        who = columns[0]
        wrong = {
            "marks are not 0 or 1": ~table["correct"].isin([0, 1]),
            f"rows repeat an item of the same {who}": repeated(table, [who, "made_by", "item"]),
            "rows lack a number": numbers.isna().any(axis=1),
            "items are of unknown origin": ~table["made_by"].isin(list(MADE_BY)),
        }
        for scale in ("confidence", "expertise"):
            if scale in table:
                wrong[f"rows have a {scale} outside 0 to 100"] = ~table[scale].between(0, 100)
        for what, found in wrong.items():
            if found.any():
                first = table[found].iloc[0]
                raise MetacogError(
                    f"{name}: {int(found.sum())} {what}, first {first[who]}, {first['made_by']} {first['item']}; "
                    "restore it from the repository"
                )
    known = makers.set_index("model")
    if strange := sorted(set(models["model"]) - set(known.index)):
        raise MetacogError(f"{MAKERS} does not say who made {', '.join(strange)}")
    arranged = ModelItems.of(
        models.assign(maker=models["model"].map(known["maker"]), question_id=_named(models)),
        confidence="log_perplexity_difference",
        family="maker",
        stratum="made_by",
    )
    place = {name: at for at, name in enumerate(arranged.items)}
    at = _named(people).map(place)
    if at.isna().any():
        raise MetacogError(
            f"{PEOPLE} has an item that no model answered: {_named(people)[at.isna()].iloc[0]}"
        )
    numbered = people.assign(item=at.astype("int64"), person=pd.factorize(people["person"], sort=True)[0])
    trials = numbered[list(OF_PEOPLE)].sort_values(["person", "item"]).reset_index(drop=True)
    return Rows(trials, arranged, tuple(known.loc[list(arranged.models), "weights"]))


def _named(table: pd.DataFrame) -> pd.Series:
    return table["made_by"] + " " + table["item"].astype(str).str.zfill(3)


def by_maker(models: ModelItems, values: np.ndarray) -> np.ndarray:
    """Means over the models of each maker, shape ``(makers, N)``; NaN where none of them has a value."""
    frame = pd.DataFrame(values).groupby(np.asarray(models.families)).mean()
    return frame.to_numpy(dtype=np.float64)


def over_makers(by: np.ndarray) -> np.ndarray:
    """Mean over makers that have a value."""
    return np.asarray(np.nansum(by, axis=0) / np.maximum(np.isfinite(by).sum(axis=0), 1))
