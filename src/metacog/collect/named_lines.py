"""Replies that were asked for as named lines, such as ``ANSWER: 12`` and ``CONFIDENCE: 7``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_NUMBER = re.compile(
    r"(?<![\w.])[-+−]?(?:\d{1,3}(?:[, \u00a0\u202f]\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?", re.I
)

_OUT_OF = re.compile(r"\s*(?:/|out of|of)\s*\d+(?:\.0+)?\b", re.I)

_DECORATION = " \t*_`\"'"


def field_lines(text: str, names: Sequence[str]) -> dict[str, str]:
    """Values behind the named fields of a reply, each up to the next field or the end of its line.

    Names are found without regard to case, decoration by asterisks, and a space in place of an underscore. Of a
    field that stands twice the first counts; one that is missing or empty is left out.

    >>> field_lines("**Answer:** 12\\nCONFIDENCE: 7/10", ("ANSWER", "CONFIDENCE"))
    {'ANSWER': '12', 'CONFIDENCE': '7/10'}
    """
    by_form = {name.upper(): name for name in names}
    choice = "|".join(re.escape(name).replace("_", "[ _]") for name in sorted(by_form, key=len, reverse=True))
    marks = list(re.finditer(rf"(?<![\w])({choice})[*_`]*\s*[:=]", text, re.I))
    found: dict[str, str] = {}
    ends = [m.start() for m in marks[1:]] + [len(text)]
    for mark, after in zip(marks, ends, strict=False):
        name = by_form[mark.group(1).upper().replace(" ", "_")]
        line = text[mark.end() : after].strip(_DECORATION).split("\n", 1)[0].strip(_DECORATION)
        if line and name not in found:
            found[name] = line
    return found


def numbers_in(text: str) -> list[float]:
    """Numbers of a text; commas and spaces between groups of three digits are taken off."""
    plain = (re.sub(r"[, \u00a0\u202f]", "", m.group()).replace("−", "-") for m in _NUMBER.finditer(text))
    return [float(one) for one in plain]


def one_number(text: str) -> float:
    """The number of a text that holds exactly one; NaN where it holds none or several."""
    found = numbers_in(text)
    return found[0] if len(found) == 1 else math.nan


def rating_in(text: str, low: float, high: float) -> float:
    """A rating such as ``7``, ``7/10`` or ``70 %``; NaN where there is none, or one outside its scale."""
    found = one_number(_OUT_OF.sub("", text))
    return found if low <= found <= high else math.nan


def yes_or_no(text: str) -> bool | None:
    """Whether a text begins with yes (or true) or with no (or false); None where with neither."""
    first = re.match(r"\W*(yes|true|no|false)\b", text, re.I)
    return first.group(1).lower() in ("yes", "true") if first else None
