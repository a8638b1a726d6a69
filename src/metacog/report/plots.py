"""The figures of the book: four shapes, drawn from the columns of a frame.

A chapter names columns; titles and units come from :mod:`metacog.report.vocabulary`. Every figure is drawn twice, for a
page and for a phone, and carries its data and a text that says in words what it shows, made from the same numbers.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator
from pandas.api.types import is_integer_dtype

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.drawing import Drawn
from metacog.report.marks import (
    MOST_TOLD,
    Given,
    Interval,
    Values,
    in_words,
    lines_told,
    looks_of,
    marks_of,
    names_of,
    order_of,
    rows_told,
)
from metacog.report.style import GREY, WIDTH, use_style
from metacog.report.vocabulary import ends_of, named

#: Width of the variant for phones, in inches.
NARROW = 3.5
#: Height of one row and of all that is not rows, in inches.
ROW, REST = 0.34, 0.9
#: From so many rows on they are set closer, and a row so high.
MANY_ROWS, CLOSE_ROW = 20, 0.24
#: With more rows than this, the numbers of the axis stand above the rows as well.
BOTH_ENDS = 15
#: Height of one line of a row's name of several, and of the space between two such names.
NAME_LINE, NAME_REST = 0.19, 0.14
#: Height of a hill above the rows.
HILL = 1.3
#: Height of a line of a legend or of a panel's title.
LINE = 0.21
#: Fewer numbers are set below an axis until they are so many pixels apart, or so few are left.
MIN_TOLD, TICK_GAP = 2, 5
#: Numbers of so many letters never touch.
SHORT = 3
#: Letters of a row's name that fit in one line, on a page and on a phone.
LETTERS, LETTERS_NARROW = 34, 17


def forest(
    frame: pd.DataFrame,
    *,
    value: Values,
    rows: Values,
    caption: str,
    label: str = "",
    colour: str = "",
    panel: str = "",
    interval: Interval = None,
    beside: bool = False,
    reference: float | Mapping[str, float] | None = None,
    sort: bool = False,
    hollow: Values = (),
    inline: bool = False,
    missing: str = "not testable",
    log: bool = False,
    limits: tuple[float, float] | None = None,
    titles: Mapping[str, str] | None = None,
    hill: pd.DataFrame | None = None,
) -> Drawn:
    """Estimates with their intervals, one row each, read from left to right.

    Parameters
    ----------
    frame : DataFrame
        One row an estimate. Where a column ``run`` holds two runs, marks of the first are filled, of the second open.
    value : str or sequence of str
        Columns of estimates; several share a row, each in a colour of its own.
    rows : str or sequence of str
        Columns that name the rows, put together.
    caption : str
    label : str
        Under which pages refer to the figure.
    colour : str
        Column whose values have a colour and a mark each.
    panel : str
        Column whose values have a panel each.
    interval : (str, str) or mapping of str to (str, str), optional
        Columns with the ends, of all values or by value; without it ``VALUE_lower`` and ``VALUE_upper`` if they exist.
    beside : bool
        Each value has a panel of its own, on rows in common.
    reference : float or mapping of str to float, optional
        A dashed line, for all values or by value.
    sort : bool
        Largest value on top; otherwise as the frame stands.
    hollow : str or sequence of str
        Columns of yes and no: marks of these rows are open. Of answers, all but *yes* are open. Of a column among
        ``value``, as of printed figures beside ours, every mark is open.
    inline : bool
        Marks of a row stand on one line, the interval of the first alone; otherwise one below the other.
    missing : str
        What stands in a row without a value.
    log : bool
        A logarithmic axis, as for ratios.
    limits : (float, float), optional
        Of the axis.
    titles : mapping of str to str, optional
        Titles of columns that differ from the book's, for this figure.
    hill : DataFrame, optional
        Drawn above the rows: the ``height`` of a hill at each ``value``, with its name and colour in the same columns.

    Raises
    ------
    MetacogError
        If a column is missing; names those there are.
    """
    values, named = names_of(value), names_of(rows)
    given = Given(frame, titles)
    given.need(*values, *named, colour, panel, *names_of(hollow))
    if hill is not None:
        Given(hill, titles).need(values[0], *named, colour, "height")
    marks = marks_of(
        given,
        values,
        named,
        colour=colour,
        panel="" if beside else panel,
        interval=interval,
        hollow=names_of(hollow),
        beside=beside,
    )
    if beside:
        marks["panel"] = marks["value"].map(given.title)
    if marks["at"].notna().sum() == 0:
        return Drawn(None, label, caption, "")
    order = order_of(marks, sort=sort)
    series = looks_of(marks, colour or (len(values) > 1 and not beside), colour)
    if inline:
        marks.loc[marks["value"] != values[0], ["low", "high"]] = np.nan

    def draw(width: float) -> Figure:
        letters = LETTERS if width >= WIDTH else LETTERS_NARROW
        panels = list(dict.fromkeys(marks["panel"]))
        across = min(len(panels), 2) if width >= WIDTH else 1
        down = -(-len(panels) // across)
        row = CLOSE_ROW if len(order) >= MANY_ROWS else ROW
        row *= 1 if inline else 1 + 0.22 * max(0, _most_in_a_row(marks) - 1)
        places, end = _places(order, letters, row)
        rest = REST + LINE * bool(panels[0]) + LINE * (len(order) > BOTH_ENDS)
        above = 0.0 if hill is None else HILL
        figure = Figure(figsize=(width, down * (rest + row * end + above)), layout="constrained")
        axes = figure.subplots(down, across, squeeze=False, sharey=True, sharex=not beside)
        for axis, name in zip(axes.flat, panels, strict=False):
            own = marks[marks["panel"] == name]
            _draw_rows(axis, own, places, series, inline=inline, missing=missing)
            _name_rows(axis, places, end, letters)
            if hill is not None:
                look = series.get(str(hill[colour].iloc[0]) if colour else "", series[next(iter(series))])
                _draw_hill(axis, hill, values[0], named[0], above / row, look["color"], letters)
            shown = list(dict.fromkeys(own["value"]))
            for one in shown:
                place = reference.get(one) if isinstance(reference, Mapping) else reference
                if place is not None:
                    axis.axvline(place, color=GREY, ls="--", lw=1.2, zorder=1)
            axis.set_xlabel(_wrapped(given.axis(shown), letters if width < WIDTH else 60 // across))
            axis.set_ylabel(given.numbered(named))
            if not beside and name != "":
                axis.set_title(_wrapped(name, 20 if across > 1 else 60), loc="left")
            if log:
                axis.set_xscale("log")
                axis.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:,g}"))
                axis.xaxis.set_minor_formatter(NullFormatter())
            if limits:
                axis.set_xlim(*limits)
            if len(order) > BOTH_ENDS:
                axis.tick_params(axis="x", labeltop=True)
        for axis in list(axes.flat)[len(panels) :]:
            axis.set_visible(False)
        for axis in list(axes.flat)[: len(panels)]:
            axis.tick_params(labelbottom=True)
        _legend(figure, series, marks, width, title=given.numbered([colour]))
        return figure

    told, used = rows_told(given, marks, values, named), given.used(marks, *named, colour, panel)
    if hill is not None:
        top = float(hill[values[0]].to_numpy()[hill["height"].argmax()])
        told += f". Above: {hill[named[0]].iloc[0]}, a hill that is highest at {in_words(top)}"
        used = pd.concat([used, hill], ignore_index=True)
    return _drawn(draw, label, caption, told, used)


def lines(
    frame: pd.DataFrame,
    *,
    x: str,
    value: Values,
    caption: str,
    label: str = "",
    colour: str = "",
    panel: str = "",
    interval: Interval = None,
    reference: float | None = None,
    diagonal: bool = False,
    log: bool = False,
    points: bool = True,
    limits: tuple[float, float] | None = None,
    titles: Mapping[str, str] | None = None,
) -> Drawn:
    """Values along a quantity, joined by lines; ends of intervals make a band.

    Parameters
    ----------
    frame, value, caption, label, colour, panel, interval, titles
        As in :func:`forest`; ``limits`` and ``reference`` are of the vertical axis.
    x : str
        Column along which the values change.
    diagonal : bool
        Draw the line on which both axes agree.
    log : bool
        A logarithmic axis, marked at the values there are; that of temperatures is one unless one of them is 0.
    points : bool
        Mark each value.

    Raises
    ------
    MetacogError
        If a column is missing; names those there are.
    """
    values, given = names_of(value), Given(frame, titles)
    given.need(*values, x, colour, panel)
    marks = marks_of(given, values, [x], colour=colour, panel=panel, interval=interval)
    if marks["at"].notna().sum() == 0:
        return Drawn(None, label, caption, "")
    series = looks_of(marks, colour or len(values) > 1, colour)

    def draw(width: float) -> Figure:
        figure, panels = _panels(marks, width, 3.1 if marks["panel"].nunique() < 2 else 2.6)
        for axis, name in panels:
            own = marks[marks["panel"] == name]
            for one, part in own.groupby(["series", "second"], sort=False):
                look, part = series[str(one[0])], part.sort_values("row", kind="stable")
                face: dict[str, Any] = {"markerfacecolor": "white"} if one[1] else {}
                shown = {"marker": look["marker"], "ms": 6} if points else {"marker": ""}
                dashes = "--" if one[1] else "-"
                axis.plot(part["row"], part["at"], color=look["color"], ls=dashes, lw=1.8, **shown, **face)
                if part["low"].notna().any():
                    axis.fill_between(
                        part["row"].astype(float),
                        part["low"],
                        part["high"],
                        color=look["color"],
                        alpha=0.15,
                        lw=0,
                    )
            if reference is not None:
                axis.axhline(reference, color=GREY, ls="--", lw=1.2, zorder=1)
            if diagonal:
                axis.axline((0, 0), slope=1, color=GREY, ls="--", lw=1.2, zorder=1)
            if log or (x == "temperature" and bool((marks["row"] > 0).all())):
                axis.set_xscale("log")
                axis.xaxis.set_major_locator(FixedLocator(_apart(marks["row"])))
                axis.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
                axis.xaxis.set_minor_locator(NullLocator())
                axis.tick_params(axis="x", labelsize=9)
            elif is_integer_dtype(frame[x]):
                axis.xaxis.set_major_locator(MaxNLocator(integer=True))
            if limits:
                axis.set_ylim(*limits)
        _axis_titles(figure, panels, given.title(x), given.axis(values), width)
        _legend(figure, series, marks, width, title=given.numbered([colour]))
        return figure

    return _drawn(
        draw, label, caption, lines_told(given, marks, x, values), given.used(marks, x, colour, panel)
    )


def dots(
    frame: pd.DataFrame,
    *,
    x: str,
    y: str,
    caption: str,
    label: str = "",
    colour: str = "",
    names: str = "",
    panel: str = "",
    intervals: bool = True,
    diagonal: bool = False,
    references: tuple[float | None, float | None] = (None, None),
    limits: tuple[float, float] | None = None,
    equal: bool = False,
    titles: Mapping[str, str] | None = None,
) -> Drawn:
    """Two quantities against each other, a dot for each row.

    Parameters
    ----------
    frame, caption, label, colour, panel, titles
        As in :func:`forest`.
    x, y : str
    names : str
        Column that names the dots beside them.
    intervals : bool
        Draw the intervals of both where the frame has them.
    diagonal : bool
        Draw the line on which both are equal.
    references : (float or None, float or None)
        Dashed lines at a value of ``x`` and at one of ``y``.
    limits : (float, float), optional
        Of the vertical axis.
    equal : bool
        Both axes have the same ends.

    Raises
    ------
    MetacogError
        If a column is missing; names those there are.
    """
    given = Given(frame, titles)
    given.need(x, y, colour, panel, names)
    frame = given.frame
    marks = marks_of(given, [y], [x], colour=colour, panel=panel, interval=None)
    marks["name"] = named(frame, names).astype(str).to_numpy() if names else ""
    for side, end in zip(("left", "right"), ends_of(frame, x) or ("", ""), strict=True):
        marks[side] = pd.to_numeric(frame[end]).to_numpy() if end else np.nan
    if (marks["at"].notna() & marks["row"].notna()).sum() == 0:
        return Drawn(None, label, caption, "")
    series = looks_of(marks, colour, colour)

    def draw(width: float) -> Figure:
        figure, panels = _panels(marks, width, 4.0 if marks["panel"].nunique() < 2 else 3.0)
        for axis, name in panels:
            for one, part in marks[marks["panel"] == name].groupby(["series", "second"], sort=False):
                look = series[str(one[0])]
                face: dict[str, Any] = {"markerfacecolor": "white"} if one[1] else {}
                if intervals:
                    axis.hlines(part["at"], part["left"], part["right"], color=look["color"], lw=1, alpha=0.5)
                    axis.vlines(part["row"], part["low"], part["high"], color=look["color"], lw=1, alpha=0.5)
                axis.plot(part["row"], part["at"], ls="none", ms=7, **look, **face)
                for dot in rows_of(part):
                    if dot.name and np.isfinite(dot.at):
                        axis.annotate(
                            dot.name,
                            (dot.row, dot.at),
                            (5, 4),
                            textcoords="offset points",
                            fontsize=8.5,
                            color=GREY,
                        )
            for line, at in zip((axis.axvline, axis.axhline), references, strict=True):
                if at is not None:
                    line(at, color=GREY, ls="--", lw=1.2, zorder=1)
            if diagonal:
                axis.axline((0, 0), slope=1, color=GREY, ls="--", lw=1.2, zorder=1)
            axis.margins(0.12)
            if limits:
                axis.set_ylim(*limits)
            if equal:
                both = np.array([axis.get_xlim(), axis.get_ylim()])
                axis.set(xlim=(both.min(), both.max()), ylim=(both.min(), both.max()))
        _axis_titles(figure, panels, given.title(x), given.axis([y]), width)
        _legend(figure, series, marks, width, title=given.numbered([colour]))
        return figure

    known = marks[marks["at"].notna() & marks["row"].notna()]
    told = f"{plural(len(known), 'dot')}: {given.title(y)} against {given.title(x)}"
    if len(known) <= MOST_TOLD:
        each = (
            f"{d.name or d.series} {in_words(d.row)} and {in_words(d.at)}".strip() for d in rows_of(known)
        )
        told += f". {'; '.join(each)}"
    elif known["row"].nunique() < 2 or known["at"].nunique() < 2:
        told += "; one of the two never varies"
    else:
        told += f"; rank correlation {known['row'].corr(known['at'], method='spearman'):.2f}"
    return _drawn(draw, label, caption, told, given.used(marks, x, colour, panel, names))


def bars(
    frame: pd.DataFrame,
    *,
    value: Values,
    rows: Values,
    caption: str,
    label: str = "",
    colour: str = "",
    panel: str = "",
    interval: Interval = None,
    stacked: bool = False,
    reference: float | None = None,
    sort: bool = False,
    limits: tuple[float, float] | None = None,
    titles: Mapping[str, str] | None = None,
) -> Drawn:
    """Lying bars: amounts or shares by row, beside each other or stacked; a part below 0 is drawn as 0 in a stack.

    Stacks of a second run have rows of their own, or panels where there are any.

    Parameters
    ----------
    frame, value, rows, caption, label, colour, panel, interval, reference, sort, limits, titles
        As in :func:`forest`.
    stacked : bool
        Parts of one bar, in the order of the frame.

    Raises
    ------
    MetacogError
        If a column is missing; names those there are.
    """
    values, named = names_of(value), names_of(rows)
    given = Given(frame, titles)
    given.need(*values, *named, colour, panel)
    marks = marks_of(given, values, named, colour=colour, panel=panel, interval=interval)
    if marks["at"].notna().sum() == 0:
        return Drawn(None, label, caption, "")
    if stacked:  # parts of another run are no parts of this bar
        place = "panel" if panel else "row"
        apart = marks[place].astype(str) + ", " + marks["whose"]
        marks[place] = marks[place].where(~marks["second"], apart)
    order = order_of(marks, sort=sort)
    series = looks_of(marks, colour or len(values) > 1, colour)
    kinds = list(dict.fromkeys(zip(marks["series"], marks["second"], strict=True)))
    thick = 0.72 if stacked else 0.8 / len(kinds)

    def draw(width: float) -> Figure:
        letters = LETTERS if width >= WIDTH else LETTERS_NARROW
        row = ROW if stacked else 0.2 * len(kinds) + 0.14
        places, end = _places(order, letters, row)
        middles = np.array(list(places.values()))
        figure, panels = _panels(marks, width, REST + row * end)
        for axis, name in panels:
            own, base = marks[marks["panel"] == name], np.zeros(len(order))
            for number, kind in enumerate(kinds):
                part = own[(own["series"] == kind[0]) & (own["second"] == kind[1])].groupby("row", sort=False)
                part = part.first().reindex(order)
                look = {"color": series[kind[0]]["color"], "alpha": 0.45 if kind[1] else 1.0}
                at = part["at"].to_numpy(dtype=float)
                y = middles + (0 if stacked else (number - (len(kinds) - 1) / 2) * thick)
                width_of = np.clip(np.nan_to_num(at), 0, None) if stacked else at
                axis.barh(y, width_of, height=thick, left=base if stacked else 0, **look)
                base = base + width_of if stacked else base
                if not stacked and part["low"].notna().any():
                    axis.hlines(y, part["low"], part["high"], color=GREY, lw=1.3)
            _name_rows(axis, places, end, letters)
            if reference is not None:
                axis.axvline(reference, color=GREY, ls="--", lw=1.2)
            if limits:
                axis.set_xlim(*limits)
        _axis_titles(figure, panels, given.axis(values), given.numbered(named), width)
        _legend(figure, series, marks, width, marker="s", title=given.numbered([colour]))
        return figure

    return _drawn(
        draw,
        label,
        caption,
        rows_told(given, marks, values, named),
        given.used(marks, *named, colour, panel),
    )


def _most_in_a_row(marks: pd.DataFrame) -> int:
    return int(marks.groupby(["row", "panel"], sort=False).size().max())


def _draw_rows(
    axis: Axes,
    marks: pd.DataFrame,
    places: Mapping[Any, float],
    series: Mapping[str, Mapping[str, Any]],
    *,
    inline: bool = False,
    missing: str = "",
) -> None:
    for name, part in marks.groupby("row", sort=False):
        shifts = np.linspace(-0.24, 0.24, len(part)) if len(part) > 1 and not inline else [0.0] * len(part)
        if not part["at"].notna().any():
            axis.annotate(
                missing,
                (0.02, places[name]),
                xycoords=("axes fraction", "data"),
                va="center",
                color=GREY,
                fontsize=9,
            )
        for place, (shift, mark) in enumerate(zip(shifts, rows_of(part), strict=True)):
            look = {**series[mark.series], "zorder": 3 - 0.1 * place}
            y = places[name] + shift
            if np.isfinite(mark.low) and np.isfinite(mark.high):
                axis.plot([mark.low, mark.high], [y, y], color=look["color"], lw=1.8, solid_capstyle="butt")
            face: dict[str, Any] = (
                {"markerfacecolor": "white", "markeredgewidth": 1.5} if mark.open or mark.second else {}
            )
            axis.plot(mark.at, y, ls="none", ms=7, **look, **face)


def _draw_hill(
    axis: Axes, hill: pd.DataFrame, value: str, name: str, tall: float, colour: str, letters: int
) -> None:
    """A hill on top of the first row, so many rows tall, named where rows are."""
    foot, ticks = -0.5, list(axis.get_yticks())
    names = [label.get_text() for label in axis.get_yticklabels()]
    top = foot - 0.92 * tall * hill["height"] / hill["height"].max()
    axis.fill_between(hill[value], foot, top, color=colour, alpha=0.3, lw=0)
    axis.plot(hill[value], top, color=colour, lw=1.8)
    axis.set_yticks([foot - tall / 2, *ticks], [_wrapped(hill[name].iloc[0], letters), *names])
    axis.set_ylim(axis.get_ylim()[0], foot - tall)


def _places(order: Sequence[Any], letters: int, row: float) -> tuple[dict[Any, float], float]:
    """Middle of each row and where the last ends, in rows of so many inches; a name of several lines takes more."""
    told = [len(_wrapped(name, letters).splitlines()) for name in order]
    heights = np.array([max(row, NAME_LINE * n + NAME_REST) / row if n > 1 else 1.0 for n in told])
    ends = np.cumsum(heights)
    return dict(zip(order, (ends - heights / 2 - 0.5).tolist(), strict=True)), float(ends[-1])


def _name_rows(axis: Axes, places: Mapping[Any, float], end: float, letters: int) -> None:
    axis.set_yticks(list(places.values()), [_wrapped(name, letters) for name in places])
    axis.set_ylim(end - 0.5, -0.5)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="y", visible=False)


def _panels(marks: pd.DataFrame, width: float, height: float) -> tuple[Figure, list[tuple[Axes, str]]]:
    names = list(dict.fromkeys(marks["panel"]))
    across = min(len(names), 2) if width >= WIDTH else 1
    down = -(-len(names) // across)
    tall = height if width >= WIDTH else max(2.4, 0.85 * height)
    figure = Figure(figsize=(width, tall * down + 0.25), layout="constrained")
    axes = list(figure.subplots(down, across, squeeze=False, sharex=True, sharey=True).flat)
    for axis in axes[len(names) :]:
        axis.set_visible(False)
    panels = list(zip(axes, names, strict=False))
    for axis, name in panels:
        if name:
            axis.set_title(_wrapped(name, 60 // across), loc="left", fontsize=11)
    for axis in axes[max(0, len(names) - across) : len(names)]:
        axis.tick_params(labelbottom=True)
    return figure, panels


def _apart(values: pd.Series) -> list[float]:
    """Values that can be named side by side on a logarithmic axis: those near one to the left are left out."""
    known = sorted({float(value) for value in values.dropna()})
    kept = known[:1]
    for value in known[1:]:
        if np.log(value / kept[-1]) >= np.log(known[-1] / known[0]) / 18:
            kept.append(value)
    return kept


def _axis_titles(figure: Figure, panels: Sequence[tuple[Axes, str]], x: str, y: str, width: float) -> None:
    letters, tall = 70 if width >= WIDTH else 34, max(16, round(9 * (figure.get_figheight() - 0.9)))
    if len(panels) == 1:
        panels[0][0].set_xlabel(_wrapped(x, letters))
        panels[0][0].set_ylabel(_wrapped(y, tall))
        return
    figure.supxlabel(_wrapped(x, letters), fontsize=12)
    figure.supylabel(_wrapped(y, tall), fontsize=12)


def _legend(
    figure: Figure,
    series: Mapping[str, Mapping[str, Any]],
    marks: pd.DataFrame,
    width: float,
    marker: str = "",
    title: str = "",
) -> None:
    """Names above the figure, of colours and of the two runs, where there is more than one; what numbers are."""
    handles: dict[str, Line2D] = {}
    if len(series) > 1 and len({tuple(look.items()) for look in series.values()}) > 1:
        opened = marks.groupby("series")["open"].all()
        for name, look in series.items():
            face: dict[str, Any] = {"markerfacecolor": "white"} if opened[name] else {}
            handles[name] = Line2D(
                [], [], ls="none", ms=7, **{**look, "marker": marker or look["marker"]}, **face
            )
    runs = list(dict.fromkeys(marks["whose"]))
    if len(runs) > 1:
        for place, name in enumerate(runs):
            face = {"markerfacecolor": "white"} if place else {}
            handles[name] = Line2D([], [], ls="none", ms=7, color=GREY, marker="o", **face)
    if handles:
        letters = 40 if width >= WIDTH else 36
        longest = max(map(len, handles))
        columns = max(1, min(4, int((84 if width >= WIDTH else 40) // (longest + 5))))
        told = -(-len(handles) // columns) + (longest > letters) + bool(title)
        figure.set_figheight(figure.get_figheight() + LINE * told)
        figure.legend(
            list(handles.values()),
            [_wrapped(name, letters) for name in handles],
            loc="outside upper left",
            ncols=columns,
            title=title or None,
            alignment="left",
            fontsize=10,
            handletextpad=0.2,
        )


def _wrapped(text: Any, letters: int) -> str:
    """A text in lines; a long name, as of a model, is broken behind its hyphens."""
    lines = []
    for line in textwrap.wrap(str(text), letters, break_long_words=False):
        while len(line) > letters and (cut := line.rfind("-", 1, letters) + 1):
            lines.append(line[:cut])
            line = line[cut:]
        lines.append(line)
    return "\n".join(lines) or str(text)


def _drawn(draw: Callable[[float], Figure], label: str, caption: str, alt: str, data: pd.DataFrame) -> Drawn:
    use_style()
    return Drawn(_readable(draw(WIDTH)), label, caption, alt, _readable(draw(NARROW)), data)


def _readable(figure: Figure) -> Figure:
    """A figure with fewer numbers below an axis on which they would touch."""
    for axis in figure.axes:
        locator, before = axis.xaxis.get_major_locator(), np.inf
        while isinstance(locator, MaxNLocator) and MIN_TOLD < (told := _touching(figure, axis)) < before:
            locator.set_params(nbins=told - MIN_TOLD)
            before = told
    return figure


def _touching(figure: Figure, axis: Axes) -> int:
    """How many numbers stand below an axis, if two of them touch; otherwise 0."""
    ticks = axis.xaxis.get_major_formatter().format_ticks(list(axis.get_xticks()))
    if max(map(len, ticks), default=0) <= SHORT:
        return 0
    figure.draw_without_rendering()
    told = [label for label in axis.get_xticklabels() if label.get_visible() and label.get_text()]
    low, high = sorted(axis.get_xlim())
    boxes = [label.get_window_extent() for label in told if low <= label.get_position()[0] <= high]
    near = any(right.x0 - left.x1 < TICK_GAP for left, right in pairwise(boxes))
    return len(boxes) if near else 0
