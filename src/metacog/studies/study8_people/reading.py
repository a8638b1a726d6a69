"""What is in the rows: how much each person answered, odd answers, runs near chance, the same weights several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.core.frames import ended
from metacog.sdt import wilson
from metacog.studies.study import analysis
from metacog.studies.study8_people.rows import FILES, Rows, load

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Nobody reads two abstracts in less.
QUICK = 10.0
#: Where a slider stands before anybody has moved it.
MIDDLE = 50


@dataclass(frozen=True)
class Reading:
    """The rows, and what to know of them.

    Attributes
    ----------
    models : DataFrame
        ``model, maker, weights, items, accuracy`` with Wilson's limits, and ``above_chance``.
    odd : DataFrame
        ``what, trials, of``: how many of people's trials (or people, or items) are odd in a way.
    n_people, n_trials, n_items, n_models, n_makers, n_by_people, n_by_machine, n_all_items, n_same_weights : int
        ``n_by_people, n_by_machine``: items by who wrote them; ``n_all_items``: models that answered all;
        ``n_same_weights``: models that share their weights with another.
    fewest, most : int
        Items of a person.
    """

    models: pd.DataFrame
    odd: pd.DataFrame
    n_people: int
    n_trials: int
    n_items: int
    n_models: int
    n_makers: int
    n_by_people: int
    n_by_machine: int
    n_all_items: int
    n_same_weights: int
    fewest: int
    most: int


def read(rows: Rows) -> Reading:
    """What is in some rows."""
    people, models = rows.people, rows.models
    each = people.groupby("person").size()
    answered = people.groupby("item").size().reindex(range(len(models.items)), fill_value=0)
    spread = people.groupby("person")["confidence"].nunique()
    n, right = models.answered.sum(axis=1), np.nansum(models.right, axis=1)
    lower, upper = wilson(right / n, n)
    table = pd.DataFrame(
        {
            "model": [name.rpartition("--")[2] for name in models.models],
            "maker": models.families,
            "weights": rows.weights,
            "items": n,
            **ended("accuracy", right / n, lower, upper),
            "above_chance": lower > 0.5,
        }
    )
    n_people, n_trials = len(each), len(people)
    odd = [
        ("confidence exactly in the middle, where nobody may have moved it", people["confidence"].eq(MIDDLE), n_trials),
        ("confidence at the lowest value", people["confidence"].le(1), n_trials),
        ("confidence at the highest value", people["confidence"].eq(100), n_trials),
        (f"answers within {QUICK:.0f} seconds", people["seconds"].lt(QUICK), n_trials),
        ("people with one confidence throughout", spread.eq(1), n_people),
        ("people who answered fewer items than most", each.lt(int(each.mode().iloc[0])), n_people),
        ("items that fewer than two people answered", answered.lt(2), len(answered)),
        ("models not shown to be better than a coin", ~table["above_chance"], len(table)),
        ("pairs of a model and an item without an answer", pd.Series(~models.answered.ravel()), models.answered.size),
    ]  # fmt: skip
    twins = pd.Series(rows.weights)[lambda one: one.ne("own")].duplicated(keep=False)
    return Reading(
        models=table.sort_values(["maker", "accuracy"], ascending=[True, False]).reset_index(drop=True),
        odd=pd.DataFrame([{"what": what, "n": int(which.sum()), "of": of} for what, which, of in odd]),
        n_people=n_people,
        n_trials=n_trials,
        n_items=len(models.items),
        n_models=len(models.models),
        n_makers=len(set(models.families)),
        n_by_people=models.strata.count("human"),
        n_by_machine=models.strata.count("machine"),
        n_all_items=int(models.answered.all(axis=1).sum()),
        n_same_weights=int(twins.sum()),
        fewest=int(each.min()),
        most=int(each.max()),
    )


@analysis(returns=Reading, files=FILES)
def reading(inputs: Inputs) -> Reading:
    """What is in the answers of people and models?"""
    return read(load())
