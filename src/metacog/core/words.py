"""Words that sentences of any room are made of: lists, numbers of things, names of cells."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``; ``none`` for nothing."""
    items = [str(n) for n in names]
    if not items:
        return "none"
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def plural(n: int, one: str, many: str | None = None) -> str:
    """``1 model``, ``2 models``."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
