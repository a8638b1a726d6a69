"""How far is what is hard for people hard for models? A correlation over items that no answerer's noise weakens."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import ended
from metacog.measures.shared_members import FloatArray, Ratios, ratios
from metacog.studies.study8_people.areas import MODELS, PEOPLE
from metacog.studies.study8_people.rows import Rows, by_maker, over_makers


def shared_of(rows: Rows) -> pd.DataFrame:
    """Covariances of two people, of two makers and of a person with a maker, over items.

    All are centred within answerer and origin of the items. Products of two different answerers hold no noise of one,
    so the correlation is not weakened by it.
    """
    models, people = rows.models, rows.people
    strata = np.array(models.strata)
    of_models = {"right answers": models.right, "confidence": _ranks(models.confidence, strata)}
    made = []
    for what, column in (("right answers", "correct"), ("confidence", "confidence")):
        given = people[column].astype(float)
        own = (given - given.groupby([people["person"], people["made_by"]]).transform("mean")).to_numpy()
        by = by_maker(models, _centred(of_models[what], strata))
        makers = np.isfinite(by).sum(axis=0)
        two = np.nansum(by, axis=0) ** 2 - np.nansum(by**2, axis=0)
        trial = people[["person", "item"]].assign(own=own)
        pairs = trial.merge(trial, on="item", suffixes=("", "_2"))
        pairs = pairs[pairs["person"] < pairs["person_2"]]
        sizes = (len(people), len(pairs), len(makers))
        counts = [np.repeat(np.eye(3)[k], sizes) for k in range(3)]
        products = np.concatenate(
            [
                own * over_makers(by)[people["item"]],
                pairs["own"] * pairs["own_2"],
                two / np.maximum(makers * (makers - 1), 1),
            ]
        )
        none = np.full(len(makers), -1)
        person = np.column_stack(
            [
                np.concatenate([people["person"], pairs["person"], none]),
                np.concatenate([np.full(len(people), -1), pairs["person_2"], none]),
            ]
        )
        item = np.concatenate([people["item"], pairs["item"], np.arange(len(makers))])
        names = ("both", PEOPLE, MODELS)
        found = ratios({n: (products * c, c) for n, c in zip(names, counts, strict=True)}, [person, item])
        made.append({"what": what, **ended("r", *_correlation(found))})
    return pd.DataFrame(made)


def _correlation(found: Ratios) -> tuple[float, float, float]:
    """Covariance over the root of both variances; nothing where one of these is not above 0 for certain."""
    both, people, models = (found.values[name] for name in ("both", PEOPLE, MODELS))
    if not all(found.difference({name: 1})[0].lower > 0 for name in (PEOPLE, MODELS)):
        return np.nan, np.nan, np.nan
    r = both / (people * models) ** 0.5
    slopes = {"both": r / both, PEOPLE: -r / (2 * people), MODELS: -r / (2 * models)}
    return r, *found.around(r, slopes)[0].ends


def _centred(values: FloatArray, strata: NDArray[np.str_]) -> FloatArray:
    """Less each model's mean over the items of a stratum."""
    frame = pd.DataFrame(values.T)
    return np.asarray((frame - frame.groupby(strata).transform("mean")).T)


def _ranks(values: FloatArray, strata: NDArray[np.str_]) -> FloatArray:
    """Each model's ranks over the items of a stratum, as shares."""
    return np.asarray(pd.DataFrame(values.T).groupby(strata).rank(pct=True).T)
