"""Replies that were asked for as strict JSON: one parser for asking again and for reading."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping

_FENCED = re.compile(r"```[A-Za-z]*\s*\n?(.*?)\n?\s*```", re.DOTALL)


def without_fences(text: str) -> str:
    """The text inside a code fence that is all of a reply; other text as it is, both stripped."""
    fenced = _FENCED.fullmatch(text.strip())
    return (fenced.group(1) if fenced else text).strip()


def whole_numbers(text: str, allowed: Mapping[str, Collection[int]]) -> dict[str, int] | None:
    """Fields of a reply that is one JSON object with exactly these, allowed whole numbers; else None.

    A code fence around it is taken off, any other text around the object is not.

    >>> whole_numbers('```json\\n{"decision": 1}\\n```', {"decision": (0, 1)})
    {'decision': 1}
    >>> whole_numbers('It is {"decision": 1}', {"decision": (0, 1)}) is None
    True
    """
    try:
        found = json.loads(without_fences(text), object_pairs_hook=_unrepeated)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or set(found) != set(allowed):
        return None
    if any(type(value) is not int or value not in allowed[name] for name, value in found.items()):
        return None
    return found


def _unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice")
    return found
