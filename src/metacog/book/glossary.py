"""The glossary as data: its entries, and where their terms stand in a text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from metacog.core.errors import MetacogError

#: The page of the glossary, below the project's root and without its ending.
PAGE = "book/glossary"

_BLOCK = re.compile(r"^```\{glossary\}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r".+?[.?!](?=\s|$)", re.DOTALL)
_MARKED = re.compile(r"[*`]")


@dataclass(frozen=True)
class Entry:
    """One entry: names of one thing, the first of which leads, and its definition in Markdown."""

    terms: tuple[str, ...]
    definition: str

    @property
    def short(self) -> str:
        """The definition's first sentence, without emphasis: what readers are shown next to the term."""
        found = _SENTENCE.match(self.definition)
        return _MARKED.sub("", found[0] if found else self.definition)


def entries(text: str) -> list[Entry]:
    found = [entry for block in _BLOCK.findall(text) for entry in _of_block(block)]
    names = [key(term) for entry in found for term in entry.terms]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise MetacogError(
            f"the glossary defines {', '.join(twice)} twice: one entry holds all there is to say"
        )
    return found


def _of_block(block: str) -> list[Entry]:
    found = []
    for part in re.split(r"\n\s*\n(?=\S)", block.strip("\n")):
        lines = part.splitlines()
        terms = tuple(line.strip() for line in lines if line and not line[0].isspace())
        definition = " ".join(line.strip() for line in lines if line[:1].isspace())
        if not terms or not definition:
            raise MetacogError(
                f"the glossary's entry {lines[0]!r} lacks a definition, indented below its terms"
            )
        found.append(Entry(terms, definition))
    return found


def key(text: str) -> str:
    """A term as it is looked up: without regard to case, kind of apostrophe and line breaks."""
    return " ".join(text.replace("’", "'").casefold().split())


class Finder:
    """Finds the terms of entries in running text.

    The longest term wins. A term of one letter is not looked for; one with capitals or digits after its first letter
    must be written so; any other may begin with a capital and end in a plural s.
    """

    def __init__(self, known: list[Entry]) -> None:
        self.known = tuple(known)
        self._entry = {key(term): entry for entry in known for term in entry.terms}
        terms = sorted((t for e in known for t in e.terms if len(t) > 1), key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(_pattern, terms))})(?![\w'’-])")

    def find(self, text: str) -> list[tuple[int, int, Entry]]:
        """Where terms begin and end in a text, and their entries, in order."""
        return [(m.start(), m.end(), self._of(m[0])) for m in self._pattern.finditer(text)]

    def _of(self, text: str) -> Entry:
        name = key(text)
        return self._entry[name] if name in self._entry else self._entry[name.removesuffix("s")]


def _pattern(term: str) -> str:
    words = r"\s+".join(re.escape(word).replace("'", "['’]") for word in term.split())
    plural = "s?" if term[-1].isalpha() and term[-1] != "s" else ""
    if re.search(r"[A-Z0-9]", term[1:]) is None:
        return f"(?i:{words}{plural})"
    # "Type 2" is also "type 2", but "S2" is not "s2"
    start = f"[{term[0].upper()}{term[0].lower()}]" if term[1].islower() else re.escape(term[0])
    return f"{start}{words.removeprefix(re.escape(term[0]))}{plural}"
