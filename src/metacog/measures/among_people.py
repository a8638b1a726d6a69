"""Where a value lies among people with two choices: percentiles of the Confidence Database (Rahnev et al. 2020).

A value has a place only where people's had: the task has two choices, and the same rules of who counts are met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.core.words import listed
from metacog.sdt.checks import FloatArray

#: Percentiles of people by measure and domain, made by ``benchmarks/what_is_normal.py``.
PERCENTILES = "data/confidence_database/percentiles.csv"
#: M-ratios without what chance adds to their spread, since people have few trials.
WITHOUT_CHANCE = "m_ratio_without_chance"
MEASURES = ("m_ratio", WITHOUT_CHANCE, "auroc2", "d_prime", "meta_i2r")
ALL = "all"
#: Percentiles that are kept.
PERCENTS = (1, 2, 5, *range(10, 95, 5), 95, 98, 99)
#: People, and values, count where d' and trials are large enough, and errors are left to tell from right answers.
LEAST_D_PRIME, MOST_ACCURATE, FEWEST_TRIALS = 0.5, 0.95, 100
#: What is needed of a row of measures to place it.
OF_ROW = ("trials", "accuracy", "d_prime", "m_ratio", "auroc2")
#: Most rows that are placed one by one.
MOST_SHOWN = 10
CAVEAT = (
    "people's ratings differ in scale, tasks are mostly of perception, and where easy and hard trials are put together "
    "M-ratio comes out higher"
)


def among_people(values: ArrayLike, measure: str = "m_ratio", domain: str = ALL) -> FloatArray:
    """Share of people whose value of a measure is lower, from .01 to .99; NaN of what is no number.

    Parameters
    ----------
    values : array_like
    measure : str
        One of :data:`MEASURES`.
    domain : {"all", "perception", "memory", "cognition", "mixed"}

    Examples
    --------
    >>> bool(among_people(0.85) < among_people(1.2))
    True
    """
    table = committed_table(PERCENTILES)
    row = table[table["measure"].eq(measure) & table["domain"].eq(domain)]
    if row.empty:
        known = "; ".join(listed(table[name].unique()) for name in ("measure", "domain"))
        raise MetacogError(f"no percentiles of {measure!r} in {domain!r}; there are: {known}")
    ends = row[[f"p{p}" for p in PERCENTS]].to_numpy(dtype=np.float64)[0]
    given = np.asarray(values, dtype=np.float64)
    return np.where(np.isfinite(given), np.interp(given, ends, np.array(PERCENTS) / 100), np.nan)


def counts_as_people(table: pd.DataFrame) -> pd.DataFrame:
    """Whether each row's ``d_prime``, ``accuracy`` and ``trials`` meet the rules of who counts, and ``all`` of them."""
    met = pd.DataFrame(
        {
            "d_prime": table["d_prime"] > LEAST_D_PRIME,
            "accuracy": table["accuracy"] < MOST_ACCURATE,
            "trials": table["trials"] >= FEWEST_TRIALS,
        }
    )
    return met.assign(all=met.all(axis=1))


def placed(row: Mapping[Any, Any]) -> dict[str, float]:
    """Shares of people below a row's ``m_ratio`` and ``auroc2``; none where it breaks a rule of who counts.

    Of M-ratio twice: as people's are measured, and without chance (:data:`WITHOUT_CHANCE`).
    """
    known = {
        name: float(row.get(name, np.nan)) for name in ("d_prime", "accuracy", "trials", "m_ratio", "auroc2")
    }
    if not counts_as_people(pd.DataFrame([known]))["all"].iloc[0]:
        return {}
    wanted = {"m_ratio": "m_ratio", WITHOUT_CHANCE: "m_ratio", "auroc2": "auroc2"}
    return {
        name: float(among_people(known[of], name)) for name, of in wanted.items() if np.isfinite(known[of])
    }


def in_words(row: Mapping[Any, Any]) -> str:
    """Where a row of measures lies among people, or why it has no place."""
    found = placed(row)
    if not found:
        return (
            f"no place: that takes two choices, d' above {LEAST_D_PRIME}, accuracy below {MOST_ACCURATE} and "
            f"{FEWEST_TRIALS} trials"
        )
    told = []
    if "m_ratio" in found:
        chance = f"{found[WITHOUT_CHANCE]:.0%} without the chance in theirs"
        told.append(f"M-ratio {row['m_ratio']:.2f} is above that of {found['m_ratio']:.0%} ({chance})")
    if "auroc2" in found:
        told.append(f"AUROC2 {row['auroc2']:.2f} above that of {found['auroc2']:.0%}")
    return ", ".join(told)


def lines_among_people(table: pd.DataFrame) -> list[str]:
    """Where each row of measures lies (``model`` and :data:`OF_ROW`), and what to keep in mind.

    Of more than :data:`MOST_SHOWN` rows that have a place, the median of each measure is placed in their stead.
    """
    one = committed_table(PERCENTILES).iloc[0]
    lines = [
        f"among people ({one['people']:,.0f} of {one['sets']:.0f} sets with two choices, Rahnev et al. 2020): {CAVEAT}"
    ]
    known = table.reindex(columns=["model", *OF_ROW])
    whole = known[counts_as_people(known)["all"]]
    if len(whole) > MOST_SHOWN:
        return [
            *lines,
            f"median of the {len(whole):,} who count as these do: {in_words(whole[list(OF_ROW)].median().to_dict())}",
        ]
    return [
        *lines,
        *(f"{row['model']}: {in_words(row)}" for row in known.head(MOST_SHOWN).to_dict("records")),
    ]


def with_places(table: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """A table of ``measure, estimate, trials`` by some columns, with the share of ``people_below`` each place.

    M-ratio, without the chance in people's, and AUROC2 have one.
    """
    made = table.assign(people_below=np.nan)
    groups = made.groupby(list(by), sort=False, dropna=False).groups if by else {(): made.index}
    for at in groups.values():
        rows = made.loc[at].drop_duplicates("measure").set_index("measure")
        found = placed({**rows["estimate"].to_dict(), "trials": float(rows["trials"].iloc[0])})
        places = {"m_ratio": found.get(WITHOUT_CHANCE), "auroc2": found.get("auroc2")}
        made.loc[at, "people_below"] = made.loc[at, "measure"].map(places).astype(np.float64)
    return made
