"""Tables as readers see them: titles, decimals and grouped headers stand next to their columns."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError

#: A text longer than this is set in lines; shorter ones keep to one line.
LONG_TEXT = 28
#: A table of more rows is closed until its caption is clicked.
MOST_ROWS = 30
#: Stands where a value is missing.
NOTHING = "-"


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
    """

    name: str
    title: str
    sort: Sort = Sort.NUMBER
    digits: int = 3
    group: str = ""
    optional: bool = False

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


Pick = Callable[[pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True)
class Schema:
    """A table as it is shown: which columns of which data, in which order.

    Attributes
    ----------
    of : str or callable
        Field of the result that holds the data, or what makes them from the result.
    columns : tuple of Column
        Without any the data decide: their columns, under their own names.
    caption : str
    pick : callable or None
        Rows to show, and their order; all as they stand without it.
    empty : str or None
        Shown instead of a table without rows; nothing at all where it is None.
    digits : mapping
        Decimals by column, where the data decide the columns; 3 for those that are not named.
    """

    of: str | Callable[[Any], pd.DataFrame]
    columns: tuple[Column, ...]
    caption: str = ""
    pick: Pick | None = None
    empty: str | None = ""
    digits: Mapping[str, int] = field(default_factory=dict)

    def data(self, result: Any) -> pd.DataFrame:
        """The data of a result."""
        rows: pd.DataFrame = self.of(result) if callable(self.of) else getattr(result, self.of)
        return rows

    def shown(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The data's rows and columns that are shown, checked.

        Raises
        ------
        MetacogError
            If a column is missing or holds another sort of thing.
        """
        rows = frame if self.pick is None else self.pick(frame)
        if not len(rows) or not self.columns:
            return rows if not self.columns else pd.DataFrame(columns=[c.name for c in self.columns])
        problems = [p for c in self.columns if (p := _problem(c, rows))]
        if problems:
            raise MetacogError(f"table {self.of}: {'; '.join(problems)}")
        kept = [c.name for c in self.columns if not _left_out(c, rows)]
        return rows[kept].reset_index(drop=True)

    def html(self, frame: pd.DataFrame) -> str:
        """The table as HTML; one of more than :data:`MOST_ROWS` rows opens when its caption is clicked."""
        rows = self.shown(frame)
        if not len(rows) and self.empty is None:
            return ""
        if not len(rows) and self.empty:
            return f'<p class="no-rows">{html.escape(self.empty)}</p>'
        columns = [c for c in self.columns if c.name in rows.columns] or of_frame(rows, self.digits)
        if len(rows) <= MOST_ROWS:
            return table_html(rows, columns, self.caption)
        summary = html.escape(self.caption or "The whole table")
        summary += f" <span>({len(rows):,} rows: click to open or close)</span>"
        return (
            f'<details class="long-table"><summary>{summary}</summary>{table_html(rows, columns)}</details>'
        )


def _left_out(column: Column, rows: pd.DataFrame) -> bool:
    if not column.optional:
        return False
    return column.name not in rows or not rows[column.name].fillna("").astype(bool).any()


def _problem(column: Column, rows: pd.DataFrame) -> str:
    if column.name not in rows:
        return "" if column.optional else f"there is no column {column.name}"
    values = rows[column.name]
    if column.sort in (Sort.NUMBER, Sort.COUNT):
        good = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
        good = good or bool(values.isna().all())
    elif column.sort is Sort.ANSWER:
        good = bool(values.map(lambda v: v is None or v is pd.NA or v != v or v in (True, False)).all())
    else:
        good = bool(values.map(lambda v: isinstance(v, str) or v is None or v != v).all())
    return "" if good else f"{column.name} is not a column of {column.sort}s"


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


def table_html(frame: pd.DataFrame, columns: Sequence[Column], caption: str = "") -> str:
    """Data as an HTML table: one look for every table of the book.

    Numbers of a column have equally many decimals and stand to the right, so that their points align.
    """
    body = []
    for row in frame.to_dict("records"):
        cells = (f'<td class="{_class(c, row[c.name])}">{_cell(c, row[c.name])}</td>' for c in columns)
        body.append(f"<tr>{''.join(cells)}</tr>")
    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return (
        f'<table class="book-table">{above}<thead>{_head(columns)}</thead>'
        f"<tbody>{''.join(body)}</tbody></table>"
    )


def _head(columns: Sequence[Column]) -> str:
    grouped = any(c.group for c in columns)
    if not grouped:
        return f"<tr>{''.join(_title(c, 1) for c in columns)}</tr>"
    first, second = [], []
    for group, members in groupby(columns, key=lambda c: c.group):
        inside = list(members)
        if group:
            first.append(
                f'<th class="group" colspan="{len(inside)}" scope="colgroup">{html.escape(group)}</th>'
            )
            second += [_title(c, 1) for c in inside]
        else:
            first += [_title(c, 2) for c in inside]
    return f"<tr>{''.join(first)}</tr><tr>{''.join(second)}</tr>"


def _title(column: Column, rows: int) -> str:
    span = f' rowspan="{rows}"' if rows > 1 else ""
    kind = "number" if column.sort in (Sort.NUMBER, Sort.COUNT) else "text"
    return f'<th class="{kind}"{span} scope="col">{html.escape(column.title)}</th>'


def _class(column: Column, value: Any) -> str:
    if column.sort in (Sort.NUMBER, Sort.COUNT):
        return "number"
    return "text wrap" if isinstance(value, str) and len(value) > LONG_TEXT else "text"


def _cell(column: Column, value: Any) -> str:
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if column.sort is Sort.ANSWER:
        return "yes" if value else "no"
    if column.sort is Sort.COUNT:
        return f"{value:,.0f}"
    if column.sort is Sort.NUMBER:
        return f"{value:,.{column.digits}f}"
    return html.escape(str(value))


@dataclass(frozen=True)
class ShownTable:
    """A table that a notebook displays."""

    schema: Schema
    frame: pd.DataFrame

    def _repr_html_(self) -> str:
        return self.schema.html(self.frame)


def columns_of(*parts: Column | Iterable[Column]) -> tuple[Column, ...]:
    """Columns and intervals put in one row."""
    found: list[Column] = []
    for part in parts:
        found += [part] if isinstance(part, Column) else list(part)
    return tuple(found)
