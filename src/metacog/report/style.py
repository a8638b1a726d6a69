"""One look for every figure: colour-blind safe, readable at phone width and in print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import seaborn as sns
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

#: Width of a figure in inches. The page shows it at most this wide; on a phone it keeps nearly this width and
#: scrolls within its frame (``companion.js``), so that small letters can still be read.
WIDTH = 6.2

#: Colours of groups in their order: seaborn's "colorblind" with its pink, yellow and sky blue, which can hardly be
#: seen on white, replaced by dark ones.
PALETTE = (
    "#0173b2",
    "#de8f05",
    "#029e73",
    "#d55e00",
    "#cc78bc",
    "#ca9161",
    "#882255",
    "#949494",
    "#332288",
    "#666600",
)
#: Ink for what is not one of the groups, such as sources of numbers where colours stand for models.
INK = "#1f2937"

#: Marker shapes that go with the colours, so that no figure relies on colour alone.
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "<", ">", "h")

#: Ink for reference lines and text that is not data.
GREY = "#6b7280"

#: Height of one model's row in a figure that has a row for each, in inches.
ROW = 0.27


def use_style() -> None:
    """Set the book's figure style; every chapter calls it once."""
    sns.set_theme(
        context="notebook",
        style="whitegrid",
        palette=PALETTE,
        rc={
            "figure.figsize": (WIDTH, 3.8),
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "font.size": 12,
            "axes.titlesize": 12,
            "axes.labelsize": 12,
            "xtick.labelsize": 11,
            "ytick.labelsize": 11,
            "legend.fontsize": 11,
            "legend.frameon": False,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "grid.alpha": 0.5,
            "svg.fonttype": "path",
            "svg.hashsalt": "metacog",
        },
    )
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")
    except ImportError:  # outside a notebook
        pass


def looks(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Colour and marker of each name, the same in every figure of a chapter.

    Parameters
    ----------
    names : iterable of str
        For instance model names, in the order of the profile.

    Returns
    -------
    dict
        ``{name: {"color": ..., "marker": ...}}``.
    """
    return {
        name: {"color": to_rgb(PALETTE[i % len(PALETTE)]), "marker": MARKERS[i % len(MARKERS)]}
        for i, name in enumerate(dict.fromkeys(names))
    }


def new_axes(rows: int = 1, columns: int = 1, height: float = 3.6, **options: Any) -> tuple[Figure, Any]:
    """A figure of the book's width; at most two columns, so that it reads on a phone.

    The figure is not registered with pyplot, so a chapter shows it once, where it names it.
    """
    figure = Figure(figsize=(WIDTH, height * rows), layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def panel_axes(number: int, xlabel: str, ylabel: str, height: float = 2.6) -> tuple[Figure, list[Any]]:
    """A figure of so many panels on common scales, two to a row; the lowest and the left ones have labels."""
    columns = min(2, number)
    figure, axes = new_axes(-(-number // 2), columns, height=height, sharex=True, sharey=True, squeeze=False)
    panels = list(axes.flat)
    for axis in panels[number:]:
        axis.set_visible(False)
    for axis in panels[max(0, number - columns) : number]:
        axis.set_xlabel(xlabel)
        axis.tick_params(labelbottom=True)
    for row in axes:
        row[0].set_ylabel(ylabel)
    return figure, panels[:number]


def legend_above(figure: Figure, axis: Any, columns: int = 2) -> None:
    """Name what one of the panels shows, above them all."""
    figure.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=columns)


def height_of(rows: int) -> float:
    """Height of a figure of so many rows, in inches."""
    return 1.3 + ROW * rows


def name_rows(axis: Any, names: Sequence[str]) -> None:
    """One row for each name, the first on top, in letters that do not overlap."""
    axis.set_yticks(range(len(names)), list(names))
    axis.tick_params(axis="y", labelsize=9.5, length=0)
    axis.set_ylim(len(names) - 0.4, -0.6)


def legend_of(
    figure: Figure, shown: Iterable[str], style: Mapping[str, Mapping[str, Any]], columns: int = 4
) -> None:
    """Name above a figure those that it shows, by their looks."""
    from matplotlib.lines import Line2D

    there = sorted(set(shown))
    handles = [Line2D([], [], ls="none", ms=7, **style[name]) for name in there]
    figure.legend(handles, there, loc="outside upper left", ncols=columns, fontsize=10, handletextpad=0.2)
