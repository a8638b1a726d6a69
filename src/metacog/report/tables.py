"""Data as an HTML table: one look for every table of the book, with its titles, decimals and grouped headers."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import with_columns
from metacog.core.words import listed, plural
from metacog.report.columns import Column, Sort, sort_of
from metacog.report.show import carried, take_along
from metacog.report.vocabulary import RUN, ends_of, named, term, title_of

#: A text longer than this is set in lines; shorter ones keep to one line.
LONG_TEXT = 28
#: Stands where a value is missing.
NOTHING = "-"
#: A table of more columns tells above it what is the same in every row, instead of in a column.
MOST_COLUMNS = 6
#: Fewer rows do not show that a value is always the same.
FEWEST_ROWS = 3
_ENDS = ("from", "to")
#: What no line may end in, as HTML: an interval in brackets, the name of a measure, of a study or a task.
_WHOLE = re.compile(
    r"\[[^\[\]\s]+, [^\[\]\s]+\]|\bmeta-(?:I\w*|d(?:&#x27;)?)|\bM-ratio|\b(?:Study|task) \w\b"
)
#: A page of the book that a cell names, as in Markdown.
_LINK = re.compile(r"\[([^\]]+)\]\(([\w./-]+\.html)\)")


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
    long = leaf.kind == "text" and len(_LINK.sub(r"\1", text)) > LONG_TEXT
    return f'<td class="{leaf.kind}{" wrap" if long else ""}">{_whole(text)}</td>'


def _whole(text: str) -> str:
    """A text as HTML whose intervals and names of measures stay in one line, and whose pages are links."""
    whole = _WHOLE.sub(lambda found: f'<span class="whole">{found[0]}</span>', html.escape(text))
    return _LINK.sub(r'<a href="\2">\1</a>', whole)


#: A table of more rows is closed until its caption is clicked, unless the page says otherwise.
MOST_ROWS = 10
#: Decimals that a table's data keep where they leave the book as CSV.
CSV_DIGITS = "%.10g"


@dataclass(frozen=True)
class ShownTable:
    """A table that a notebook displays, or what is said instead of one without rows (``empty``).

    A column of words that is empty throughout is left out. A table that is ``folded`` is closed until its caption is
    clicked; without a say, where it has more than :data:`MOST_ROWS` rows.
    """

    frame: pd.DataFrame
    columns: tuple[Column, ...]
    caption: str = ""
    empty: str = ""
    folded: bool | None = None

    @property
    def shown(self) -> list[Column]:
        """The columns without those of words that are empty."""
        words = [c.name for c in self.columns if c.sort is Sort.TEXT]
        empty = {name for name in words if self.frame[name].fillna("").eq("").all()}
        return [column for column in self.columns if column.name not in empty]

    def csv(self) -> str:
        """What is shown, under the data's own names and unrounded; empty without rows."""
        if not len(self.frame):
            return ""
        return self.frame[[c.name for c in self.shown]].to_csv(index=False, float_format=CSV_DIGITS)

    def markup(self, name: str) -> str:
        """The table and its data under a name, as one line of HTML that Markdown may hold; empty without a table."""
        shown = re.sub(r"\s*\n\s*", " ", self._repr_html_())
        links = {"csv": carried("text/csv", self.csv())}
        return f"<div>{shown}{take_along(links, name, 'table')}</div>" if shown else ""

    def _repr_html_(self) -> str:
        rows = len(self.frame)
        if not rows:
            return f'<p class="no-rows">{html.escape(self.empty)}</p>' if self.empty else ""
        if not (rows > MOST_ROWS if self.folded is None else self.folded):
            return table_html(self.frame, self.shown, self.caption)
        summary = html.escape(self.caption or "The whole table")
        summary += f" <span>({plural(rows, 'row')}: click to open or close)</span>"
        inside = table_html(self.frame, self.shown)
        return f'<details class="long-table"><summary>{summary}</summary>{inside}</details>'

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """The data, for the page to offer below the table; the table itself is ``_repr_html_``."""
        data = self.csv()
        return {"text/csv": data} if data else {}


def table(
    frame: pd.DataFrame,
    *names: str,
    caption: str,
    titles: Mapping[str, str] | None = None,
    digits: Mapping[str, int] | None = None,
    interval: Mapping[str, tuple[str, str]] | None = None,
    folded: bool | None = None,
    empty: str = "",
) -> ShownTable:
    """Columns of a frame as a table, with the titles and decimals of the book.

    Parameters
    ----------
    frame : DataFrame
    *names : str
        Columns in their order; all without any, but for ends of intervals. A column of words that is empty
        throughout is left out. An estimate with columns ``NAME_lower`` and ``NAME_upper`` is shown with its interval.
        Of two runs that asked a model, the second is named with it where its row differs.
    caption : str
    titles, digits : mapping, optional
        By column, where they differ from the book's.
    interval : mapping of str to (str, str), optional
        Columns with the ends of an interval, by the column that they belong to.
    folded : bool, optional
        Whether it is closed until its caption is clicked; without a say, where it is long.
    empty : str
        Shown in place of a table without rows; nothing at all without it.

    Raises
    ------
    MetacogError
        If a column is missing; names those there are.
    """
    frame = with_columns(frame, (*names, *(end for pair in (interval or {}).values() for end in pair)))
    ends = {name: pair for name in map(str, frame.columns) if (pair := ends_of(frame, name))} | dict(
        interval or {}
    )
    within = {end for pair in ends.values() for end in pair}
    wanted = list(names) or [str(name) for name in frame.columns if name not in within]
    asked = [one for name in wanted for one in (name, *ends.get(name, ()))]
    if missing := [name for name in asked if name not in frame]:
        known = ", ".join(map(str, frame.columns))
        raise MetacogError(f"there is no column {listed(missing)} to show; the columns are: {known}")
    frame = frame.assign(**{name: named(frame, name) for name in wanted if term(name).values})
    for name in wanted:
        if title_of(name, titles) == term("model").title:
            frame = _apart(frame, name, asked)
    columns: list[Column] = []
    for name in wanted:
        known_as, title = term(name), title_of(name, titles)
        places = (digits or {}).get(name, known_as.digits)
        shown = Column(name, title, sort_of(frame[name], places), places, meaning=known_as.meaning)
        if name in ends:
            columns.append(replace(shown, title="is", group=title))
            pairs = list(zip(ends[name], _ENDS, strict=True))
            if words := [
                end
                for end, _ in pairs
                if sort_of(frame[end], places) is Sort.TEXT and frame[end].notna().any()
            ]:
                raise MetacogError(f"column {listed(words)} holds no numbers")
            columns += [Column(end, said, Sort.NUMBER, places, title) for end, said in pairs]
        else:
            columns.append(shown)
    return ShownTable(frame, tuple(columns), caption, empty, folded)


def _apart(frame: pd.DataFrame, model: str, asked: list[str]) -> pd.DataFrame:
    """Rows of a model that two runs asked, told apart by the second run's name; nothing twice."""
    if RUN in asked or RUN not in frame or frame[RUN].nunique() < 2:
        return frame
    second = frame[RUN] != frame[RUN].iloc[0]
    again = second & frame[model].isin(frame.loc[~second, model])
    told = frame[model].where(~again, frame[model].astype(str) + ", " + frame[RUN])
    return frame.assign(**{model: told})[~(again & frame.duplicated(asked))]
