"""Sections are folded without losing their heading, their place or what lies in them."""

import pytest
from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree

from metacog.book.folding import MARK, fold

PAGE = f"""\
Page
====

Lead.

How
---

.. raw:: html

   {MARK}

Words.

Deeper
^^^^^^

More words.

Last
----

End.
"""


def doctree(text=PAGE):
    return publish_doctree(text, settings_overrides={"doctitle_xform": False, "report_level": 5})


@pytest.fixture
def folded():
    tree = doctree()
    fold(tree)
    return tree


def test_a_marked_section_opens_at_its_heading_with_all_that_belongs_to_it(folded):
    html = publish_from_doctree(folded, writer_name="html5").decode()
    inside = html[html.index('<details class="folded-section">') : html.index("</details>")]
    assert inside.index("<summary>") < inside.index(">How<") < inside.index("</summary>")
    assert "Words." in inside and "Deeper" in inside and "More words." in inside
    assert "Lead." not in inside and "End." not in inside and MARK not in html
    assert inside.count("<section") == inside.count("</section>") == 1


def test_the_section_keeps_its_anchor_and_its_title(folded):
    section = next(s for s in folded.findall(nodes.section) if s["names"] == ["how"])
    assert section["ids"] == ["how"]
    assert [t.astext() for t in section.findall(nodes.title)] == ["How", "Deeper"]


def test_nothing_is_folded_without_a_mark_nor_a_whole_page():
    tree = doctree(PAGE.replace(MARK, "<!-- else -->"))
    before = tree.pformat()
    fold(tree)
    assert tree.pformat() == before
    whole = doctree(PAGE.replace("Lead.", f".. raw:: html\n\n   {MARK}"))
    fold(whole)
    html = publish_from_doctree(whole, writer_name="html5").decode()
    assert html.count("<details") == 1 and MARK not in html
