"""Sections that are closed until their heading is clicked: method, derivations, secondary tables.

A page folds a section by a comment below its heading::

    ## How the interval is made
    <!-- fold -->

Everything down to the next heading of the same level is folded, the outputs of code included. The heading stays in
sight, and so do its place in the page's contents and its anchor; a link into the section opens it
(``companion.js``), and it is printed open.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes

#: What a page writes below the heading of a section that is to be folded.
MARK = "<!-- fold -->"


def fold(doctree: nodes.document) -> None:
    """Fold the marked sections of a page, in place; what opens and closes them is HTML of their own section."""
    for mark in [node for node in doctree.findall(nodes.raw) if node.astext().strip() == MARK]:
        section = mark.parent
        section.remove(mark)
        if isinstance(section, nodes.section) and isinstance(section.parent, nodes.section):
            section.insert(0, _raw('<details class="folded-section"><summary>'))
            section.insert(2, _raw("</summary>"))
            section.append(_raw("</details>"))
            section["folded"] = True


def is_folded(node: nodes.Node) -> bool:
    """Whether a node stands in a section that :func:`fold` has closed."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.section) and node.get("folded"):
            return True
    return False


def _raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app: Any) -> dict[str, bool]:
    """Have Sphinx fold sections when a page is written: contents and search are as without folds."""
    app.connect("doctree-resolved", lambda _, doctree, __: fold(doctree))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
