"""What a notebook displays in addition to tables and figures: prose, boxes with a verdict, HTML."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_CALLED = {True: ("tip", "Supported"), False: ("warning", "Not supported"), None: ("note", "Undecided")}


@dataclass(frozen=True)
class Prose:
    """Markdown that a notebook displays."""

    source: str

    def _repr_markdown_(self) -> str:
        return self.source


@dataclass(frozen=True)
class Markup:
    """HTML that a notebook displays, with the data in it as CSV where the page is to offer them."""

    source: str
    csv: str = ""

    def _repr_html_(self) -> str:
        return self.source

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/csv": self.csv} if self.csv else {}


def take_along(links: Mapping[str, str], name: str, what: str) -> str:
    """A line below a table or figure with files that readers may keep.

    Parameters
    ----------
    links : mapping
        Address by kind: ``svg``, ``csv``; without an address the kind is left out.
    name : str
        Of the files, without ending.
    what : str
        "table" or "figure", for those who hear the link without seeing where it stands.
    """
    made = (
        f'<a href="{html.escape(address)}" download="{html.escape(name)}.{kind}" '
        f'aria-label="{kind.upper()} of this {what}">{kind.upper()}</a>'
        for kind, address in links.items()
        if address
    )
    line = " ".join(made)
    return f'<p class="take-along">{line}</p>' if line else ""


def admonition(sentence: str, passed: bool | None) -> str:
    """A verdict's sentence in a box: green if it passed, orange if not, grey where the data cannot decide."""
    return _box(*_CALLED[passed], sentence)


def finding(sentence: str) -> str:
    """What was found, in a box, where no rule was judged."""
    return _box("note", "Found", sentence)


def _box(kind: str, title: str, sentence: str) -> str:
    return f":::{{admonition}} {title}\n:class: {kind}\n{sentence}\n:::\n"
