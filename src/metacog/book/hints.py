"""A Sphinx extension: where a page first uses a term of the glossary, the term says what it means.

The term becomes a link to its entry whose title is the entry's first sentence. Browsers show the title to a mouse;
``glossary-hints.js`` shows it to keyboards and fingers as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

from metacog.book.folding import is_folded
from metacog.book.glossary import PAGE, Finder, entries

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: Class of the links.
CLASS = "defined"
#: Parts of a page in which terms are left alone, by the name of the node: headings, code, formulas, links, captions,
#: tables (their headers become buttons), what is folded away, and the glossary's own terms.
LEFT_ALONE = frozenset(
    "title rubric caption legend literal literal_block math math_block reference download_reference raw table term "
    "dropdown_main dropdown_title citation footnote".split()
)


def mark_terms(doctree: nodes.document, finder: Finder, address: Mapping[str, str]) -> None:
    """Link the first occurrence of each entry's terms in a page, in place: where it is open to be read, if anywhere.

    The text links to the address of an entry's first term, and leaves entries without one out.
    """
    at = {address[term]: entry for entry in finder.known for term in entry.terms if term in address}
    seen: set[str] = set()
    for node in sorted(doctree.findall(lambda n: isinstance(n, nodes.Text | nodes.reference)), key=is_folded):
        if isinstance(node, nodes.reference):  # a link to an entry that the text itself makes
            if entry := at.get(node.get("refuri", "")):
                node["reftitle"], node["classes"] = entry.short, [*node["classes"], CLASS]
                seen.add(entry.terms[0])
        elif _running(node):
            _mark(node, finder, address, seen)


def _mark(node: nodes.Text, finder: Finder, address: Mapping[str, str], seen: set[str]) -> None:
    """Link terms in one piece of text that have not been seen on the page, and note them as seen."""
    text, parts, end = str(node), [], 0
    for first, last, entry in finder.find(text):
        name = entry.terms[0]
        if name in seen or name not in address:
            continue
        seen.add(name)
        link = {"refuri": address[name], "reftitle": entry.short, "classes": [CLASS]}
        term = text[first:last]
        parts += [nodes.Text(text[end:first]), nodes.reference(term, term, internal=True, **link)]
        end = last
    if parts and node.parent is not None:
        node.parent.replace(node, [*parts, nodes.Text(text[end:])])


def _running(node: nodes.Node) -> bool:
    """Whether a piece of text stands in a paragraph that is open to be read."""
    names = set()
    while node.parent is not None:
        node = node.parent
        names.add(type(node).__name__)
    return "paragraph" in names and not names & LEFT_ALONE


def _on_resolved(app: Sphinx, doctree: nodes.document, page: str) -> None:
    source = Path(app.srcdir) / f"{PAGE}.md"
    if app.builder.format != "html" or page == PAGE or not source.is_file():
        return
    known = entries(source.read_text(encoding="utf-8"))
    objects: dict[tuple[str, str], tuple[str, str]] = app.env.get_domain("std").objects  # type: ignore[attr-defined]
    address = {}
    for term in (term for entry in known for term in entry.terms):
        home, anchor = objects.get(("term", term), ("", ""))
        if home:
            address[term] = f"{app.builder.get_relative_uri(page, home)}#{anchor}"
    mark_terms(doctree, Finder(known), address)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-resolved", _on_resolved)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
