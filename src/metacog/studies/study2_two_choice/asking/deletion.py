"""Task C's deletions: so many words of a sentence, drawn at random from its "the" or from all."""

from __future__ import annotations

import random
import re

_THE = re.compile(r"(?<![\w'’-])the(?![\w'’-])", re.IGNORECASE)
_WORD = re.compile(r"\w[\w'’-]*")
_BEFORE_MARK = re.compile(r"\s+([,.;:!?])")


#: What may be deleted: stand-alone "the", as in the paper, or any words but the first and the last.
DELETABLE = ("the", "any")


def deletable(text: str, what: str = "the") -> list[re.Match[str]]:
    """The words of a text that may be deleted; a "the" stands alone, in capitals or not."""
    return list(_THE.finditer(text)) if what == "the" else list(_WORD.finditer(text))[1:-1]


def without(text: str, n: int, chance: random.Random, what: str = "the") -> str:
    """A text without ``n`` of its deletable words, which there must be, spaces tidied.

    A deletion at the beginning leaves the next word as it is written.
    """
    found = deletable(text, what)
    drawn = [chance.choice(found)] if n == 1 else chance.sample(found, n)
    for word in sorted(drawn, key=lambda one: -one.start()):
        text = text[: word.start()] + text[word.end() :]
    return tidied(text)


def tidied(text: str) -> str:
    return _BEFORE_MARK.sub(r"\1", " ".join(text.split()))
