"""A large JSON object read entry by entry, so that the file need not fit into memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

#: Characters read at a time, unless one value is longer.
CHUNK = 1 << 20

_SPACE = re.compile(r"[ \t\n\r]*")
_ENDS = ",:]} \t\n\r"
_DECODER = json.JSONDecoder()


def entries(path: Path, each: str) -> Iterator[tuple[str, Any]]:
    """Keys and values of the object that a JSON file holds, in the order of the file.

    Parameters
    ----------
    path : Path
    each : str
        A key whose list is given element by element: ``(each, element)`` once for each of them, so no more
        than one is in memory.

    Raises
    ------
    ValueError
        If the file holds no object, or breaks off, or is no UTF-8 text.
    OSError
        If it cannot be read.
    """
    with open(path, encoding="utf-8-sig") as handle:
        text = _Text(handle)
        text.take("{")
        if text.peek() == "}":
            return
        while True:
            key = text.value()
            text.take(":")
            if key == each and text.peek() == "[":
                text.take("[")
                while text.peek() != "]":
                    yield each, text.value()
                    if text.take(",]") == "]":
                        break
                else:
                    text.take("]")
            else:
                yield key, text.value()
            if text.take(",}") == "}":
                return


class _Text:
    """The part of a file's text that has been read and not yet been used."""

    def __init__(self, handle: IO[str]) -> None:
        self._handle, self._text, self._at, self._ended = handle, "", 0, False

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, wanted: str) -> str:
        """The next character, which must be one of those wanted."""
        found = self.peek()
        if not found or found not in wanted:
            raise ValueError(f"{found!r} stands where {' or '.join(wanted)} should")
        self._at += 1
        return found

    def value(self) -> Any:
        """The next value."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                if not self._more():
                    raise
                continue
            after = self._text[end : end + 1]
            if (not after or after not in _ENDS) and self._more():  # a number may go on: 1, 1.5, 1e3
                continue
            self._at = end
            return value

    def _more(self) -> bool:
        """Read on, at least as much as is left, so that a long value is looked at few times."""
        if not self._ended:
            left = self._text[self._at :]
            piece = self._handle.read(max(CHUNK, len(left)))
            self._ended = not piece
            if piece:
                self._text, self._at = left + piece, 0
        return not self._ended
