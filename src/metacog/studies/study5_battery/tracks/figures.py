"""Figures of scores and kinds of item."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.drawing import drawing
from metacog.report.style import new_axes
from metacog.studies.study5_battery.ledger.published import TRACKS


@drawing(
    name="fig-study5-scores",
    caption=(
        f"Mean score of each model on each track ({listed(f'{k}: {v}' for k, v in TRACKS.items())}), models ordered "
        "by their mean. A frame: the highest of its track, with all that tie with it at the digits shown. Look "
        "whether the frames are in one row."
    ),
    alt="Grid of scores, twenty models by six tracks, with the highest of each track marked",
)
def scores(result: Any) -> Figure:
    """Grid of scores by model and track."""
    figure, axis = new_axes(height=5.6)
    table = result.scores.set_index("model")[list(TRACKS)]
    values = table.to_numpy(dtype=float)
    # from the tenth below nearly all scores, so that the few lowest do not take up most of the scale
    low = np.floor(10 * np.nanquantile(values, 0.05)) / 10
    shown = axis.pcolormesh(values, cmap="cividis", vmin=low, vmax=1)
    rounded = np.round(values, 2)
    best = np.nanmax(rounded, axis=0)
    for y, x in np.ndindex(*values.shape):
        dark = values[y, x] < (low + 1) / 2
        axis.text(
            x + 0.5,
            y + 0.5,
            f"{values[y, x]:.2f}",
            ha="center",
            va="center",
            fontsize=8.5,
            color="white" if dark else "black",
        )
        if rounded[y, x] == best[x]:
            axis.add_patch(Rectangle((x + 0.03, y + 0.05), 0.94, 0.9, fill=False, ec="black", lw=2))
    axis.set_yticks(np.arange(len(table)) + 0.5, table.index)
    axis.set_xticks(np.arange(len(TRACKS)) + 0.5, list(TRACKS))
    axis.invert_yaxis()
    axis.grid(visible=False)
    figure.colorbar(
        shown, ax=axis, label="mean score", extend="min" if np.nanmin(values) < low else "neither"
    )
    return figure


@drawing(
    name="fig-study5-item-types",
    caption=(
        "Accuracy of the twenty models on each kind of item: the mean, and the lowest and highest. Kinds on "
        "which even the lowest is 1 show nothing about models. Look which kinds spread them."
    ),
    alt="Accuracy of twenty models on each of the kinds of item of six tracks",
)
def item_types(result: Any) -> Figure:
    """Range of accuracy on each kind of item."""
    table = result.item_types
    figure, axis = new_axes(height=9.6)
    for y, row in enumerate(rows_of(table)):
        axis.plot([row.lowest, row.highest], [y, y], color="C0", lw=1.5)
        axis.plot([row.lowest, row.highest], [y, y], "|", color="C0", ms=8)
        axis.plot(row.accuracy, y, "o", color="C1", ms=6)
    axis.set_yticks(range(len(table)), table["item_type"] + " (" + table["track"] + ")", fontsize=9)
    axis.set_ylim(len(table) - 0.5, -0.5)
    axis.set_xlim(-0.03, 1.03)
    axis.set_xlabel("accuracy: lowest, mean and highest model")
    return figure
