"""What a server says an answer took, and who made it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from metacog.core.files import cut
from metacog.engines.base import Served, Spent

#: Where an error names its status.
_STATUS = ("code", "status", "status_code", "type")


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
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < 1 << 53 else None


def read_served(payload: Any) -> Served | None:
    """Who says to have made an answer; None where a server says nothing of it."""
    if not isinstance(payload, Mapping):
        return None
    words = (payload.get(name) for name in ("model", "provider", "system_fingerprint"))
    model, provider, fingerprint = (word if isinstance(word, str) else "" for word in words)
    if re.match(r"[/~]|[A-Za-z]:\\", model):  # a path of the server's machine: its file's name alone
        model = re.split(r"[/\\]", model)[-1]
    found = Served(model, provider, fingerprint)
    return found if any(found) else None


def words_of(answer: Any) -> str:
    """A server's own words in an answer that is none, JSON or text: short, on one line."""
    for name in ("error", "errors", "detail", "message", "msg"):
        if isinstance(answer, list) and answer:
            answer = answer[0]
        if isinstance(answer, Mapping):
            answer = answer.get(name) or answer
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False, default=str)
    if re.match(r"\s*<[!?a-zA-Z]", text):  # a page, of a proxy mostly
        text = re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL | re.IGNORECASE)
    return cut(" ".join(text.encode("utf-8", "replace").decode().split()))


def told_error(payload: Any) -> tuple[int, str] | None:
    """Status and words of an error that came under status 200; None where there is none.

    Where no status is named it is 429 for words of a rate limit, else 500.
    """
    if not isinstance(payload, Mapping):
        return None
    choices = payload.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    for place in (payload, first):
        if isinstance(place, Mapping) and (place.get("error") or place.get("object") == "error"):
            error = place.get("error") or place
            named = [one.get(name) for one in (error, place) if isinstance(one, Mapping) for name in _STATUS]
            told = (int(str(code)) for code in named if re.fullmatch(r"[45]\d\d", str(code)))
            words = words_of(place)
            limit = re.search(r"rate.?limit|too many requests", f"{named} {words}", re.IGNORECASE)
            return next(told, 429 if limit else 500), words
    return None
