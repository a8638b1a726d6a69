"""Right or wrong? Marking a generated text against a question's accepted answers.

One preamble is stripped, refusals are marked, the rest is normalised; it matches an accepted answer
exactly, or by a similarity fallback with difflib's ratio. A study says what counts as a preamble, how
similar is similar, and whether similarity may override another number or letter (:class:`Marking`). The ratio is
computed by ``cydifflib``, whose decisions are difflib's own.

Replies that were asked for as named lines, such as ``ANSWER: 12`` and ``CONFIDENCE: 7``.

Replies that were asked for as strict JSON: one parser for asking again and for reading.

Short answers against accepted forms: strictly, or without regard to titles and middle initials.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from metacog.engines.base import Generation

_NUMBER = re.compile(
    r"(?<![\w.])[-+−]?(?:\d{1,3}(?:[, \u00a0\u202f]\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?", re.I
)
_OUT_OF = re.compile(r"\s*(?:/|out of|of)\s*\d+(?:\.0+)?\b", re.I)
_DECORATION = " \t*_`\"'"


def field_lines(text: str, names: Sequence[str]) -> dict[str, str]:
    """Values behind the named fields of a reply, each up to the next field or the end of its line.

    Names are found without regard to case, decoration by asterisks, and a space in place of an
    underscore. Of a field that stands twice the first counts; one that is missing or empty is left out.

    Parameters
    ----------
    text : str
    names : sequence of str
        Such as ``("ANSWER", "CONFIDENCE")``.

    Examples
    --------
    >>> field_lines("**Answer:** 12\\nCONFIDENCE: 7/10", ("ANSWER", "CONFIDENCE"))
    {'ANSWER': '12', 'CONFIDENCE': '7/10'}
    """
    by_form = {name.upper(): name for name in names}
    longest = sorted(by_form, key=len, reverse=True)
    choice = "|".join(re.escape(name).replace("_", "[ _]") for name in longest)
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


_FENCED = re.compile(r"```[A-Za-z]*\s*\n?(.*?)\n?\s*```", re.DOTALL)


def without_fences(text: str) -> str:
    """The text inside a code fence that is all of a reply; other text as it is, both stripped."""
    fenced = _FENCED.fullmatch(text.strip())
    return (fenced.group(1) if fenced else text).strip()


def whole_numbers(text: str, allowed: Mapping[str, Collection[int]]) -> dict[str, int] | None:
    """Fields of a reply that is one JSON object with exactly these fields, each an allowed whole number.

    Parameters
    ----------
    text : str
        The reply; a code fence around it is taken off, any other text around the object is not.
    allowed : mapping
        By field, the numbers it may hold.

    Returns
    -------
    dict or None
        None where the reply is anything else.

    Examples
    --------
    >>> whole_numbers('```json\\n{"decision": 1}\\n```', {"decision": (0, 1)})
    {'decision': 1}
    >>> whole_numbers('It is {"decision": 1}', {"decision": (0, 1)}) is None
    True
    """
    try:
        found = json.loads(without_fences(text), object_pairs_hook=_unrepeated)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or set(found) != set(allowed):
        return None
    if any(type(value) is not int or value not in allowed[name] for name, value in found.items()):
        return None
    return found


def _unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice")
    return found


#: Titles that may stand before a name.
TITLES = frozenset(
    "mr mrs ms miss sir dame lord lady dr doctor prof professor president king queen emperor pope saint st "
    "general captain senator chancellor hon".split()
)
_ARTICLES = frozenset(("a", "an", "the"))
_MOST_BETWEEN = 2


def same_strictly(given: str, key: str) -> bool:
    """Equality without regard to case and to the amount of white space."""
    return " ".join(given.split()).casefold() == " ".join(key.split()).casefold()


def name_words(text: str) -> tuple[str, ...]:
    """Words of a name in lower case, without accents, punctuation, articles, and titles before it.

    Examples
    --------
    >>> name_words("Sir James Chadwick."), name_words("Leoš Janáček")
    (('james', 'chadwick'), ('leos', 'janacek'))
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    words = [w for w in re.findall(r"\w+", re.sub(r"(?<=\w)['’]s?(?=\w)", "", plain)) if w not in _ARTICLES]
    while len(words) > 1 and words[0] in TITLES:
        words = words[1:]
    return tuple(words)


