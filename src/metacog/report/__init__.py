"""Figures and tables: the seven shapes that a chapter draws with.

The shapes below come from the modules of this package when they are first used.
"""

# ruff: noqa: F401
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metacog.report.matrices import matrix
    from metacog.report.plots import bars, dots, forest, lines
    from metacog.report.sliders import slider
    from metacog.report.tables import table

_HOME_OF = dict.fromkeys(("forest", "lines", "dots", "bars"), "plots") | {
    "matrix": "matrices",
    "slider": "sliders",
    "table": "tables",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
