"""Replies of the probe, read and marked: one rule for every task, deterministic.

A field that is missing or cannot be read is recorded as such and marked by rule: without an answer there is
no credit, and stated confidence is NaN (how a score treats that is said in :mod:`.scores`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from metacog.collect.named_lines import field_lines, one_number, rating_in, yes_or_no
from metacog.collect.short_answers import name_words, same_name, same_strictly
from metacog.studies.study4_probe.asking.items import BOUNDARIES, ProbeItem, error_names

#: Fields asked for, by task.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "T1_CC": ("ANSWER", "CONFIDENCE"),
    "T2_EV": ("ERROR_FOUND", "ERROR_TYPE"),
    "T3_KB": ("CAN_ANSWER", "BOUNDARY_TYPE", "CONFIDENCE", "REASONING"),
    "T4_CR": ("ANSWER", "CONFIDENCE"),
    "T5_RCV": ("ERROR_FOUND", "ERROR_STEP", "CORRECTION"),
}
#: Lowest and highest confidence, by task.
SCALES: Mapping[str, tuple[int, int]] = {"T1_CC": (1, 10), "T3_KB": (1, 10), "T4_CR": (0, 100)}
#: Fields that no rule needs.
_OPTIONAL = ("REASONING", "CORRECTION")
#: Error types a reply may name beyond those keyed, so that a list of all of them earns nothing.
_MORE_TYPES = 1


@dataclass(frozen=True)
class Marked:
    """One reply, read and marked.

    ``answer`` is the answer, the error types or the boundary type, as written; ``flag`` ERROR_FOUND or CAN_ANSWER;
    ``step`` ERROR_STEP, NaN where none was read; ``stated`` confidence on the task's own scale, NaN where none was read
    or it lies outside; ``credit`` the share of the point, 0 to 1, by the lenient rule, and ``strict`` by the paper's,
    where it has another. ``knows`` is T3-KB's second rule: 1 where "I can answer" is said exactly when an accepted
    answer is given; NaN elsewhere. ``unread`` are fields asked for that are missing or cannot be read.
    """

    answer: str = ""
    flag: bool | None = None
    step: float = math.nan
    stated: float = math.nan
    credit: float = 0.0
    strict: float = 0.0
    knows: float = math.nan
    unread: tuple[str, ...] = field(default=())


def mark_reply(item: ProbeItem, text: str) -> Marked:
    """Read and mark one reply to an item."""
    fields = field_lines(text, FIELDS[item.task])
    return {
        "T1_CC": _number,
        "T2_EV": _errors,
        "T3_KB": _boundary,
        "T4_CR": _fact,
        "T5_RCV": _chain,
    }[item.task](item, fields)


def _stated(item: ProbeItem, fields: Mapping[str, str]) -> float:
    return rating_in(fields.get("CONFIDENCE", ""), *SCALES[item.task])


def _unread(item: ProbeItem, readable: Mapping[str, bool]) -> tuple[str, ...]:
    return tuple(f for f in FIELDS[item.task] if f not in _OPTIONAL and not readable[f])


def _number(item: ProbeItem, fields: Mapping[str, str]) -> Marked:
    answer, stated = fields.get("ANSWER", ""), _stated(item, fields)
    value = one_number(answer)
    right = math.isclose(value, float(item.key), rel_tol=1e-9)
    return Marked(
        answer,
        stated=stated,
        credit=float(right),
        strict=float(same_strictly(answer, item.key)),
        unread=_unread(item, {"ANSWER": not math.isnan(value), "CONFIDENCE": not math.isnan(stated)}),
    )


def _fact(item: ProbeItem, fields: Mapping[str, str]) -> Marked:
    answer, stated = fields.get("ANSWER", ""), _stated(item, fields)
    return Marked(
        answer,
        stated=stated,
        credit=float(same_name(answer, item.accepted)),
        strict=float(same_strictly(answer, item.key)),
        unread=_unread(item, {"ANSWER": bool(answer), "CONFIDENCE": not math.isnan(stated)}),
    )


def types_named(text: str) -> tuple[str, ...]:
    """Error types of T2-EV whose accepted names stand in a text, in the order of the list."""
    words = f" {' '.join(name_words(text))} "
    return tuple(
        kind
        for kind, names in error_names().items()
        if any(f" {' '.join(name_words(name))} " in words for name in names)
    )


def _errors(item: ProbeItem, fields: Mapping[str, str]) -> Marked:
    """Share of the keyed types that are named; nothing where no error is found or too many are named."""
    flag, given = yes_or_no(fields.get("ERROR_FOUND", "")), fields.get("ERROR_TYPE", "")
    named = types_named(given)
    fits = flag is True and len(set(named) - _shared(named, item)) <= len(item.errors) + _MORE_TYPES
    credit = sum(e in named for e in item.errors) / len(item.errors) if fits else 0.0
    return Marked(
        given,
        flag,
        credit=credit,
        strict=credit,
        unread=_unread(item, {"ERROR_FOUND": flag is not None, "ERROR_TYPE": bool(given)}),
    )


def _shared(named: tuple[str, ...], item: ProbeItem) -> set[str]:
    """Types that are named only by words a keyed type has too, such as "false cause"."""
    own = {name for e in item.errors for name in error_names()[e]}
    return {
        kind
        for kind in named
        if kind not in item.errors and own & set(error_names()[kind]) and set(item.errors) & set(named)
    }


def _boundary(item: ProbeItem, fields: Mapping[str, str]) -> Marked:
    flag, given, stated = (
        yes_or_no(fields.get("CAN_ANSWER", "")),
        fields.get("BOUNDARY_TYPE", ""),
        _stated(item, fields),
    )
    plain = re.sub(r"[\s_-]+", "_", given.strip(" .<>").lower())
    kind = plain if plain in BOUNDARIES else ""
    knows = math.nan if flag is None else float(flag == _gives(item, fields.get("REASONING", "")))
    credit = float(flag is not None and flag == item.can_answer and kind == item.boundary)
    return Marked(
        given,
        flag,
        stated=stated,
        credit=credit,
        strict=credit,
        knows=0.0 if flag is None else knows,
        unread=_unread(
            item,
            {"CAN_ANSWER": flag is not None, "BOUNDARY_TYPE": bool(kind), "CONFIDENCE": stated == stated},
        ),
    )


def _gives(item: ProbeItem, text: str) -> bool:
    """Whether an accepted answer stands in the reasoning."""
    words = f" {' '.join(name_words(text))} "
    return any(f" {' '.join(name_words(form))} " in words for form in item.accepted)


def _chain(item: ProbeItem, fields: Mapping[str, str]) -> Marked:
    flag = yes_or_no(fields.get("ERROR_FOUND", ""))
    step = one_number(fields.get("ERROR_STEP", ""))
    right = flag is not None and flag == (item.step > 0) and (item.step == 0 or step == item.step)
    return Marked(
        fields.get("CORRECTION", ""),
        flag,
        step=step,
        credit=float(right),
        strict=float(right),
        unread=_unread(
            item,
            # where no error is claimed no step is needed
            {"ERROR_FOUND": flag is not None, "ERROR_STEP": flag is False or not math.isnan(step)},
        ),
    )
