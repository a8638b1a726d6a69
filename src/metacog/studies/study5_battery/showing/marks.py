"""Marks that the figures of study 5 share: profiles by colour and shape, models by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from metacog.report.style import GREY, looks
from metacog.studies.study5_battery.ledger.published import UNCLASSIFIED
from metacog.studies.study5_battery.measures.profiles import NAMES

#: What a hollow mark says of a model, where a figure has such marks.
FEW_TRACKS = "fewer than five tracks"


def profile_looks() -> dict[str, dict[str, Any]]:
    """Colour and marker of each profile, by what it is called; grey for none."""
    style = looks(NAMES.values())
    style[NAMES[UNCLASSIFIED]]["color"] = GREY
    return style


def profile_legend(figure: Figure, axis: Any, hollow: bool = False) -> None:
    """One filled entry for each profile that is there, above the figure; one more for hollow marks, if asked for."""
    there = set(axis.get_legend_handles_labels()[1])
    style = {name: look for name, look in profile_looks().items() if name in there}
    if hollow:
        style[FEW_TRACKS] = {"color": "black", "marker": "o", "mfc": "white"}
    handles = [Line2D([], [], ls="none", ms=8, label=name, **look) for name, look in style.items()]
    figure.legend(handles=handles, loc="outside upper left", ncols=2)


def legend(figure: Figure, axis: Any, columns: int = 2, names: Iterable[str] = NAMES.values()) -> None:
    """One entry for each label, above the figure: ``names`` in their order, or all as they were drawn."""
    results: dict[str, Any] = {}
    for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
        results.setdefault(label, handle)
    order = [name for name in names if name in results] or list(results)
    figure.legend([results[name] for name in order], order, loc="outside upper left", ncols=columns)


def spread(places: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Places moved so as to lie at least ``least`` apart and between two ends, in the same order."""
    order = np.argsort(places, kind="stable")
    results = np.asarray(places, dtype=float)[order]
    for _ in range(200):
        for i in range(1, len(results)):
            gap = least - (results[i] - results[i - 1])
            if gap > 1e-9:
                results[i - 1] -= gap / 2
                results[i] += gap / 2
    steps = least * np.arange(len(results))
    results = np.maximum(np.minimum(results, high - steps[::-1]), low + steps)
    back = np.empty_like(results)
    back[order] = results
    return back.tolist()


def named_at_side(
    axis: Any, x: Iterable[float], y: Iterable[float], names: Iterable[str], at: float, least: float
) -> None:
    """Names in a column at ``at``, each joined to its point by a dotted line; set the axis's limits before."""
    points = list(zip(x, y, names, strict=True))
    places = spread([p[1] for p in points], least, *sorted(axis.get_ylim()))
    for (px, py, name), place in zip(points, places, strict=True):
        axis.annotate(
            name,
            (px, py),
            xytext=(at, place),
            fontsize=9,
            va="center",
            annotation_clip=False,
            # dotted, so that none seems to be the end of an interval
            arrowprops={
                "arrowstyle": "-",
                "relpos": (0, 0.5),  # from where the name begins
                "lw": 0.9,
                "ls": (0, (1, 2)),
                "color": "0.55",
                "shrinkA": 0,
                "shrinkB": 6,
            },
        )
