"""What a notebook displays in addition to tables and figures: prose, boxes with a verdict, HTML."""

from __future__ import annotations

from dataclasses import dataclass

_CALLED = {True: ("tip", "Supported"), False: ("warning", "Not supported"), None: ("note", "Undecided")}


@dataclass(frozen=True)
class Prose:
    """Markdown that a notebook displays."""

    source: str

    def _repr_markdown_(self) -> str:
        return self.source


@dataclass(frozen=True)
class Markup:
    """HTML that a notebook displays."""

    source: str

    def _repr_html_(self) -> str:
        return self.source


def admonition(sentence: str, passed: bool | None) -> str:
    """A verdict's sentence in a box: green if it passed, orange if not, grey where the data cannot decide."""
    return _box(*_CALLED[passed], sentence)


def finding(sentence: str) -> str:
    """What was found, in a box, where no rule was judged."""
    return _box("note", "Found", sentence)


def _box(kind: str, title: str, sentence: str) -> str:
    return f":::{{admonition}} {title}\n:class: {kind}\n{sentence}\n:::\n"
