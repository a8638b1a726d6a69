"""Task C's deletions: so many stand-alone "the" of a sentence, drawn at random."""

from __future__ import annotations

import random
import re

_THE = re.compile(r"(?<![\w'’-])the(?![\w'’-])", re.IGNORECASE)
_BEFORE_MARK = re.compile(r"\s+([,.;:!?])")


def number_of_the(text: str) -> int:
    """How many "the" stand alone in a text, in capitals or not."""
    return len(_THE.findall(text))


def without_the(text: str, n: int, chance: random.Random) -> str:
    """A text without ``n`` of its stand-alone "the", spaces tidied.

    A deletion at the beginning leaves the next word as it is written.

    Parameters
    ----------
    text : str
        Has at least ``n`` of them.
    n : int
    chance : random.Random
        Draws which.
    """
    found = list(_THE.finditer(text))
    drawn = [chance.choice(found)] if n == 1 else chance.sample(found, n)
    for the in sorted(drawn, key=lambda one: -one.start()):
        text = text[: the.start()] + text[the.end() :]
    return tidied(text)


def tidied(text: str) -> str:
    """Single spaces, and none before a mark."""
    return _BEFORE_MARK.sub(r"\1", " ".join(text.split()))
