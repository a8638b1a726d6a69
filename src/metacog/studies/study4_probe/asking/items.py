"""The 78 items of the probe (``data/questions/probe-v1.jsonl``, the project's own) and how they are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from metacog.core.errors import MetacogError
from metacog.core.files import json_lines, why
from metacog.core.paths import project_root

#: Version of the items; the thresholds of T4-CR hang on it.
VERSION = "probe-v1"
#: What may bound the knowledge of a question.
BOUNDARIES = (
    "estimation",
    "public_data",
    "scientific_consensus",
    "temporal",
    "access",
    "philosophical",
    "self_knowledge",
)
#: Tasks whose replies hold both an answer and a confidence.
TASKS_WITH_ANSWERS = ("T1_CC", "T4_CR")


@dataclass(frozen=True)
class ProbeItem:
    """One item.

    ``key`` is the right answer (T1-CC, T3-KB, T4-CR), the first error type (T2-EV) or the flawed step (T5-RCV), and
    ``rubric`` what earns the point, in words. ``difficulty`` goes from 1 (trivial) to 5 (obscure), as the writer judged
    it. ``accepted`` are forms of the answer that count as right; ``errors`` the error types keyed and ``kind``
    ``argument`` or ``source`` (T2-EV); ``can_answer`` and ``boundary`` those of T3-KB; ``step`` the flawed one, 0 in a
    sound chain, of ``steps``, and ``flaw`` ``local`` or ``multi-step`` (T5-RCV). ``checked`` is the second check:
    ``answer`` given afresh, ``verdict`` and ``note``; ``blind``, what somebody answered who had not seen the keys, and
    ``doubt``. ``index`` is the place among all items.
    """

    id: str
    task: str
    prompt: str
    key: str
    rubric: str
    difficulty: int
    accepted: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    kind: str = ""
    can_answer: bool | None = None
    boundary: str = ""
    step: int = 0
    steps: int = 0
    flaw: str = ""
    checked: Mapping[str, str] | None = None
    index: int = 0

    @property
    def domain(self) -> str:
        """Name of the task, by which trials are kept apart."""
        return self.task


def folder() -> Path:
    """Where the items lie."""
    return project_root() / "data" / "questions"


def read_items(path: Path) -> tuple[ProbeItem, ...]:
    """Items of a file of JSON lines."""
    found: list[ProbeItem] = []
    for number, raw in json_lines(path):
        try:
            for name in ("accepted", "errors"):
                raw[name] = tuple(raw.get(name, ()))
            found.append(ProbeItem(**raw, index=len(found)))
        except (ValueError, TypeError) as error:
            raise MetacogError(f"{path}, line {number}: not an item of the probe ({why(error)})") from None
    return tuple(found)


@cache
def load_items() -> tuple[ProbeItem, ...]:
    """All items of the version in use, in order."""
    return read_items(folder() / f"{VERSION}.jsonl")


@cache
def error_names() -> dict[str, tuple[str, ...]]:
    """Names accepted for each error type of T2-EV."""
    path = folder() / f"{VERSION}-errors.json"
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))["types"]
        return {kind: tuple(names) for kind, names in raw.items()}
    except (OSError, ValueError, KeyError, AttributeError):
        raise MetacogError(f"{path} is missing or damaged: restore it from the repository") from None
