"""Sentences written by hand into a chapter, with numbers filled in and a condition that guards them.

A sentence of a chapter is read as its author wrote it as long as the data bear it out. Where they do not, a plain line
of the same numbers stands in its place and says so, so that a book on other data is never wrong.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError

#: Class of a line that stands where a sentence was written for other data.
OTHER_DATA = "other-data"
#: What is said below such a line.
WHY = "The sentence that stood here was written for other data, and these do not bear it out."
#: What stands where not even a plain line can be filled in.
UNTOLD = "These data do not tell."
_MINUS_NOTHING = re.compile(r"(?<![\w.])-(?=0(?:\.0+)?(?![\d.]*[1-9]))")
#: A range of one number, as of a run of one model; an interval in brackets stays as it is.
_TO_ITSELF = re.compile(r"(?<![\w.,(-])(?<!from )(-?\d+(?:[.,]\d+)*) to \1(?![.,]?\d)")
_NAMED = re.compile(r":::\{div\} (?:page-answer )?other-data (\w+)\n")


@dataclass(frozen=True)
class Said:
    """What a page says at one place; ``written`` where it is the sentence that was written by hand."""

    text: str
    written: bool


def said(text: str, plain: str, numbers: Mapping[str, Any], holds: Any = True) -> Said:
    """The sentence ``text`` with its numbers, if it ``holds`` and all of them are there; the ``plain`` one otherwise.

    Parameters
    ----------
    text, plain : str
        With fields as of :meth:`str.format`, by the names of ``numbers``. An empty plain line says that the data do
        not tell.
    numbers : mapping
    holds : bool
        Missing values (None, NA, NaN) count as no.

    Raises
    ------
    MetacogError
        If a text names a number that there is none of.

    Examples
    --------
    >>> said("{n} of them know.", "{n} were asked.", {"n": 3}, 3 > 2).text
    '3 of them know.'
    >>> said("{n} of them know.", "{n} were asked.", {"n": 3}, 3 > 4)
    Said(text='3 were asked.', written=False)
    >>> said("{share:.0f} % of it, {low:.0f} to {high:.1f}.", "", {"share": -0.2, "low": -10, "high": -0.1}).text
    '0 % of it, -10 to -0.1.'
    >>> said("{low:.0f} to {high:.0f} of 100.", "", {"low": 89.7, "high": 90.2}).text
    '90 of 100.'
    """
    if not _lacking(text, numbers) and not _none(holds) and bool(holds):
        return Said(_filled(text, numbers), True)
    return Said(_filled(plain, numbers) if plain and not _lacking(plain, numbers) else UNTOLD, False)


def _filled(text: str, numbers: Mapping[str, Any]) -> str:
    """A text with its numbers; what is rounded to nothing has no sign, and no range goes from a number to itself."""
    return _TO_ITSELF.sub(r"\1", _MINUS_NOTHING.sub("", text.format(**numbers)))


def _lacking(text: str, numbers: Mapping[str, Any]) -> bool:
    """Whether a number that a text names has no value."""
    names = {
        re.split(r"[.\[]", name)[0] for _, name, _, _ in string.Formatter().parse(text) if name is not None
    }
    if unknown := sorted(names - set(numbers)):
        known = ", ".join(sorted(numbers)) or "none"
        raise MetacogError(
            f"a sentence names {', '.join(unknown)}, which its result does not give; it gives: {known}"
        )
    return any(_none(numbers[name]) for name in names)


def _none(value: Any) -> bool:
    return value is None or bool(pd.isna(value))


def instead(name: str, line: str) -> str:
    """A plain line as the page shows it: set apart, under the name of the sentence it stands for, with the reason."""
    why = "" if line == UNTOLD else f"\n\n*{WHY}*"
    return f":::{{div}} {OTHER_DATA} {name}\n{line}{why}\n:::\n"


def glued_texts(notebook: Mapping[str, Any]) -> dict[str, str]:
    """Texts that an executed chapter gives to other pages, by name."""
    found: dict[str, str] = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            about = output.get("metadata", {}).get("scrapbook", {})
            given = (
                output.get("data", {}).get(f"{about.get('mime_prefix', '')}text/plain", "") if about else ""
            )
            value = ast.literal_eval("".join(given)) if "".join(given)[:1] in ("'", '"') else None
            if isinstance(value, str):
                found[about["name"]] = value
    return found


def written_for_other_data(notebook: Mapping[str, Any]) -> list[str]:
    """Names of the sentences of an executed chapter that its data do not bear out, in their order."""
    found: list[str] = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/markdown", "")
            found += _NAMED.findall("".join(text))
    return found
