"""People of the Confidence Database: committed counts, every person's measures, and the rules of who counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.core.paths import project_root
from metacog.measures.among_people import FEWEST_TRIALS, LEAST_D_PRIME, MOST_ACCURATE
from metacog.measures.among_people import counts_as_people as kept
from metacog.measures.tables_of_people import OF_CHOICES, table_measures
from metacog.studies.study8_people.database_rows import COUNTS, HALF, MARKED, OF_READING, SETS

#: What the analyses read.
DATABASE = (COUNTS, SETS)
#: Of whom a table is, and the columns of :data:`SETS` that go with it.
PERSON = ("set", "part", "person")
ABOUT = ("domain", "form", "rated", "sample", "k")
#: What one person's table is of.
WHOLE = "whole"
#: Of who counts (:func:`kept`).
RULES: Mapping[str, str] = MappingProxyType(
    {
        "d_prime": f"d' above {LEAST_D_PRIME}",
        "accuracy": f"accuracy below {MOST_ACCURATE}",
        "trials": f"at least {FEWEST_TRIALS} trials",
    }
)


@cache
def counts() -> pd.DataFrame:
    """The committed counts: ``set, part, person, by, value, nR_S1, nR_S2``, and ``by`` is half, condition or session.

    Halves are odd and even trials. Counts are in the order of Maniscalco and Lau; of sets that are ``marked`` they are
    wrong and right answers by rating.
    """
    path = project_root() / COUNTS
    if not path.is_file():
        raise MetacogError(f"{COUNTS} is missing: restore it from the repository")
    table = pd.read_parquet(path)
    texts = {name: str for name in ("set", "part", "by", "value")}
    return table.astype(texts).astype({"person": np.int64})


@cache
def sets() -> pd.DataFrame:
    """The sets and tasks: how each was read, what was used and left out, and whose data they are."""
    table = committed_table(SETS)
    texts = table.columns.difference(list(OF_READING))
    return table.assign(**{name: table[name].fillna("").astype(str) for name in texts})


def tables(
    by: str = WHOLE, of: pd.DataFrame | None = None, about: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Tables of counts, a row each, with what is known of the set.

    Parameters
    ----------
    by : {"whole", "half", "condition", "session"}
        A table for each person of a set or task, or for each person's halves, conditions or sessions (``value``).
    of, about : DataFrame, optional
        In the place of :func:`counts` and :func:`sets`.
    """
    table = counts() if of is None else of
    known = (sets() if about is None else about)[["set", "part", *ABOUT]]
    if by != WHOLE:
        chosen = table[table["by"] == by].drop(columns="by").reset_index(drop=True)
        return chosen.merge(known, on=["set", "part"], how="left", validate="many_to_one")
    halves = table[table["by"] == HALF]
    names = halves[list(PERSON)].drop_duplicates().reset_index(drop=True)
    at = (
        halves[list(PERSON)].merge(names.assign(at=names.index), on=list(PERSON), how="left")["at"].to_numpy()
    )
    for side in ("nR_S1", "nR_S2"):
        summed: dict[int, NDArray[np.int64]] = {}
        for one, cells in zip(at.tolist(), halves[side], strict=True):
            summed[one] = summed.get(one, 0) + np.asarray(cells, dtype=np.int64)
        names[side] = pd.Series(summed)
    return names.merge(known, on=["set", "part"], how="left", validate="many_to_one")


def measured(
    by: str = WHOLE, of: pd.DataFrame | None = None, about: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Measures of all tables of :func:`tables` in one batch: :data:`metacog.measures.tables_of_people.OF_CHOICES`."""
    found = tables(by, of, about)
    made = table_measures(found["nR_S1"].tolist(), found["nR_S2"].tolist(), found["form"] == MARKED)
    return pd.concat([found.drop(columns=["nR_S1", "nR_S2"]), made], axis=1)


def rules_of(table: pd.DataFrame) -> pd.DataFrame:
    """What each of :data:`RULES` does, and all and none of them: how many people meet it and not, and the medians then.

    ``alone`` are people whom this rule alone leaves out. People of ``marked`` sets have no d' and do not count here.
    """
    table = table[table["form"] != MARKED]
    met = kept(table)
    names, measures = list(RULES), [name for name in OF_CHOICES[1:] if name in table]
    masks = {"none": pd.Series(True, index=table.index)} | {name: met[name] for name in (*names, "all")}
    rows = []
    for name, mask in masks.items():
        others = met[[one for one in names if one != name]].all(axis=1)
        alone = int((~mask & others).sum()) if name in names else 0
        row = {"rule": RULES.get(name, name), "people": int(mask.sum()), "left_out": int((~mask).sum())}
        rows.append(row | {"alone": alone} | table.loc[mask, measures].median().to_dict())
    return pd.DataFrame(rows)


def medians(table: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Medians over people of each measure in groups of sets or domains, and how many people and sets these are."""
    groups = table.groupby(by, sort=True)
    made = groups[list(OF_CHOICES)].median()
    return made.assign(people=groups.size(), sets=groups["set"].nunique()).reset_index()
