"""Answers and probabilities that a model wrote: strict, and every failure has a name.

Rules. A number with a percent sign (or the word) is a percentage and divided by 100; without one it is
taken as written, so a bare 85 lies outside [0, 1] and the reply is dropped. A fraction such as 3/4 is no
number here. Several different numbers where one is wanted make a reply unusable. A comma may stand for the
decimal point between digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

_NUMBER = re.compile(
    r"(?<![\w.,/])(?P<sign>[-−]?)(?P<value>\d+(?:[.,]\d+)?|[.]\d+)\s*(?P<percent>%|percent\b|per cent\b)?"
    r"(?![\w/]|[.,]\d)",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"\d\s*/\s*\d")
_OPENING = re.compile(r"^[\s(\[*\"'`]*(?:(?:the\s+)?answer(?:\s+is)?\s*:?\s*)?[(\[*\"'`]*", re.IGNORECASE)
_FINAL = re.compile(r"final\s*:", re.IGNORECASE)


@dataclass(frozen=True)
class Parsed:
    """What was read from a reply; ``status`` is one of :data:`metacog.collect.confidence.STATUSES`."""

    answer: str = ""
    probability: float = math.nan
    status: str = "ok"
    percent: bool = False


def read_probability(text: str) -> Parsed:
    """The one probability that a text holds.

    Examples
    --------
    >>> read_probability("about 80 %").probability
    0.8
    >>> [read_probability(t).status for t in ("80", "-0.2", "likely", "0.2 or 0.4")]
    ['out_of_range', 'out_of_range', 'no_probability', 'several']
    """
    if _FRACTION.search(text):
        return Parsed(status="no_probability")
    found = list(_NUMBER.finditer(text))
    values = {_value(one) for one in found}
    if not values:
        return Parsed(status="no_probability")
    if len(values) > 1:
        return Parsed(status="several")
    (value,) = values
    percent = any(one["percent"] for one in found)
    if not 0 <= value <= 1:
        return Parsed(status="out_of_range", percent=percent)
    return Parsed(probability=value, percent=percent)


def read_percentage(text: str) -> Parsed:
    """The one percentage that a reply to a question for a percentage holds.

    As :func:`read_probability`, but a whole number without a sign is a percentage too: 85 is 85 %, and 1 is
    1 %. A decimal fraction of at most one, such as 0.85, is taken for the probability that it can only be.

    Examples
    --------
    >>> [read_percentage(t).probability for t in ("85%", "about 85", "0.85", "1", "100")]
    [0.85, 0.85, 0.85, 0.01, 1.0]
    >>> [read_percentage(t).status for t in ("120", "sure", "80 or 90")]
    ['out_of_range', 'no_probability', 'several']
    """
    stated = read_probability(text)
    if stated.percent or stated.status in ("no_probability", "several"):
        return stated
    found = next(_NUMBER.finditer(text))
    if stated.status == "ok" and not found["value"].isdigit():
        return stated
    value = _value(found) / 100
    return Parsed(probability=value) if 0 <= value <= 1 else Parsed(status="out_of_range")


def read_answer_and_probability(text: str, labels: Sequence[str], options: Sequence[str]) -> Parsed:
    """A reply of one line: the label, perhaps its option, and a probability.

    Parameters
    ----------
    text : str
    labels, options : sequence of str
        What the options are called, and what they say; an option written out behind its label, or in
        its place, is taken for it, and numbers in it are not read.

    Examples
    --------
    >>> read_answer_and_probability("B: 1945, 0.7", ("A", "B"), ("1944", "1945")).probability
    0.7
    """
    line = next((one for one in text.splitlines() if one.strip()), "")
    line = line[_end(_OPENING, line) :]
    for label, option in zip(labels, options, strict=True):
        found = re.match(rf"{re.escape(label)}[)\]*\"'`]*(?=\s*$|\s*[,;:.=\-–—]|\s+[\d.(])", line)
        rest = line[found.end() :] if found else ""
        if found and option:
            behind = re.match(rf"[\s,;:.=\-–—]*{re.escape(option)}(?!\w)", rest)
            stated = read_probability(rest[behind.end() :]) if behind else None
            if stated is not None and stated.status != "no_probability":
                rest = rest[behind.end() :] if behind else rest
        if not found and option:
            found = re.match(rf"{re.escape(option)}(?!\w)", line, re.IGNORECASE)
            rest = line[found.end() :] if found else ""
        if found:
            given = read_probability(rest)
            return Parsed(label, given.probability, given.status, given.percent)
    return Parsed(status="no_answer")


def read_reasoned(text: str, labels: Sequence[str], options: Sequence[str]) -> Parsed:
    """The same behind the last ``Final:`` of a reply that reasons first; ``no_answer`` without one."""
    found = list(_FINAL.finditer(text))
    if not found:
        return Parsed(status="no_answer")
    return read_answer_and_probability(text[found[-1].end() :], labels, options)


def read_guesses(text: str, labels: Sequence[str]) -> Parsed:
    """The most probable of several guesses, the first of equals.

    Each label must stand once at most, each with a probability in [0, 1].

    Examples
    --------
    >>> read_guesses("A 0.3, B 0.6", ("A", "B"))
    Parsed(answer='B', probability=0.6, status='ok', percent=False)
    """
    line = next((one for one in text.splitlines() if one.strip()), "")
    names = "|".join(re.escape(label) for label in labels)
    places = list(re.finditer(rf"(?<!\w)(?:{names})(?!\w)", line))
    if not places:
        return Parsed(status="no_answer")
    if len({one.group() for one in places}) < len(places):
        return Parsed(status="several")
    ends = [*(one.start() for one in places[1:]), len(line)]
    read = [read_probability(line[one.end() : end]) for one, end in zip(places, ends, strict=True)]
    failed = next((one.status for one in read if one.status != "ok"), "")
    if failed:
        return Parsed(status=failed)
    best = max(range(len(read)), key=lambda i: read[i].probability)  # the first of equals
    return Parsed(places[best].group(), read[best].probability, "ok", read[best].percent)


def _value(found: re.Match[str]) -> float:
    value = float(found["value"].replace(",", "."))
    value = value / 100 if found["percent"] else value
    return -value if found["sign"] else value


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0
