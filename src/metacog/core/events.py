"""Notes from a process to the one that watches it: JSON lines in a file that the environment names.

A command started by hand has no such file, and then nothing is written.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Names the file of notes.
EVENTS = "METACOG_EVENTS"
#: Names the step of the book that a process works for.
STEP = "METACOG_STEP"


@dataclass(frozen=True)
class Event:
    """One note: what kind it is, the step it belongs to, when it was written, and its facts."""

    kind: str
    step: str
    time: float
    facts: dict[str, Any] = field(default_factory=dict)


def emit(kind: str, **facts: Any) -> None:
    """Write a note, if somebody reads them; a note that cannot be written is no reason to stop."""
    path = os.environ.get(EVENTS)
    if not path:
        return
    note = {"kind": kind, "step": os.environ.get(STEP, ""), "time": time.time(), "facts": facts}
    with contextlib.suppress(OSError):
        # one write, so that notes of several processes do not run into each other
        with open(path, "ab", buffering=0) as handle:
            handle.write(f"\n{json.dumps(note)}\n".encode())  # a line of its own, also after half of one


def so_far() -> list[Event]:
    """Notes written so far by this process and by others that the same one watches."""
    path = os.environ.get(EVENTS)
    return Follower(Path(path)).new() if path else []


class Follower:
    """Reads a file of notes while it grows; it need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = 0

    def new(self) -> list[Event]:
        """Notes written since the last call; half a line is left for the next, and is none if it never ends."""
        try:
            with open(self.path, "rb") as handle:
                handle.seek(self._read)
                text = handle.read()
        except FileNotFoundError:
            return []
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        notes = []
        for line in whole.splitlines():
            with contextlib.suppress(ValueError):  # empty, or what a killed process had of its note
                notes.append(Event(**json.loads(line)))
        return notes
