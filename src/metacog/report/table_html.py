"""Data as an HTML table: one look for every table of the book."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import pandas as pd

from metacog.report.columns import Column, Sort

#: A text longer than this is set in lines; shorter ones keep to one line.
LONG_TEXT = 28
#: Stands where a value is missing.
NOTHING = "-"
#: A table of more columns tells above it what is the same in every row, instead of in a column.
MOST_COLUMNS = 6
#: Fewer rows do not show that a value is always the same.
FEWEST_ROWS = 3
_ENDS = ("from", "to")
#: What no line may end in, as HTML: an interval in brackets, the name of a measure.
_WHOLE = re.compile(r"\[[^\[\]\s]+, [^\[\]\s]+\]|\bmeta-(?:I\w*|d(?:&#x27;)?)|\bM-ratio")


@dataclass(frozen=True)
class _Leaf:
    """What stands under one header: a column, or both ends of an interval."""

    column: Column
    title: str
    group: str
    until: Column | None = None

    @property
    def kind(self) -> str:
        return "number" if self.column.sort in (Sort.NUMBER, Sort.COUNT) else "text"

    @property
    def whole_title(self) -> str:
        return f"{self.group} {self.title}".strip()

    def text(self, row: Mapping[Hashable, Any]) -> str:
        """The cell, as it is read."""
        value = cell_text(self.column, row[self.column.name])
        if self.until is None:
            return value
        end = cell_text(self.until, row[self.until.name])
        return NOTHING if value == end == NOTHING else f"{value} to {end}"


def table_html(frame: pd.DataFrame, columns: Sequence[Column], caption: str = "") -> str:
    """Data as an HTML table.

    Numbers of a column have equally many decimals and stand to the right, so that their points align. Both
    ends of an interval share a cell. Of a table of more than :data:`MOST_COLUMNS` columns, those that hold
    the same in every row give way to a sentence. Where no column has a title, there is no row of headers.
    """
    leaves = _leaves(columns)
    rows = [[leaf.text(row) for leaf in leaves] for row in frame.to_dict("records")]
    kept, same = _varying(leaves, rows)
    titled = any(leaves[i].whole_title for i in kept)
    head = f"<thead>{_head([leaves[i] for i in kept])}</thead>" if titled else ""
    body = "".join(f"<tr>{''.join(_cell(leaves[i], row[i]) for i in kept)}</tr>" for row in rows)
    above = " ".join(part for part in (html.escape(caption), same) if part)
    above = f"<caption>{above}</caption>" if above else ""
    return f'<table class="book-table">{above}{head}<tbody>{body}</tbody></table>'


def cell_text(column: Column, value: Any) -> str:
    """A value with the decimals of its column."""
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if column.sort is Sort.ANSWER:
        return "yes" if value else "no"
    if column.sort is Sort.COUNT:
        return _unsigned_zero(f"{value:,.0f}")
    if column.sort is Sort.NUMBER:
        return _unsigned_zero(f"{value:,.{column.digits}f}")
    return str(value)


def _unsigned_zero(text: str) -> str:
    """``-0.00`` says no more than ``0.00``."""
    return text.removeprefix("-") if not text.strip("-0.") else text


def _leaves(columns: Sequence[Column]) -> list[_Leaf]:
    """Columns with the ends of intervals joined; a header over nothing but an interval is its title."""
    joined: list[_Leaf] = []
    for column in columns:
        last = joined[-1] if joined else None
        ends = last is not None and (last.column.title, column.title) == _ENDS
        if last is not None and ends and last.group and last.group == column.group:
            joined[-1] = replace(last, title="interval", until=column)
        else:
            joined.append(_Leaf(column, column.title, column.group))
    found: list[_Leaf] = []
    for group, members in groupby(joined, key=lambda leaf: leaf.group):
        inside = list(members)
        alone = len(inside) == 1 and inside[0].until is not None
        found += [replace(inside[0], title=group.strip(), group="")] if alone else inside
    return found


def _varying(leaves: Sequence[_Leaf], rows: Sequence[Sequence[str]]) -> tuple[list[int], str]:
    """Which columns are shown, and a sentence on those that hold the same in every row."""
    every = list(range(len(leaves)))
    if len(leaves) <= MOST_COLUMNS or len(rows) < FEWEST_ROWS:
        return every, ""
    constant = [i for i in every[1:] if len({row[i] for row in rows}) == 1]
    if not constant or len(constant) == len(every) - 1:
        return every, ""
    values = (rows[0][i] if rows[0][i] != NOTHING else "none" for i in constant)
    told = "; ".join(f"{leaves[i].whole_title} {value}" for i, value in zip(constant, values, strict=True))
    sentence = f'<span class="same">In every row: {html.escape(told)}.</span>'
    return [i for i in every if i not in constant], sentence


def _head(leaves: Sequence[_Leaf]) -> str:
    if not any(leaf.group for leaf in leaves):
        return f"<tr>{''.join(_title(leaf, 1) for leaf in leaves)}</tr>"
    first, second = [], []
    for group, members in groupby(leaves, key=lambda leaf: leaf.group):
        inside = list(members)
        if group:
            span = f'colspan="{len(inside)}" scope="colgroup"'
            first.append(f'<th class="group" {span}>{html.escape(group)}</th>')
            second += [_title(leaf, 1) for leaf in inside]
        else:
            first += [_title(leaf, 2) for leaf in inside]
    return f"<tr>{''.join(first)}</tr><tr>{''.join(second)}</tr>"


def _title(leaf: _Leaf, rows: int) -> str:
    span = f' rowspan="{rows}"' if rows > 1 else ""
    meant = f' title="{html.escape(leaf.column.meaning)}"' if leaf.column.meaning else ""
    return f'<th class="{leaf.kind}"{span}{meant} scope="col">{_whole(leaf.title)}</th>'


def _cell(leaf: _Leaf, text: str) -> str:
    long = leaf.kind == "text" and len(text) > LONG_TEXT
    return f'<td class="{leaf.kind}{" wrap" if long else ""}">{_whole(text)}</td>'


def _whole(text: str) -> str:
    """A text as HTML whose intervals and names of measures stay in one line."""
    return _WHOLE.sub(lambda found: f'<span class="whole">{found[0]}</span>', html.escape(text))
