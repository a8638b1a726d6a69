"""Sentences that several chapters of study 1 share."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed
from metacog.studies.study1_qa.cells.flags import Flag


def silent_in(table: pd.DataFrame) -> list[str]:
    """Models none of whose cells in a table with the columns ``model`` and ``flag`` has a confidence."""
    silent = (table["flag"] == Flag.SILENT).groupby(table["model"], sort=False).all()
    return [str(model) for model in silent.index[silent]]


def nothing_read(models: list[str]) -> str:
    """That nothing can be said of models because no confidence could be read; empty without any."""
    return f"No confidence could be read in the answers of {listed(models)}." if models else ""
