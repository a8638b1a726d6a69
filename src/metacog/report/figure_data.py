"""The numbers that a figure shows, read back from what was drawn: every figure has its data, and no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.category import StrCategoryFormatter
from matplotlib.collections import LineCollection, PathCollection, PolyCollection, QuadMesh
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.ticker import FixedFormatter, FuncFormatter

#: Columns of :func:`figure_data`; those that a figure has no use for are left out.
COLUMNS = (
    "panel",
    "series",
    "mark",
    "x_name",
    "x",
    "x_low",
    "x_high",
    "y_name",
    "y",
    "y_low",
    "y_high",
    "value",
    "x_axis",
    "y_axis",
)

Row = dict[str, Any]


def figure_data(figure: Figure) -> pd.DataFrame:
    """The points, lines, bars, intervals and cells of a figure, in the units of its axes.

    Parameters
    ----------
    figure : Figure

    Returns
    -------
    DataFrame
        One row per drawn value. ``panel`` is the panel's title or its number; ``series`` the name in the legend;
        ``mark`` one of *point, line, bar, interval, band, outline, area, cell, reference*; ``x_name`` and
        ``y_name`` the names at the axes where these have names instead of numbers; ``x_low`` to ``y_high`` the
        ends of an interval, a band or an area; ``value`` what a colour stands for; ``x_axis`` and ``y_axis`` the
        titles of the axes. Columns without any value are left out, text without a number is not read.
    """
    panels = [a for a in figure.axes if a.get_visible() and a.get_label() != "<colorbar>"]
    named = _names_of_colours(figure, panels)
    rows: list[Row] = []
    for number, axis in enumerate(panels, start=1):
        about = {
            "panel": axis.get_title() or axis.get_title("left") or (number if len(panels) > 1 else None),
            "x_axis": _axis_title(axis, "x"),
            "y_axis": _axis_title(axis, "y"),
        }
        ticks = {way: _tick_names(axis, way) for way in "xy"}
        for row in _drawn(axis, named):
            for way in "xy":
                row[f"{way}_name"] = _nearest(ticks[way], row.get(way))
            rows.append(row | about)
    made = pd.DataFrame(rows, columns=list(COLUMNS)).replace("", np.nan)
    return made.dropna(axis="columns", how="all")


def _drawn(axis: Axes, named: dict[str, str]) -> Iterator[Row]:
    """Rows of everything in one panel."""
    inside: set[int] = set()
    for container in axis.containers:
        inside.update(id(child) for child in _children(container))
        if isinstance(container, ErrorbarContainer):
            yield from _error_bars(container, named)
        elif isinstance(container, BarContainer):
            yield from _bars(container, named)
    for artist in axis.get_children():
        if id(artist) in inside or not artist.get_visible() or _only_hatched(artist):
            continue
        facts = {"series": _series(artist, named)}
        for row in _rows(artist, axis):
            yield facts | row


def _rows(artist: Any, axis: Axes) -> Iterable[Row]:
    if isinstance(artist, Line2D):
        return _line(artist, axis)
    if isinstance(artist, LineCollection):
        return (row for segment in artist.get_segments() if (row := _interval(np.asarray(segment))))
    if isinstance(artist, PathCollection):
        return _scatter(artist)
    if isinstance(artist, QuadMesh):
        return _mesh(artist)
    if isinstance(artist, AxesImage):
        return _image(artist)
    if isinstance(artist, PolyCollection):
        return _band(artist)
    if isinstance(artist, Rectangle) and artist is not axis.patch and artist.get_fill():
        return [_area(artist, axis)]
    if isinstance(artist, Polygon):
        return [{"mark": "outline", "x": x, "y": y} for x, y in artist.get_xy()]
    return ()


def _line(line: Line2D, axis: Axes) -> list[Row]:
    x, y = (_numbers(v) for v in line.get_data(orig=False))
    in_x, in_y = line.get_transform().contains_branch_seperately(axis.transData)
    if not (in_x and in_y):
        at = {"x": x[0]} if in_x else {"y": y[0]}
        return [{"mark": "reference", **at}] if in_x or in_y else []
    plain = line.get_marker() in ("", "None", None, " ")
    if x.size == 2 and plain and (row := _interval(np.column_stack([x, y]))):
        return [row]
    mark = "point" if line.get_linestyle() in ("None", "", " ") else "line"
    return [{"mark": mark, "x": a, "y": b} for a, b in zip(x, y, strict=True)]


def _interval(ends: np.ndarray) -> Row | None:
    """Two points on one level as an interval; None where they are not on one, or not known."""
    if ends.shape != (2, 2) or not np.isfinite(ends).all():
        return None
    (x0, y0), (x1, y1) = ends
    if y0 == y1:
        return {"mark": "interval", "y": y0, "x_low": min(x0, x1), "x_high": max(x0, x1)}
    if x0 == x1:
        return {"mark": "interval", "x": x0, "y_low": min(y0, y1), "y_high": max(y0, y1)}
    return None


def _error_bars(container: ErrorbarContainer, named: dict[str, str]) -> Iterator[Row]:
    data, _, bars = container.lines
    ways = [way for way, has in (("x", container.has_xerr), ("y", container.has_yerr)) if has]
    series = _label(container) or _series(data or bars[0], named)
    spans = dict(zip(ways, (bar.get_segments() for bar in bars), strict=False))
    if data is None:
        for segments in spans.values():
            yield from ({"series": series, **span} for s in segments if (span := _interval(np.asarray(s))))
        return
    points = np.column_stack([np.asarray(v, dtype=float) for v in data.get_data(orig=False)])
    for i, (x, y) in enumerate(points):
        row: Row = {"series": series, "mark": "point", "x": x, "y": y}
        for way, segments in spans.items():
            if i < len(segments) and len(segments[i]) == 2:
                low, high = sorted(segments[i][:, "xy".index(way)])
                row |= {f"{way}_low": low, f"{way}_high": high}
        yield row


def _bars(container: BarContainer, named: dict[str, str]) -> Iterator[Row]:
    lying = container.orientation == "horizontal"
    for bar in container.patches:
        box = bar.get_bbox()
        series = _label(container) or _series(bar, named)
        across, along = (("y", "x"), ("x", "y"))[not lying]
        ends = {"x": (box.x0, box.x1), "y": (box.y0, box.y1)}
        (left, right), (foot, top) = ends[across], ends[along]
        row = {"series": series, "mark": "bar", across: (left + right) / 2, along: top}
        yield row | {
            f"{across}_low": left,
            f"{across}_high": right,
            f"{along}_low": foot,
            f"{along}_high": top,
        }


def _scatter(artist: PathCollection) -> Iterator[Row]:
    values = artist.get_array()
    for i, (x, y) in enumerate(np.ma.getdata(artist.get_offsets())):
        yield {"mark": "point", "x": x, "y": y} | ({} if values is None else {"value": values[i]})


def _mesh(artist: QuadMesh) -> Iterator[Row]:
    corners = np.asarray(artist.get_coordinates())
    centres = (corners[:-1, :-1] + corners[1:, 1:]) / 2
    values = _numbers(artist.get_array()).reshape(centres.shape[:2])
    for place in np.ndindex(values.shape):
        yield {"mark": "cell", "x": centres[place][0], "y": centres[place][1], "value": values[place]}


def _image(artist: AxesImage) -> Iterator[Row]:
    values = _numbers(artist.get_array())
    for y, x in np.ndindex(values.shape[:2]):
        yield {"mark": "cell", "x": float(x), "y": float(y), "value": values[y, x]}


def _band(artist: PolyCollection) -> Iterator[Row]:
    for path in artist.get_paths():
        points = pd.DataFrame(np.asarray(path.vertices), columns=["x", "y"]).groupby("x")["y"]
        for x, low, high in zip(points.groups, points.min(), points.max(), strict=True):
            yield {"mark": "band", "x": x, "y_low": low, "y_high": high}


def _area(artist: Rectangle, axis: Axes) -> Row:
    box = artist.get_bbox()
    in_x, in_y = artist.get_transform().contains_branch_seperately(axis.transData)
    row: Row = {"mark": "area"}
    row |= {"x_low": box.x0, "x_high": box.x1} if in_x else {}
    return row | ({"y_low": box.y0, "y_high": box.y1} if in_y else {})


def _numbers(values: Any) -> np.ndarray:
    """Drawn values as numbers; what is masked is missing."""
    filled: np.ndarray = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
    return filled


def _children(container: Any) -> Iterator[Any]:
    for child in container.get_children():
        yield from child if isinstance(child, list | tuple) else (child,)


def _label(artist: Any) -> str:
    label = str(artist.get_label() or "")
    return "" if label.startswith("_") else label


def _only_hatched(artist: Any) -> bool:
    """Whether it only hatches an area that is drawn by itself."""
    return isinstance(artist, PolyCollection) and bool(artist.get_hatch()) and not len(artist.get_facecolor())


def _series(artist: Any, named: dict[str, str]) -> str:
    """Its own name in the legend, or that of what has the same colour."""
    return _label(artist) or named.get(_colour(artist), "")


def _colour(artist: Any) -> str:
    for ask in ("get_color", "get_facecolor", "get_edgecolor"):
        if hasattr(artist, ask):
            colour = getattr(artist, ask)()
            first = colour[0] if isinstance(colour, np.ndarray | list) and np.ndim(colour) > 1 else colour
            if len(first):
                return to_hex(first)
    return ""


def _names_of_colours(figure: Figure, panels: Iterable[Axes]) -> dict[str, str]:
    """Names of the legend by colour, as far as a colour has one name only."""
    found: dict[str, set[str]] = {}
    for axis in panels:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            if not isinstance(handle, ErrorbarContainer | BarContainer):
                found.setdefault(_colour(handle), set()).add(label)
            elif first := next((c for c in _children(handle) if c is not None), None):
                found.setdefault(_colour(first), set()).add(label)
    legends = [*figure.legends, *(legend for axis in panels if (legend := axis.get_legend()))]
    for legend in legends:
        for shown, text in zip(legend.legend_handles, legend.get_texts(), strict=False):
            if shown is not None:
                found.setdefault(_colour(shown), set()).add(text.get_text())
    return {colour: names.pop() for colour, names in found.items() if len(names) == 1}


def _axis_title(axis: Axes, way: str) -> str:
    """An axis' title, or that of the panel with which it is shared."""
    group = axis.get_shared_x_axes() if way == "x" else axis.get_shared_y_axes()
    titles = (getattr(one, f"get_{way}label")() for one in (axis, *group.get_siblings(axis)))
    return next((title for title in titles if title), "")


def _tick_names(axis: Axes, way: str) -> list[tuple[float, str]]:
    """Places and names of an axis that has names; empty where its ticks are numbers."""
    its = axis.xaxis if way == "x" else axis.yaxis
    if not isinstance(its.get_major_formatter(), FixedFormatter | FuncFormatter | StrCategoryFormatter):
        return []
    names = [text.get_text() for text in its.get_ticklabels()]
    if all(_is_number(name) for name in names if name):
        return []
    return [(float(at), name) for at, name in zip(its.get_ticklocs(), names, strict=False) if name]


def _is_number(text: str) -> bool:
    try:
        float(text.replace("−", "-").rstrip(" %"))
    except ValueError:
        return False
    return True


def _nearest(ticks: list[tuple[float, str]], at: float | None) -> str:
    """The name next to a place; empty where none is nearer than half the least distance of two."""
    if not ticks or at is None or not np.isfinite(at):
        return ""
    places = np.array([place for place, _ in ticks])
    apart = np.min(np.diff(np.sort(places))) if places.size > 1 else 1.0
    nearest = int(np.argmin(np.abs(places - at)))
    return ticks[nearest][1] if abs(places[nearest] - at) < apart / 2 else ""