def same_name(given: str, accepted: Iterable[str]) -> bool:
    """Whether a short answer is one of the accepted forms.

    Case, accents, punctuation, articles, a title in front, and what follows a comma or stands in brackets do
    not count; nor, between the first and the last word of a form of two words or more, do initials on
    either side and up to two further names in the answer.

    Examples
    --------
    >>> same_name("President John Kennedy", ["John F. Kennedy"]), same_name("Paris, France", ["Paris"])
    (True, True)
    >>> same_name("Robert Kennedy", ["John F. Kennedy"])
    False
    """
    forms = [name_words(one) for one in accepted]
    head = re.split(r"[,;(\[]", given, maxsplit=1)[0]
    return any(_fits(name_words(text), form) for text in (given, head) for form in forms if form)


def _fits(given: tuple[str, ...], form: tuple[str, ...]) -> bool:
    if given == form:
        return True
    if len(form) < 2 or len(given) < 2 or (given[0], given[-1]) != (form[0], form[-1]):
        return False
    between = [w for w in given[1:-1] if len(w) > 1]
    needed = [w for w in form[1:-1] if len(w) > 1]
    rest = iter(between)
    return all(w in rest for w in needed) and len(between) - len(needed) <= _MOST_BETWEEN


def agree(given: str, other: str) -> bool:
    """Whether two short answers say the same."""
    return same_strictly(given, other) or same_name(given, [other]) or same_name(other, [given])


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

    A numeral is a whole word in capitals, or one of nothing but i, v and x. An *a* before another word is an article,
    unless it is a capital inside the text.

    Examples
    --------
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
            found.append(str(_of_roman(piece.upper())))
        elif len(piece) == 1 and (word != "a" or place == last or (piece == "A" and place > 0)):
            found.append(word)
    return tuple(sorted(found))


def _of_roman(numeral: str) -> int:
    values = [_ROMAN_DIGITS[digit] for digit in numeral]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


@dataclass(frozen=True)
class Mark:
    """How one text was marked.

    Attributes
    ----------
    correct : bool
    match : str
        ``exact``, ``similar``, ``near`` (as similar, but with another number, numeral or single letter), ``none``,
        ``refusal``, ``empty`` or ``unanswered``.
    answer : str
        The text after the preamble was taken off, stripped.
    similarity : float
        Largest ratio over the accepted answers, in [0, 1]; 1 for an exact match.
    matched_alias : str
        The accepted answer that matched, or the nearest one; empty for refusals.
    refusal, preamble : bool
    """

    correct: bool
    match: str
    answer: str
    similarity: float
    matched_alias: str
    refusal: bool
    preamble: bool


def is_refusal(text: str) -> bool:
    """True if the text begins with one of the refusal phrases."""
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
    """By what rule a study marks texts.

    Attributes
    ----------
    preamble : pattern
        What is taken off the very start of a text, once.
    threshold : float
        Similarity from which the fallback accepts.
    strict : bool
        Whether it accepts only what has the same :func:`numbers_and_letters` as the accepted answer.
    """

    preamble: re.Pattern[str]
    threshold: float
    strict: bool = False

    def strip_preamble(self, text: str) -> tuple[str, bool]:
        """Take one leading preamble off; also say whether there was one."""
        stripped = self.preamble.sub("", text, count=1)
        return stripped, stripped != text

    def mark_reply(self, made: Generation, accepted: Iterable[str]) -> Mark:
        """Mark a reply: its answer, or that it ended among the model's thoughts and has none."""
        if made.unanswered:
            return Mark(False, "unanswered", "", 0.0, "", False, False)
        return self.mark(made.text, accepted)

    def mark(self, text: str, accepted: Iterable[str]) -> Mark:
        """Mark a generated text.

        Parameters
        ----------
        text : str
            The raw generated text.
        accepted : iterable of str
            The key and its aliases.

        Raises
        ------
        ValueError
            If there is no accepted answer.
        """
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
