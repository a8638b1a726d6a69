"""What a notebook displays in addition to tables and figures: answers, prose, HTML."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: A longer first sentence is taken only up to the end of a clause.
LONG_TITLE = 140
#: A shorter clause says too little.
SHORT_TITLE = 30
#: Letters of data that a page carries, to open them in place.
MOST_IN_PLACE = 40_000
_SENTENCE_ENDS = re.compile(r"(?<! al)(?<! vs)[.?!](?=\s+[^\sa-z(])")
#: Code, which stays as it is, or a percent sign right behind a digit.
_PERCENT = re.compile(r"(```.*?```|`[^`\n]*`)|(?<=\d)%", re.DOTALL)
_CLAUSE_ENDS = re.compile(r"[;:](?=\s)")


@dataclass(frozen=True)
class Prose:
    """Markdown that a notebook displays."""

    source: str

    def _repr_markdown_(self) -> str:
        return spaced(self.source)


@dataclass(frozen=True)
class Markup:
    """HTML that a notebook displays, with the data in it as CSV where the page is to offer them."""

    source: str
    csv: str = ""

    def _repr_html_(self) -> str:
        return self.source

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/csv": self.csv} if self.csv else {}


def take_along(links: Mapping[str, str], name: str, what: str, csv: str = "") -> str:
    """A line below a table or figure (``what``) with files that readers may keep, by kind (``svg``, ``csv``) and
    address.

    A page may open ``csv`` in place, as a table; too many data (:data:`MOST_IN_PLACE`) are for taking along alone.
    """
    made = (
        f'<a href="{html.escape(address)}" download="{html.escape(name)}.{kind}" '
        f'aria-label="{kind.upper()} of this {what}">{kind.upper()}</a>'
        for kind, address in links.items()
        if address
    )
    line = " ".join(made)
    within = html.escape(csv.strip()).replace("\n", "&#10;") if len(csv) <= MOST_IN_PLACE else ""
    opened = f' data-csv="{within}"' if within else ""
    return f'<p class="take-along"{opened}>{line}</p>' if line else ""


def carried(mime: str, text: str) -> str:
    """A text as an address that needs no other file; empty for an empty one."""
    return f"data:{mime};base64,{base64.b64encode(text.encode()).decode()}" if text else ""


def spaced(text: str) -> str:
    """A text with a space between number and percent sign, "18 %", as everywhere in the book; not within code."""
    return _PERCENT.sub(lambda found: found[1] or " %", text)


def lead(sentence: str, note: str = "", classes: str = "") -> str:
    """The sentence that answers a page's question, set apart at its head; a note qualifies it in small type.

    ``classes`` are further ones of its part of the page.
    """
    fence = "::::" if ":::" in note else ":::"  # a longer one where the note has a part of its own
    small = f"\n{fence}{{div}} page-note\n{note}\n{fence}\n" if note else ""
    return f":::{{div}} {f'page-answer {classes}'.strip()}\n{sentence}\n:::\n{small}"


def first_sentence(text: str) -> str:
    """A text's first sentence, without a full stop.

    One of more than :data:`LONG_TITLE` characters is cut at the last end of a clause before that, if there is one.
    Nothing is cut within emphasis, formulas, code or brackets.
    """
    text = text.strip()
    first = text.partition("\n\n")[0]
    ends = (m.end() for m in _SENTENCE_ENDS.finditer(first))
    end = next((e for e in ends if _whole(first[:e])), len(first))
    if end > LONG_TITLE:
        clauses = [m.end() for m in _CLAUSE_ENDS.finditer(first, SHORT_TITLE, LONG_TITLE)]
        end = next((e for e in reversed(clauses) if _whole(first[:e])), end)
    return " ".join(first[:end].split()).rstrip(".;:")


def _whole(text: str) -> bool:
    """Whether nothing that was opened is left open."""
    pairs = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))
    return pairs and not any(text.count(mark) % 2 for mark in ("**", "$", "`"))
