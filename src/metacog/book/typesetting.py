"""A Sphinx extension: no line of a page ends between a number and its percent sign.

Sentences, captions and tables are written and made with plain spaces, so that they can be compared and searched; what
a page shows has spaces there that do not break.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes

#: Parts of a page that stay as they are, by the name of the node.
LEFT_ALONE = frozenset("literal literal_block math math_block comment".split())
#: HTML that holds more than words.
_CODE = re.compile(r"<(?:script|style|pre|code)\b")
#: A space before a percent sign, behind a digit or where a number of its own (a glued one) precedes the text.
_SPACE = re.compile(r"(?:(?<=\d)|\A) (?=%)")
_UNBROKEN = "\N{NO-BREAK SPACE}"


def keep_percent(doctree: nodes.document) -> None:
    """Let no line end between a number and its percent sign, in place; code and formulas are left alone."""
    for node in list(doctree.findall(nodes.Text)):
        text, parent = str(node), node.parent
        if parent is None or not _SPACE.search(text) or _is_left_alone(node):
            continue
        if isinstance(parent, nodes.raw) and (_CODE.search(text) or parent.get("format") != "html"):
            continue
        parent.replace(node, nodes.Text(_SPACE.sub(_UNBROKEN, text)))


def _is_left_alone(node: nodes.Node) -> bool:
    while node.parent is not None:
        node = node.parent
        if type(node).__name__ in LEFT_ALONE:
            return True
    return False


def setup(app: Any) -> dict[str, bool]:
    """Have Sphinx do it when a page is written, after terms of the glossary were found."""
    app.connect("doctree-resolved", lambda _, doctree, __: keep_percent(doctree), priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
