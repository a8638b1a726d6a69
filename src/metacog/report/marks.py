"""What a figure shows: marks from the columns of a frame, how they look, and the same in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of, with_columns
from metacog.core.words import listed, plural
from metacog.report.matrices import ANSWERS
from metacog.report.style import GREY, MARKERS, PALETTE
from metacog.report.vocabulary import RUN, ends_of, named, term, title_of

#: A figure of so many rows says each of them in its text; of more, the ends.
MOST_TOLD = 12
#: Whose a row is that a reader put beside those of two runs.
ADDED = "added"

Values = str | Sequence[str]
Interval = Mapping[str, tuple[str, str]] | tuple[str, str] | None


@dataclass
class Given:
    """A frame and the titles of its columns."""

    frame: pd.DataFrame
    titles: Mapping[str, str] | None

    def need(self, *names: str) -> None:
        self.frame = with_columns(self.frame, names)
        if missing := [name for name in names if name and name not in self.frame]:
            known = ", ".join(map(str, self.frame.columns))
            raise MetacogError(f"there is no column {listed(missing)} to draw; the columns are: {known}")

    def title(self, name: str) -> str:
        return title_of(name, self.titles)

    def axis(self, values: Sequence[str]) -> str:
        """Title of the axis of values: theirs if they are one, what they have in common otherwise."""
        common = (self.titles or {}).get("")
        if common is not None:
            return common
        if len(values) == 1:
            unit = term(values[0]).unit
            return f"{self.title(values[0])} ({unit})" if unit else self.title(values[0])
        units = list(dict.fromkeys(term(one).unit for one in values))
        return units[0] if len(units) == 1 else ""

    def numbered(self, rows: Sequence[str]) -> str:
        """Title of rows or colours that are numbers, which do not say by themselves what they are; empty of others."""
        one = named(self.frame, rows[0]) if len(rows) == 1 and rows[0] else pd.Series(dtype=object)
        return self.title(rows[0]) if is_numeric_dtype(one) else ""

    def panels(self, name: str) -> pd.Series:
        """What panels are called; those of numbers, with what the numbers are."""
        values = named(self.frame, name).reset_index(drop=True)
        if is_numeric_dtype(values):
            return values.map(lambda value: f"{self.title(name)} {value:g}")
        return values.astype(str)

    def used(self, marks: pd.DataFrame, *names: str) -> pd.DataFrame:
        """The columns that are drawn, as the frame has them."""
        wanted = [*names, *marks["value"].unique()]
        wanted += [end for one in dict.fromkeys(marks["value"]) for end in (ends_of(self.frame, one) or ())]
        wanted += [end for end in dict.fromkeys([*marks["low_from"], *marks["high_from"]]) if end]
        wanted += [RUN] if RUN in self.frame else []
        kept = [name for name in dict.fromkeys(wanted) if name and name in self.frame]
        return self.frame[kept].reset_index(drop=True)


def names_of(value: Values) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def marks_of(
    given: Given,
    values: Sequence[str],
    rows: Sequence[str],
    *,
    colour: str,
    panel: str,
    interval: Interval,
    hollow: Sequence[str] = (),
    beside: bool = False,
) -> pd.DataFrame:
    """One line per mark: where it stands, what it is called, whose it is; values ``beside`` have panels apart."""
    frame, parts = given.frame.reset_index(drop=True), []
    drawn_open, hollow = set(values) & set(hollow), [one for one in hollow if one not in values]
    if RUN in frame:
        frame = frame.assign(**{RUN: frame[RUN].fillna(ADDED)})
    several = frame[RUN].nunique() > 1 if RUN in frame else False
    first = frame[RUN].iloc[0] if several else None
    for one in values:
        ends = interval.get(one) if isinstance(interval, Mapping) else interval
        ends = ends or ends_of(frame, one) or ("", "")
        if ends[0]:
            given.need(*ends)
        by = named(frame, colour).astype(str) if colour else pd.Series(given.title(one), index=frame.index)
        opened: list[Any] = [[one in drawn_open] * len(frame), *(_open(frame[n]) for n in hollow)]
        part = pd.DataFrame(
            {
                "value": one,
                "row": _together([named(frame, one) for one in rows]),
                "series": by if not colour or len(values) == 1 or beside else by + ", " + given.title(one),
                "panel": given.panels(panel) if panel else "",
                "at": pd.to_numeric(frame[one], errors="coerce"),
                "low": pd.to_numeric(frame[ends[0]], errors="coerce") if ends[0] else np.nan,
                "high": pd.to_numeric(frame[ends[1]], errors="coerce") if ends[1] else np.nan,
                "low_from": ends[0],
                "high_from": ends[1],
                "open": np.logical_or.reduce(opened),
                "second": frame[RUN] != first if several else False,
                "whose": frame[RUN].astype(str) if several else "",
            }
        )
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _open(told: pd.Series) -> pd.Series:
    """Which rows a column marks: those of which it says something, or, where it holds answers, not *yes*."""
    return told.ne("yes") if told.isin(ANSWERS).all() else told.fillna(False).astype(bool)


def _together(columns: Sequence[pd.Series]) -> pd.Series:
    """Names of rows: a column as it is, several put together."""
    first, *more = columns
    for one in more:
        first = first.astype(str) + ", " + one.astype(str)
    return first


def order_of(marks: pd.DataFrame, *, sort: bool) -> list[Any]:
    if not sort:
        return list(dict.fromkeys(marks["row"]))
    best = marks.groupby("row", sort=False)["at"].first()
    return list(best.sort_values(ascending=False, kind="stable", na_position="last").index)


def looks_of(marks: pd.DataFrame, several: object, colour: str) -> dict[str, dict[str, Any]]:
    """Colour and mark of each series; one dark blue where there is but one thing to show."""
    drawn = list(dict.fromkeys(marks["series"]))
    if not several:
        return {name: {"color": PALETTE[0], "marker": MARKERS[0]} for name in drawn}
    known = term(colour).values.values() if term(colour).fixed else ()
    neutral = term(colour).neutral
    return {
        name: {
            "color": GREY if neutral and name == neutral else PALETTE[i % len(PALETTE)],
            "marker": MARKERS[i % len(MARKERS)],
        }
        for i, name in enumerate(dict.fromkeys([*known, *drawn]))
        if name in drawn
    }


def in_words(value: float) -> str:
    if not np.isfinite(value):
        return "not known"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _with_ends(mark: Any) -> str:
    whole = np.isfinite(mark.low) and np.isfinite(mark.high)
    return (
        f"{in_words(mark.at)} ({in_words(mark.low)} to {in_words(mark.high)})" if whole else in_words(mark.at)
    )


def rows_told(given: Given, marks: pd.DataFrame, values: Sequence[str], rows: Sequence[str]) -> str:
    """What a figure of rows shows, in words."""
    told = f"{listed(dict.fromkeys(given.title(one) for one in values))} by {listed(given.title(one) for one in rows)}"
    known = marks[marks["at"].notna()]
    if len(known) <= MOST_TOLD:
        return f"{told}. " + "; ".join(f"{_who(mark)} {_with_ends(mark)}" for mark in rows_of(known))
    by_value = rows_of(known.sort_values("at", kind="stable"))
    low, high = by_value[0], by_value[-1]
    return (
        f"{told}, {plural(len(known), 'value')}: from {in_words(low.at)} ({_who(low)}) to {in_words(high.at)} "
        f"({_who(high)})"
    )


def _who(mark: Any) -> str:
    parts = (str(mark.row), str(mark.series), str(mark.panel), str(mark.whose))
    return ", ".join(dict.fromkeys(part for part in parts if part))


def lines_told(given: Given, marks: pd.DataFrame, x: str, values: Sequence[str]) -> str:
    told = f"{listed(dict.fromkeys(given.title(one) for one in values))} by {given.title(x)}"
    each = []
    for (name, panel, whose), part in marks[marks["at"].notna()].groupby(
        ["series", "panel", "whose"], sort=False
    ):
        part = part.sort_values("row", kind="stable")
        first, last = part.iloc[0], part.iloc[-1]
        who = ", ".join(dict.fromkeys(str(p) for p in (panel, name, whose) if p))
        each.append(
            f"{who} from {in_words(first['at'])} at {first['row']:g} to {in_words(last['at'])} at {last['row']:g}"
        )
    if len(each) > MOST_TOLD:
        return f"{told}, {plural(len(each), 'line')}; {each[0]}; {each[-1]}"
    return f"{told}. {'; '.join(each)}"
