"""What is in the rows: how much each person answered, odd answers, runs near chance, the same weights several times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import ended
from metacog.report.views import Views
from metacog.sdt import wilson
from metacog.studies.study import Inputs, analysis
from metacog.studies.study8_people.rows import FILES, load

#: Nobody reads two abstracts in less.
QUICK = 10.0
#: Where a slider stands before anybody has moved it.
MIDDLE = 50


@analysis(files=FILES)
def reading(inputs: Inputs) -> dict[str, Any]:
    """What is in the answers of people and models?"""
    rows = load()
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
    return {
        "models": table.sort_values(["maker", "accuracy"], ascending=[True, False]).reset_index(drop=True),
        "odd": pd.DataFrame([{"what": what, "n": int(which.sum()), "of": of} for what, which, of in odd]),
        "n_people": n_people,
        "n_items": len(models.items),
        "n_models": len(models.models),
        "n_makers": len(set(models.families)),
        "n_by_people": models.strata.count("human"),
        "n_all_items": int(models.answered.all(axis=1).sum()),
        "n_same_weights": int(twins.sum()),
        "fewest": int(each.min()),
        "most": int(each.max()),
    }


VIEWS = Views("reading")
