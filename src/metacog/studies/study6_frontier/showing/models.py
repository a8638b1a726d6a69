"""How the atlas's models look in figures: a colour and a marker for each family."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib.figure import Figure

from metacog.report.style import legend_of, looks
from metacog.report.tables import text
from metacog.studies.study6_frontier.ledger.published import families

MODEL, FAMILY = text("model", "Model"), text("family", "Family")


def family_looks() -> dict[str, dict[str, Any]]:
    """Colour and marker of each family, the same in every figure."""
    return looks(sorted(set(families().values())))


def family_legend(figure: Figure, shown: Iterable[str]) -> None:
    """Name the families above a figure."""
    legend_of(figure, shown, family_looks())
