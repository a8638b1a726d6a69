"""From chapters to the rendered book: papermill, Snakemake and jupyter-book, called in one place.

The names below come from the modules of this package when they are first used: a step of the book
starts this package many times, and most steps need little of it.
"""

# ruff: noqa: F401
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metacog.book.chapters import (
        MODEL_MARK,
        Page,
        chapter_parameters,
        pages,
        parse_parameters,
    )
    from metacog.book.execution import execute_chapter
    from metacog.book.making import build, explain
    from metacog.book.plan import Workflow, workflow
    from metacog.book.rendering import prepare_static, render

_HOMES = {
    "chapters": ("MODEL_MARK", "Page", "chapter_parameters", "pages", "parse_parameters"),
    "execution": ("execute_chapter",),
    "making": ("build", "explain"),
    "plan": ("Workflow", "workflow"),
    "rendering": ("prepare_static", "render"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
