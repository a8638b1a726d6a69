"""When things were made and how long they took: one file, so that all else is the same from run to run."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from metacog.core.errors import MetacogError

#: Below the project's root: a line for each thing that was made, the newest last.
TIMES = Path("results") / "times.jsonl"


def note_time(root: Path, what: Path, seconds: float) -> None:
    """Write down that a thing was made now, in so many seconds; nothing of what lies outside the project."""
    if not what.is_relative_to(root):
        return
    made = datetime.now(UTC).isoformat(timespec="seconds")
    facts = {"what": str(what.relative_to(root)), "made": made, "seconds": round(seconds, 1)}
    line = "\n" + json.dumps(facts)
    try:
        (root / TIMES).parent.mkdir(exist_ok=True)
        with open(root / TIMES, "ab", buffering=0) as handle:
            handle.write(line.encode())  # in one go: tasks that end at once do not mix their lines
    except OSError as error:
        raise MetacogError(f"could not write {root / TIMES}: {error.strerror or error}") from error
