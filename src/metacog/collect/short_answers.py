"""Short answers against accepted forms: strictly, or without regard to titles and middle initials."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

#: Titles that may stand before a name.
TITLES = frozenset(
    "mr mrs ms miss sir dame lord lady dr doctor prof professor president king queen emperor pope saint st "
    "general captain senator chancellor hon".split()
)

_ARTICLES = frozenset(("a", "an", "the"))

_MOST_BETWEEN = 2


def same_strictly(given: str, key: str) -> bool:
    return " ".join(given.split()).casefold() == " ".join(key.split()).casefold()


def name_words(text: str) -> tuple[str, ...]:
    """Words of a name in lower case, without accents, punctuation, articles, and titles before it.

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

    Case, accents, punctuation, articles, a title in front, and what follows a comma or stands in brackets do not
    count; nor, between the first and the last word of a form of two words or more, do initials on either side and
    up to two further names in the answer.

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
    rest = iter(between)  # used up from word to word, so that order and repetition count
    return all(w in rest for w in needed) and len(between) - len(needed) <= _MOST_BETWEEN


def agree(given: str, other: str) -> bool:
    return same_strictly(given, other) or same_name(given, [other]) or same_name(other, [given])
