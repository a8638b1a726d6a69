"""Checks of the probe's items that need no model: each item by itself, and what each task needs as a whole."""

from collections import Counter
from collections.abc import Mapping, Sequence

from metacog.studies.study4_probe.asking.items import BOUNDARIES, ProbeItem
from metacog.studies.study4_probe.paper import ITEMS, TASKS

#: Error types that T2-EV has at least.
FEWEST_ERRORS = 8
FLAWS = ("local", "multi-step")


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
