"""Parts of figures that several chapters of study 1 draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from metacog.collect.models import labels_of
from metacog.report.style import GREY, INK, MARKERS, looks
from metacog.studies.study1_qa.cells.comparison import PUBLISHED, RECOMPUTED, RUN
from metacog.studies.study1_qa.ledger.published import MODELS

#: Models that come with the book, by their names in the registry. They and the paper's keep one look in all figures.
OWN = ("qwen2.5-coder-1.5b", "smollm2-135m", "gemma3-270m")
#: Places of theirs, and then of the paper's models, among the looks of a chapter: no two colours are near.
FIXED = (0, 1, 2, 3, 4, 5, 9)
#: Those that a model of a reader's own takes, in this order, if no other model of the figure has them.
FREE = (6, 7, 8, 9, 5, 4, 3, 2, 1, 0)


def model_looks(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Colour and marker of each model, the same on every page of study 1.

    Parameters
    ----------
    names : iterable of str
        As readers know them, or as the registry and the paper's files do.
    """
    every = list(looks(map(str, range(len(FREE)))).values())
    labels = labels_of(OWN) | MODELS
    fixed = {name: place for place, pair in zip(FIXED, labels.items(), strict=True) for name in pair}
    known = list(dict.fromkeys(names))
    taken = {fixed[name] for name in known if name in fixed}
    free = [place for place in FREE if place not in taken] or list(FREE)
    others = (name for name in known if name not in fixed)
    places = fixed | {name: free[i % len(free)] for i, name in enumerate(others)}
    return {name: dict(every[places[name]]) for name in known}


def ink_looks(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Markers without a colour, filled and dark or open and grey by turns, so that colours stay with models."""
    filled, empty = {"color": INK}, {"color": GREY, "markerfacecolor": "white", "markeredgewidth": 1.6}
    return {
        name: {**(empty if i % 2 else filled), "marker": MARKERS[i % len(MARKERS)]}
        for i, name in enumerate(dict.fromkeys(names))
    }


def source_looks() -> dict[str, dict[str, Any]]:
    """This run's numbers filled and dark, published ones open and grey."""
    looked = ink_looks((RUN, RECOMPUTED))
    return looked | {PUBLISHED: looked[RECOMPUTED]}


def forest(
    axis: Axes,
    frame: pd.DataFrame,
    row: str,
    group: str,
    *,
    value: str,
    low: str = "m_ratio_lower",
    high: str = "m_ratio_upper",
    style: Mapping[str, Mapping[str, Any]] | None = None,
    rows: Iterable[str] | None = None,
    hollow: str = "",
) -> None:
    """Points with intervals, one line per value of ``row``, one look per value of ``group``.

    Rows for which the column ``hollow`` is true get a marker that is not filled.

    Panels side by side are given the same ``rows``, so that a line means the same in all of them. Several points of
    one row stand above and below it, a single one on it.
    """
    rows = list(dict.fromkeys(frame[row] if rows is None else rows))
    groups = list(dict.fromkeys(frame[group]))
    style = style or looks(groups)
    shifts = dict(zip(groups, np.linspace(-0.22, 0.22, len(groups)), strict=True))
    known = frame[frame[value].notna()].reset_index(drop=True)
    shift = known[group].map(shifts).astype(float)
    places = known[row].map(rows.index).astype(float) + shift - shift.groupby(known[row]).transform("mean")
    for name in groups:
        own = known[known[group] == name]
        empty = own[hollow].to_numpy(dtype=bool) if hollow else np.zeros(len(own), dtype=bool)
        y = places[own.index].to_numpy(dtype=np.float64)
        x = own[value].to_numpy(dtype=np.float64)
        reach = np.stack([x - own[low].to_numpy(dtype=np.float64), own[high].to_numpy(dtype=np.float64) - x])
        reach = np.where(np.isfinite(reach), np.maximum(reach, 0), 0)
        plain: dict[str, Any] = {"ls": "none", "lw": 1.8, "ms": 7, "capsize": 3}
        for part, look in ((~empty, style[name]), (empty, {**style[name], "markerfacecolor": "white"})):
            if part.any() or part is not empty:
                told = f"_{name}" if part is empty else name  # one entry of the legend for both
                axis.errorbar(x[part], y[part], xerr=reach[:, part], label=told, **plain, **look)
    axis.set_yticks(range(len(rows)), rows)
    axis.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)


def temperature_axis(axis: Axes, temperatures: Iterable[float]) -> None:
    """A logarithmic axis of temperatures, marked at those of the run."""
    axis.set_xscale("log")
    axis.xaxis.set_major_locator(FixedLocator(sorted(set(temperatures))))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda t, _: f"{t:g}"))
    axis.xaxis.set_minor_locator(NullLocator())
