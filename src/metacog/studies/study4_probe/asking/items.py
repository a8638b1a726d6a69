"""The 78 items of the probe (``data/questions/probe-v1.jsonl``, the project's own) and their validator."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from metacog.core.errors import MetacogError
from metacog.core.files import json_lines, why
from metacog.core.paths import project_root
from metacog.studies.study4_probe.paper import ITEMS, TASKS

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
#: Error types that T2-EV has at least.
FEWEST_ERRORS = 8
FLAWS = ("local", "multi-step")


#: Tasks whose replies hold both an answer and a confidence.
TASKS_WITH_ANSWERS = ("T1_CC", "T4_CR")


@dataclass(frozen=True)
class ProbeItem:
    """One item.

    Attributes
    ----------
    id, task, prompt : str
    key : str
        The right answer (T1-CC, T3-KB, T4-CR), the first error type (T2-EV) or the flawed step (T5-RCV).
    rubric : str
        What earns the point, in words.
    difficulty : int
        From 1 (trivial) to 5 (obscure), as the writer judged it.
    accepted : tuple of str
        Forms of the answer that count as right.
    errors : tuple of str
        Error types keyed (T2-EV).
    kind : str
        ``argument`` or ``source`` (T2-EV).
    can_answer : bool or None
    boundary : str
        T3-KB.
    step, steps : int
        Flawed step, 0 in a sound chain, and number of steps (T5-RCV).
    flaw : str
        ``local`` or ``multi-step``; empty in a sound chain.
    checked : mapping
        The second check: ``answer`` given afresh, ``verdict`` and ``note``; ``blind``, what somebody answered
        who had not seen the keys, and ``doubt``.
    index : int
        Place among all items.
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
    """Items of a file of JSON lines.

    Raises
    ------
    MetacogError
        If the file is missing, or a line is not an item; names the line.
    """
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


def check_items(items: Sequence[ProbeItem], names: Mapping[str, Sequence[str]]) -> list[str]:
    """Faults of a set of items, one sentence each; an empty list means none.

    Parameters
    ----------
    items : sequence of ProbeItem
    names : mapping
        Accepted names by error type.
    """
    faults = []
    counts = Counter(item.task for item in items)
    for task in {**dict.fromkeys(TASKS), **dict.fromkeys(counts)}:
        if counts[task] != ITEMS.get(task, 0):
            faults.append(f"{task} has {counts[task]} items, not {ITEMS.get(task, 0)}")
    for what in ("id", "prompt"):
        values = Counter(" ".join(str(getattr(item, what)).lower().split()) for item in items)
        faults += [f"{what} {value!r} stands {n} times" for value, n in values.items() if n > 1]
    for item in items:
        faults += [f"{item.id}: {fault}" for fault in _faults(item, names)]
    return faults + _of_the_whole(items)


def _faults(item: ProbeItem, names: Mapping[str, Sequence[str]]) -> list[str]:
    found = []
    if item.difficulty not in range(1, 6):
        found.append(f"difficulty {item.difficulty} is not 1 to 5")
    if not item.prompt.strip() or not item.rubric.strip():
        found.append("prompt and rubric must not be empty")
    if not (item.checked and item.checked.get("verdict") in ("agrees", "changed")):
        found.append("there is no second check")
    if item.task in ("T1_CC", "T4_CR") and item.key not in item.accepted:
        found.append("the key is not among the accepted forms")
    if item.task == "T1_CC" and not _is_number(item.key):
        found.append(f"the key {item.key!r} is not a number")
    if item.task == "T2_EV":
        if not item.errors or (unknown := [e for e in item.errors if not names.get(e)]):
            found.append(f"error types without accepted names: {unknown if item.errors else 'none keyed'}")
        if item.kind not in ("argument", "source"):
            found.append(f"kind {item.kind!r} is neither argument nor source")
    if item.task == "T3_KB":
        if item.boundary not in BOUNDARIES:
            found.append(f"boundary type {item.boundary!r} is unknown")
        if item.can_answer is None or bool(item.accepted) != item.can_answer:
            found.append("what can be answered needs accepted forms, and nothing else has any")
    if item.task == "T5_RCV":
        if not 0 <= item.step <= item.steps or item.steps != len(item.prompt.splitlines()):
            found.append(f"step {item.step} is not one of the chain's")
        if (item.flaw in FLAWS) != (item.step > 0):
            found.append("a flawed chain, and no other, says what kind of flaw it has")
    return found


def _of_the_whole(items: Sequence[ProbeItem]) -> list[str]:
    """What each task needs as a whole."""
    found = []
    of = {task: [item for item in items if item.task == task] for task in TASKS}
    levels = {item.difficulty for item in of["T4_CR"]}
    if of["T4_CR"] and not {1, 5} <= levels:
        found.append("T4_CR does not reach from trivial to obscure")
    if of["T2_EV"]:
        types = {e for item in of["T2_EV"] for e in item.errors}
        if len(types) < FEWEST_ERRORS:
            found.append(f"T2_EV has {len(types)} error types, fewer than {FEWEST_ERRORS}")
        if all(item.kind != "source" for item in of["T2_EV"]):
            found.append("T2_EV evaluates no source")
    if of["T3_KB"] and (lacking := sorted(set(BOUNDARIES) - {item.boundary for item in of["T3_KB"]})):
        found.append(f"T3_KB lacks the boundary types {', '.join(lacking)}")
    chains = of["T5_RCV"]
    if chains and 2 * sum(item.step > 0 for item in chains) != len(chains):
        found.append("T5_RCV is not half sound and half flawed")
    if chains and not set(FLAWS) <= {item.flaw for item in chains}:
        found.append("T5_RCV lacks a kind of flaw")
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
