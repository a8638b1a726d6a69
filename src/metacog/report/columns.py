"""Columns of a table as readers see them: title, decimals, and the header that neighbours share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pandas as pd


class Sort(StrEnum):
    """What a column holds."""

    NUMBER = "number"
    COUNT = "count"
    TEXT = "text"
    ANSWER = "answer"  # yes or no; nothing where it is not known


def sort_of(values: pd.Series, digits: int) -> Sort:
    """What a column holds, by its type, or that of all values that are there; numbers without decimals are counts."""
    if values.dtype == object and len(known := values.dropna()):
        values = known.infer_objects()
    if pd.api.types.is_bool_dtype(values):
        return Sort.ANSWER
    if pd.api.types.is_integer_dtype(values):
        return Sort.COUNT
    if pd.api.types.is_float_dtype(values):
        return Sort.NUMBER if digits else Sort.COUNT
    return Sort.TEXT


@dataclass(frozen=True)
class Column:
    """One column: its name in the data, and its title for readers.

    ``group`` is a header above this column and its neighbours of the same group; ``meaning`` is shown where its header
    is pointed at.
    """

    name: str
    title: str
    sort: Sort
    digits: int = 3
    group: str = ""
    meaning: str = ""
