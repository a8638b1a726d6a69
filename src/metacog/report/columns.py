"""Columns of a table as readers see them: title, decimals, and the header that neighbours share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import pandas as pd


class Sort(StrEnum):
    """What a column holds."""

    NUMBER = "number"
    COUNT = "count"
    TEXT = "text"
    ANSWER = "answer"  # yes or no; nothing where it is not known


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes
    ----------
    name : str
        In the data.
    title : str
        For readers.
    sort : Sort
    digits : int
        Decimals of a number.
    group : str
        A header above this column and its neighbours of the same group.
    optional : bool
        Left out where the data lack it, or where it is empty throughout.
    meaning : str
        What is meant, shown where its header is pointed at.
    """

    name: str
    title: str
    sort: Sort = Sort.NUMBER
    digits: int = 3
    group: str = ""
    optional: bool = False
    meaning: str = ""

    def titled(self, title: str, **changes: Any) -> Column:
        """The same column under another title."""
        return replace(self, title=title, **changes)


def number(name: str, title: str, digits: int = 3, group: str = "") -> Column:
    """A column of numbers."""
    return Column(name, title, Sort.NUMBER, digits, group)


def count(name: str, title: str) -> Column:
    """A column of whole numbers."""
    return Column(name, title, Sort.COUNT)


def text(name: str, title: str, *, optional: bool = False) -> Column:
    """A column of words."""
    return Column(name, title, Sort.TEXT, optional=optional)


def answer(name: str, title: str) -> Column:
    """A column of yes and no."""
    return Column(name, title, Sort.ANSWER)


def limits(low: str, high: str, group: str = "95 % interval", digits: int = 3) -> tuple[Column, Column]:
    """Both ends of an interval under one header."""
    return number(low, "from", digits, group), number(high, "to", digits, group)


def columns_of(*parts: Column | Iterable[Column]) -> tuple[Column, ...]:
    """Columns and intervals put in one row."""
    found: list[Column] = []
    for part in parts:
        found += [part] if isinstance(part, Column) else list(part)
    return tuple(found)


def of_frame(frame: pd.DataFrame, digits: int | Mapping[str, int] = 3) -> list[Column]:
    """Columns for data without a schema: the sort from the data, the title from the name."""
    found = []
    for name in map(str, frame.columns):
        values = frame[name]
        places = digits if isinstance(digits, int) else digits.get(name, 3)
        if pd.api.types.is_bool_dtype(values):
            sort = Sort.ANSWER
        elif pd.api.types.is_integer_dtype(values):
            sort = Sort.COUNT
        else:
            sort = Sort.NUMBER if pd.api.types.is_float_dtype(values) else Sort.TEXT
        found.append(Column(name, name.replace("_", " "), sort, places))
    return found
