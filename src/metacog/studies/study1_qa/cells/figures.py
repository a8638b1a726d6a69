"""Parts of figures that several chapters of study 1 draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from metacog.report.style import looks


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
) -> None:
    """Points with intervals, one line per value of ``row``, one look per value of ``group``.

    Panels side by side are given the same ``rows``, so that a line means the same in all of them.
    """
    rows = list(dict.fromkeys(frame[row] if rows is None else rows))
    groups = list(dict.fromkeys(frame[group]))
    style = style or looks(groups)
    shifts = np.linspace(-0.22, 0.22, len(groups)) if len(groups) > 1 else np.zeros(len(groups))
    for name, shift in zip(groups, shifts, strict=True):
        own = frame[(frame[group] == name) & frame[value].notna()]
        y = np.array([rows.index(r) for r in own[row]], dtype=np.float64) + shift
        x = own[value].to_numpy(dtype=np.float64)
        reach = np.stack([x - own[low].to_numpy(dtype=np.float64), own[high].to_numpy(dtype=np.float64) - x])
        reach = np.where(np.isfinite(reach), np.maximum(reach, 0), 0)
        axis.errorbar(x, y, xerr=reach, ls="none", lw=1.8, ms=7, capsize=3, label=name, **style[name])
    axis.set_yticks(range(len(rows)), rows)
    axis.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)


def temperature_axis(axis: Axes, temperatures: Iterable[float]) -> None:
    """A logarithmic axis of temperatures, marked at those of the run."""
    axis.set_xscale("log")
    axis.xaxis.set_major_locator(FixedLocator(sorted(set(temperatures))))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda t, _: f"{t:g}"))
    axis.xaxis.set_minor_locator(NullLocator())
