"""Cells without a table of ratings, in words: what was asked, what can be used of it, and what is missing."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.studies.study2_two_choice.cells.sentences import place


def usable_of(unfitted: pd.DataFrame) -> str:
    """How many trials of the cells of :func:`.ratings.unfitted` can be used, and in how many cells what is missing."""
    asked, kept = int(unfitted["asked"].sum()), int(unfitted["usable"].sum())
    counted = unfitted["why"].value_counts(sort=False)
    why = "; ".join(f"in {n} of {plural(len(unfitted), 'cell')} {reason}" for reason, n in counted.items())
    return (
        f"Of {plural(asked, 'trial')} {int(unfitted['decided'].sum()):,} have a decision, and {kept:,} a decision "
        f"and a rating: {why}."
    )


def reasons(unfitted: pd.DataFrame) -> list[str]:
    """What is missing, and for which cells with how many trials and ratings: one part of a sentence each."""
    return [
        f"{why} for {listed(map(_counts, rows_of(cells)))}"
        for why, cells in unfitted.groupby("why", sort=False)
    ]


def _counts(row: Any) -> str:
    return (
        f"{place(row)} (a decision in {row.decided} of {plural(row.asked, 'trial')}, a rating with it in {row.usable}; "
        f"{plural(row.levels, 'different rating')})"
    )
