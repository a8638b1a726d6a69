"""Right or wrong? Marking a generated text against a question's accepted answers.

One preamble is stripped, refusals are marked, the rest is normalised; it matches an accepted answer
exactly, or by a similarity fallback with difflib's ratio. A study says what counts as a preamble, how
similar is similar, and whether similarity may override another number or letter (:class:`Marking`). The ratio is
computed by ``cydifflib``, whose decisions are difflib's own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metacog.engines.base import Generation

try:
    from cydifflib import SequenceMatcher
except ModuleNotFoundError:  # it comes with the extra `ask`; difflib gives the same ratios, only later
    from difflib import SequenceMatcher

#: Beginnings of a refusal.
REFUSALS = ("i don't know", "i'm not sure", "i cannot", "i can't", "sorry", "i don't have")

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")

_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()

_PLACED = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()

_TENS = "thirty forty fifty sixty seventy eighty ninety hundred".split()

_NUMBER_WORDS = {
    **{word: value for words in (_COUNTED, _PLACED) for value, word in enumerate(words)},
    **{word: 10 * value for value, word in enumerate(_TENS, 3)},
    **{word.removesuffix("y") + "ieth": 10 * value for value, word in enumerate(_TENS[:-1], 3)},
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
}

_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})", re.I | re.A)

_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

_PIECE = re.compile(r"(?<!\w)[-−]?\d+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_]+")


def numbers_and_letters(text: str) -> tuple[str, ...]:
    """Numbers, numerals and single letters of a text, sorted; numbers as digits, however they are written.

    A numeral is a whole word in capitals, or one of nothing but i, v and x. An *a* before another word is an
    article, unless it is a capital inside the text.

    >>> numbers_and_letters("Elizabeth the First"), numbers_and_letters("Elizabeth II")
    (('1',), ('2',))
    >>> numbers_and_letters("a bottle of vitamin A"), numbers_and_letters("1,500 °C")
    (('a',), ('1500', 'c'))
    """
    plain = re.sub(r"(?<=\w)['’](?=\w)", "", unicodedata.normalize("NFKC", text))
    pieces = _PIECE.findall(re.sub(r"(?<=\d)[, ](?=\d{3}(?!\d))", "", plain))
    found, last = [], len(pieces) - 1
    for place, piece in enumerate(pieces):
        word = piece.casefold()
        if piece[-1].isdecimal():
            found.append(f"{float(piece.replace('−', '-')):.15g}")
        elif word in _NUMBER_WORDS:
            found.append(str(_NUMBER_WORDS[word]))
        elif _ROMAN.fullmatch(word) and (set(word) <= set("ivx") or (len(word) > 1 and piece.isupper())):
            values = [_ROMAN_DIGITS[digit] for digit in piece.upper()]
            pairs = zip(values, [*values[1:], 0], strict=True)
            found.append(str(sum(-one if one < after else one for one, after in pairs)))
        elif len(piece) == 1 and (word != "a" or place == last or (piece == "A" and place > 0)):
            found.append(word)
    return tuple(sorted(found))


@dataclass(frozen=True)
class Mark:
    """How one text was marked."""

    correct: bool
    #: ``exact``, ``similar``, ``near`` (as similar, but with another number, numeral or single letter), ``none``,
    #: ``refusal``, ``empty`` or ``unanswered``.
    match: str
    answer: str
    #: Largest ratio over the accepted answers, in [0, 1]; 1 for an exact match.
    similarity: float
    #: The accepted answer that matched, or the nearest one; empty for refusals.
    matched_alias: str
    refusal: bool
    preamble: bool


def is_refusal(text: str) -> bool:
    return text.strip().lower().startswith(REFUSALS)


def normalise(text: str) -> str:
    """Lower case, without a/an/the, white space squeezed; punctuation stays."""
    return " ".join(_ARTICLE.sub(" ", text.lower()).split())


def best_similarity(answer: str, accepted: Sequence[str]) -> tuple[float, int]:
    """Largest ``SequenceMatcher(None, answer, alias).ratio()`` and the index where it stands.

    Cheap upper bounds skip aliases that cannot win; the result is the exact maximum, and the
    first alias that reaches it.
    """
    best, where = -1.0, -1
    matcher = SequenceMatcher(None, answer, "")
    for index, alias in enumerate(accepted):
        longest = len(answer) + len(alias)
        if longest and 2.0 * min(len(answer), len(alias)) / longest <= best:
            continue
        matcher.set_seq2(alias)
        if best >= 0 and matcher.quick_ratio() <= best:
            continue
        ratio = matcher.ratio()
        if ratio > best:
            best, where = ratio, index
    return best, where


@dataclass(frozen=True)
class Marking:
    """By what rule a study marks texts."""

    #: What is taken off the very start of a text, once.
    preamble: re.Pattern[str]
    threshold: float
    #: Whether it accepts only what has the same :func:`numbers_and_letters` as the accepted answer.
    strict: bool = False

    def strip_preamble(self, text: str) -> tuple[str, bool]:
        stripped = self.preamble.sub("", text, count=1)
        return stripped, stripped != text

    def mark_reply(self, made: Generation, accepted: Iterable[str]) -> Mark:
        """Mark a reply: its answer, or that it ended among the model's thoughts and has none."""
        if made.unanswered:
            return Mark(False, "unanswered", "", 0.0, "", False, False)
        return self.mark(made.text, accepted)

    def mark(self, text: str, accepted: Iterable[str]) -> Mark:
        aliases = list(accepted)
        if not aliases:
            raise ValueError("a question needs at least one accepted answer")
        body, preamble = self.strip_preamble(text)
        answer = body.strip()
        if is_refusal(text) or is_refusal(body):
            return Mark(False, "refusal", answer, 0.0, "", True, preamble)
        given = normalise(answer)
        if not given:
            return Mark(False, "empty", answer, 0.0, "", False, preamble)
        keys = [normalise(alias) for alias in aliases]
        for alias, key in zip(aliases, keys, strict=True):
            if given == key:
                return Mark(True, "exact", answer, 1.0, alias, False, preamble)
        similarity, where = best_similarity(given, keys)
        match = "similar" if similarity >= self.threshold else "none"
        if self.strict and match == "similar":
            own = numbers_and_letters(answer)
            same = [index for index, alias in enumerate(aliases) if numbers_and_letters(alias) == own]
            best, at = best_similarity(given, [keys[index] for index in same])
            match = "similar" if best >= self.threshold else "near"
            if match == "similar":
                similarity, where = best, same[at]
        return Mark(match == "similar", match, answer, similarity, aliases[where], False, preamble)

    def same(self, one: str, other: str) -> bool:
        """Whether two texts are one answer by this rule: either would be right if the other were the key.

        Refusals are one answer, whatever their words.
        """
        refused = is_refusal(one), is_refusal(other)
        if any(refused):
            return all(refused)
        return any(self.mark(a, [self.strip_preamble(b)[0]]).correct for a, b in ((one, other), (other, one)))
