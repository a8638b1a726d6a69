"""What a server says an answer took, and who made it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from metacog.engines.base import Served, Spent


def read_usage(usage: Any) -> Spent | None:
    """Tokens of one answer from its ``usage``; None where it does not count both prompt and answer."""
    read = _number(usage.get("prompt_tokens")) if isinstance(usage, Mapping) else None
    written, hidden = read_written(usage)
    return None if read is None or written is None else Spent(read, written, hidden or 0)


def read_written(usage: Any) -> tuple[int | None, int | None]:
    """Tokens written, and those of hidden reasoning among them, as far as a server counts them.

    Hidden reasoning belongs to the tokens written. Most servers count it there themselves; where one adds it
    to ``total_tokens`` alone, it is added here.
    """
    if not isinstance(usage, Mapping):
        return None, None
    read, written, total = (
        _number(usage.get(name)) for name in ("prompt_tokens", "completion_tokens", "total_tokens")
    )
    details = usage.get("completion_tokens_details")
    details = details if isinstance(details, Mapping) else {}
    hidden = _number(details.get("reasoning_tokens")) or _number(usage.get("reasoning_tokens"))
    if hidden and read is not None and written is not None and total == read + written + hidden:
        written += hidden
    return written, hidden


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def read_served(payload: Any) -> Served | None:
    """Who says to have made an answer; None where a server says nothing of it."""
    if not isinstance(payload, Mapping):
        return None
    words = (payload.get(name) for name in ("model", "provider", "system_fingerprint"))
    model, provider, fingerprint = (word if isinstance(word, str) else "" for word in words)
    found = Served(without_path(model), provider, fingerprint)
    return found if any(found) else None


def without_path(model: str) -> str:
    """A model's name; the file's name alone where a server gives the path of a file on its machine."""
    return re.split(r"[/\\]", model)[-1] if re.match(r"[/~]|[A-Za-z]:\\", model) else model
