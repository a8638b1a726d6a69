"""How rare the words of an answer are, by a committed table of word frequencies.

The table (``data/words``) holds English words with their Zipf frequency to one decimal: the base-10 logarithm of
how often a word occurs in a thousand million words (van Heuven, Mandera, Keuleers & Brysbaert 2014, Q J Exp Psychol
67, 1176-1190). Words that are not in it are as rare as its rarest, the floor.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

#: The table; analyses that use it name this file.
TABLE = "data/words/english.txt.gz"
#: Runs of letters, with apostrophes inside, or of digits.
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")


@dataclass(frozen=True)
class WordTable:
    """Zipf frequencies of words in lower case, a number of several digits by as many zeros, and the lowest of them."""

    zipf: dict[str, float] = field(repr=False)
    floor: float

    def of(self, word: str) -> float | None:
        """Zipf frequency of a word as it is written, without a possessive 's, or without accents; None without any."""
        plain = word.casefold().replace("’", "'")
        if plain.isdigit():
            return self.zipf.get(plain if len(plain) == 1 else "0" * len(plain))
        for form in (plain, plain.removesuffix("'s"), _unaccented(plain.removesuffix("'s"))):
            if form in self.zipf:
                return self.zipf[form]
        return None

    def rarest(self, answers: Iterable[str]) -> NDArray[np.float64]:
        """Zipf frequency of the rarest word of each answer; the floor for an answer without words.

        The rarest word is a word of content wherever there is one: the commonest words are the grammatical ones.
        """
        found = (
            [self.floor if (z := self.of(word)) is None else z for word in words_of(one)] for one in answers
        )
        return np.array([min(each, default=self.floor) for each in found], dtype=np.float64)


def words_of(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))


@cache
def word_table() -> WordTable:
    path = project_root() / TABLE
    try:
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
        zipf = {word: float(line.split(" ", 1)[0]) for line in lines for word in line.split(" ")[1:]}
    except (OSError, EOFError, UnicodeDecodeError, ValueError) as error:
        raise MetacogError(
            f"{TABLE} is missing or damaged ({error}): restore it from the repository"
        ) from None
    if not zipf:
        raise MetacogError(f"{TABLE} holds no word: restore it from the repository")
    return WordTable(zipf, min(zipf.values()))


def _unaccented(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
