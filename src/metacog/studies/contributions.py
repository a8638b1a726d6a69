"""What a study contributes to the chapters of no one study, as results of analyses of an agreed name.

A study that has an analysis ``worked_tables`` or ``headline`` returns the record of that name here; nothing else
has to be declared (:attr:`metacog.studies.study.Analysis.across`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

#: Columns of :attr:`Headline.values`.
COLUMNS = ("model", "part", "published", "estimate", "lower", "upper", "why")


@dataclass(frozen=True)
class WorkedTables:
    """Published tables of right and wrong answers by rating, on which the measures are introduced.

    Attributes
    ----------
    counts : DataFrame
        ``use`` (``worked``: the one table that every measure is computed from; ``compared``: two or more whose
        abstaining is compared), ``model`` as readers know it, ``rating`` from 1 (least confident), ``right``,
        ``wrong``.
    """

    counts: pd.DataFrame


@dataclass(frozen=True)
class Headline:
    """A study's result of each model in one number, next to those of the models that were published.

    Attributes
    ----------
    quantity, meaning : str
        What it is called, and what it tells, for a reader who meets it here first.
    nothing : float
        Its value where nothing is known of one's own answers; NaN where there is none.
    values : DataFrame
        :data:`COLUMNS`: ``model`` as readers know it, ``part`` (such as a task; empty where there is one), whether
        it is ``published``, ``estimate`` with its 95 % interval where there is one, and ``why`` it cannot be
        judged (empty where it can).
    """

    quantity: str
    meaning: str
    nothing: float
    values: pd.DataFrame


def headline_values(run: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """The values of a headline from two tables that have ``model``, ``estimate`` and what else they know."""
    known: dict[str, Any] = {"part": "", "lower": float("nan"), "upper": float("nan"), "why": ""}
    parts = [rows.assign(published=flag) for rows, flag in ((run, False), (published, True))]
    both = pd.concat([p.assign(**{k: v for k, v in known.items() if k not in p}) for p in parts if len(p)])
    return both[list(COLUMNS)].reset_index(drop=True)
