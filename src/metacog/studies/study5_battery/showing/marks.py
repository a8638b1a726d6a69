"""What the figures of study 5 share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib.figure import Figure

from metacog.studies.study5_battery.measures.profiles import NAMES


def legend(figure: Figure, axis: Any, columns: int = 2, names: Iterable[str] = NAMES.values()) -> None:
    """One entry for each label, above the figure: ``names`` in their order, or all as they were drawn."""
    results: dict[str, Any] = {}
    for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
        results.setdefault(label, handle)
    order = [name for name in names if name in results] or list(results)
    figure.legend([results[name] for name in order], order, loc="outside upper left", ncols=columns)
