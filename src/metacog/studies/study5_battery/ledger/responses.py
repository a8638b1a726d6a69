"""The study's 10,480 responses: the committed table, and what a table of responses must be.

``responses.csv`` and ``items.csv`` hold codes and no text; ``importer.py`` made them from the published
files.
"""

from __future__ import annotations

from functools import cache

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.studies.study5_battery.paper import MODELS, TRACKS, committed

KEY = ("model", "track", "item")
PROBES = ("keep", "bet")
#: Ways that T6 offers before an answer, by the letter in the table.
PATHS = {"A": "ANSWER_DIRECTLY", "H": "REQUEST_HINT", "D": "DECLINE"}
#: How a written answer of T6 compares with its key.
MATCHES = {
    "e": "written as the key",
    "n": "equal after normalising",
    "c": "the normalised key occurs in it",
    "o": "another answer",
}
#: Columns of the committed tables.
RESPONSES = (*KEY, "correct", *PROBES, "path", "score", "answer", "match")
ITEMS = ("track", "item", "item_type", "level", "domain", "key")


def load() -> pd.DataFrame:
    """All responses, one row each.

    ``model`` (name), ``track, item``, ``correct, keep, bet`` (bool), ``path`` (T6 alone), ``score``, ``judged``
    (whether correctness counts: all do, as published), ``answer`` (digest of a written answer) and ``match`` (T6
    alone), and of the item ``item_type, level, domain, key``.
    """
    return _committed().copy()


@cache
def _committed() -> pd.DataFrame:
    rows, items = committed("responses"), committed("items")
    checked(rows)
    named = rows.assign(
        model=rows["model"].map(MODELS),
        path=rows["path"].map(PATHS).fillna(""),
        score=pd.to_numeric(rows["score"]),
        judged=True,
        **{name: rows[name] == "1" for name in ("correct", *PROBES)},
    )
    if named["model"].isna().any():
        raise MetacogError("responses.csv names a model that published.MODELS does not have")
    whole = named.merge(items, on=["track", "item"], how="left", validate="many_to_one")
    if whole["item_type"].isna().any():
        raise MetacogError(
            "responses.csv has items that are missing from items.csv: restore both from the repository"
        )
    return whole


def checked(
    rows: pd.DataFrame, source: str = "responses.csv", remedy: str = "restore it from the repository"
) -> None:
    """See that coded rows are what they must be; ``remedy`` ends every message."""
    if problem := _problem(rows):
        raise MetacogError(f"{source}: {problem}; {remedy}")


def _problem(rows: pd.DataFrame) -> str:
    if missing := [c for c in RESPONSES if c not in rows.columns]:
        return f"the column {', '.join(missing)} is missing"
    if not len(rows):
        return "there are no responses"
    if unknown := sorted(set(rows["track"]) - set(TRACKS)):
        return f"unknown track {', '.join(unknown)} (there are: {', '.join(TRACKS)})"
    codes = {name: {"0", "1"} for name in ("correct", *PROBES)}
    for name, allowed in (codes | {"path": {"", *PATHS}, "match": {"", *MATCHES}}).items():
        if odd := sorted(set(rows[name]) - allowed):
            return f"{name} must be one of {', '.join(sorted(allowed - {''}))}, found {odd[0]!r}"
    twice = rows[rows.duplicated(list(KEY))]
    if twice.empty:
        return ""
    return f"{len(twice)} rows repeat a model's item, the first is {', '.join(twice.iloc[0][list(KEY)])}"
