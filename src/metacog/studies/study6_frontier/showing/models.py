"""How the 33 models look in figures: a colour and a marker for each family, one row for each model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.report.style import looks
from metacog.report.tables import text
from metacog.studies.study6_frontier.ledger.published import families

MODEL, FAMILY = text("model", "Model"), text("family", "Family")
#: Height of one model's row in a figure, in inches.
ROW = 0.27


def family_looks() -> dict[str, dict[str, Any]]:
    """Colour and marker of each family, the same in every figure."""
    return looks(sorted(set(families().values())))


def height_of(rows: int) -> float:
    """Height of a figure of so many models, in inches."""
    return 1.3 + ROW * rows


def name_rows(axis: Any, names: Sequence[str]) -> None:
    """One row for each name, the first on top, in letters that do not overlap."""
    axis.set_yticks(range(len(names)), list(names))
    axis.tick_params(axis="y", labelsize=9.5, length=0)
    axis.set_ylim(len(names) - 0.4, -0.6)


def family_legend(figure: Figure, shown: Iterable[str], columns: int = 4) -> None:
    """Name the families above a figure."""
    from matplotlib.lines import Line2D

    style = family_looks()
    there = sorted(set(shown))
    handles = [Line2D([], [], ls="none", ms=7, **style[name]) for name in there]
    figure.legend(handles, there, loc="outside upper left", ncols=columns, fontsize=10, handletextpad=0.2)


def in_family(frame: pd.DataFrame) -> pd.Series:
    """The family of each row's model."""
    return frame["model"].map(families())
