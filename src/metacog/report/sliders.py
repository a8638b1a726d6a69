"""Shares along a quantity that a reader moves: what a threshold lets through, for one group of rows at a time.

The numbers are embedded in the page, as whole percentages, and a small script (``book/_static/slider.js``) shows those
of the place that is chosen. Without the script the page shows those of the place that the frame picks.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.words import listed
from metacog.report.show import Markup
from metacog.report.tables import CSV_DIGITS
from metacog.report.vocabulary import RUN, ends_of, title_of

#: Most places of one group.
MOST_PLACES = 101


def slider(
    frame: pd.DataFrame,
    *,
    along: str,
    value: Sequence[str],
    groups: Sequence[str],
    start: str,
    caption: str,
    beside: str = "",
    heads: tuple[str, str] = ("chosen on", "judged on"),
    begin: float | None = None,
    button: str = "Go to the best one",
    titles: Mapping[str, str] | None = None,
) -> Markup:
    """A slider along a column, and shares with their intervals at the place that is chosen.

    Parameters
    ----------
    frame : DataFrame
        One row a group and place.
    along : str
        Column that the slider moves along, from 0 to 1.
    value : sequence of str
        Columns of shares, each with its ends in ``VALUE_lower`` and ``VALUE_upper``.
    groups : sequence of str
        Columns that name a group, put together; of two runs the column ``run`` is one of them.
    start : str
        Column of yes and no: the place in each group that a button leads to.
    caption : str
    beside : str
        Prefix of columns with the same shares of other trials, which stand beside them without an interval.
    heads : (str, str)
        What stands over the shares beside, and over the shares.
    begin : float, optional
        Where the slider stands at first: the place in each group that is nearest to it, by default that of ``start``.
    button : str
        What the place that a button leads to is.
    titles : mapping, optional
        Of columns, where they differ from the book's.

    Raises
    ------
    MetacogError
        If a column is missing, or a group has more than :data:`MOST_PLACES` rows.
    """
    named = [*groups, *([RUN] if RUN in frame and frame[RUN].nunique() > 1 else [])]
    second = [f"{beside}{name}" for name in value] if beside else []
    ends = {name: ends_of(frame, name) for name in value}
    asked = [along, start, *named, *value, *second]
    if frame.empty:
        return Markup("")
    if missing := [n for n in asked if n not in frame] + [f"{n}_lower" for n in value if not ends[n]]:
        raise MetacogError(
            f"there is no column {listed(missing)}; the columns are: {', '.join(map(str, frame.columns))}"
        )
    made = []
    for label, rows in frame.groupby(named, sort=False):
        if len(rows) > MOST_PLACES:
            raise MetacogError(f"{label} has {len(rows)} places; a slider has {MOST_PLACES} at most")
        at = {
            name: [
                [
                    _percent(row[name]),
                    *(_percent(row[end]) for end in ends[name] or ()),
                    *([_percent(row[f"{beside}{name}"])] if beside else []),
                ]
                for row in rows.to_dict("records")
            ]
            for name in value
        }
        picked = int(np.argmax(rows[start].to_numpy(bool)))
        first = picked if begin is None else int(np.argmin(np.abs(rows[along].to_numpy() - begin)))
        about = {"name": ", ".join(map(str, label)), "start": first, "picked": picked}
        made.append({**about, "along": rows[along].tolist(), "at": at})
    names = {name: title_of(name, titles) for name in value}
    data = json.dumps({"values": names, "groups": made}, separators=(",", ":"), ensure_ascii=False)
    body = _controls(made, title_of(along, titles), button) + _table(made[0], names, bool(beside), heads)
    kept = [*named, along, *second, *(end for name in value for end in (name, *(ends[name] or ()))), start]
    return Markup(
        f'<div class="book-slider" data-plain-tables><div class="slider-shown">{body}</div>'
        f'<p class="slider-caption">{html.escape(caption)}</p>'
        f'<script type="application/json">{data.replace("</", "<" + chr(92) + "/")}</script>'
        '<script src="../_static/slider.js"></script></div>',
        frame[kept].to_csv(index=False, float_format=CSV_DIGITS),
    )


def _percent(share: float) -> int | None:
    """Of a share, as readers see it; nothing where there is none."""
    return None if share != share else round(100 * float(share))


def _controls(groups: Sequence[Mapping[str, Any]], along: str, button: str) -> str:
    options = "".join(
        f"<option value={n}>{html.escape(one['name'])}</option>" for n, one in enumerate(groups)
    )
    first = groups[0]
    place = f'max="{len(first["along"]) - 1}" value="{first["start"]}"'
    return (
        f'<div class="slider-controls" hidden><label>Whose answers <select>{options}</select></label>'
        f"<label>{html.escape(along)} <output>{first['along'][first['start']]:.2f}</output>"
        f'<input type="range" min="0" {place} step="1"></label>'
        f'<button type="button">{html.escape(button)}</button></div>'
        '<p class="slider-status" role="status"></p>'
    )


def _table(group: Mapping[str, Any], names: Mapping[str, str], beside: bool, heads: tuple[str, str]) -> str:
    over = "".join(f'<th scope="col">{html.escape(one)}</th>' for one in heads[0 if beside else 1 :])
    rows = "".join(
        f'<tr data-value="{name}"><th scope="row">{html.escape(title)}</th>'
        + _cells(group["at"][name][group["start"]], beside)
        + "</tr>"
        for name, title in names.items()
    )
    about = f"{group['name']}, {group['along'][group['start']]:.2f}"
    return (
        f'<table class="slider-table"><caption>{html.escape(about)}</caption>'
        f'<tbody><tr><td></td>{over}<th scope="col">95 % interval</th></tr>{rows}</tbody></table>'
    )


def _cells(shares: Sequence[int | None], beside: bool) -> str:
    value, low, high, *other = shares
    told = [_told(other[0])] if beside else []
    interval = "-" if value is None else f"{low} to {high} %"
    bar = f'<span class="slider-bar" style="--share: {value or 0}%"></span>'
    return (
        "".join(f"<td>{one}</td>" for one in told) + f"<td>{bar}<b>{_told(value)}</b></td><td>{interval}</td>"
    )


def _told(share: int | None) -> str:
    return "-" if share is None else f"{share} %"
