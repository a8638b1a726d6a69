"""The glossary: one entry for each term, words that a hint can show, and links that resolve."""

import re

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from metacog.book.folding import MARK, fold
from metacog.book.glossary import PAGE, Entry, Finder, entries
from metacog.book.hints import CLASS, mark_terms
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.study1_qa.cells import Flag

ROOT = project_root()
TEXT = (ROOT / f"{PAGE}.md").read_text(encoding="utf-8")
SMALL = """\
```{glossary}
d'
Sensitivity
  How far apart two things are. $d' = z(h) - z(f)$.

meta-d'
  What confidence is worth in units
  of d'.

Type 2
  About oneself.

S2
  One of two things.

Rating
  A *level* of confidence.
```
"""


def terms():
    return [term for entry in entries(TEXT) for term in entry.terms]


def test_entries_have_terms_and_a_first_sentence():
    first, second, *_ = entries(SMALL)
    assert first == Entry(("d'", "Sensitivity"), "How far apart two things are. $d' = z(h) - z(f)$.")
    assert first.short == "How far apart two things are."
    assert second.short == "What confidence is worth in units of d'."
    assert entries(SMALL)[-1].short == "A level of confidence."


@pytest.mark.parametrize(
    ("more", "said"),
    [("sensitivity\n  Again.", "sensitivity twice"), ("Alone", "'Alone' lacks a definition")],
)
def test_a_term_is_defined_and_only_once(more, said):
    with pytest.raises(MetacogError, match=said):
        entries(f"{SMALL}\n```{{glossary}}\n{more}\n```\n")


def test_the_first_sentence_of_every_entry_can_be_shown_as_it_is():
    """A hint shows text alone: formulas, citations, links and values glued in belong behind the first sentence."""
    assert len(entries(TEXT)) > 60
    for entry in entries(TEXT):
        assert entry.short.endswith((".", "?")) and len(entry.short) < 300, entry.terms
        assert not re.search(r"[${}\[\]<>*`]", entry.short), entry.terms


def test_every_abbreviation_that_the_glossary_uses_is_one_of_its_terms():
    words = {w for term in terms() for w in re.findall(r"\w+", term)}
    used = set()
    for entry in entries(TEXT):
        prose = re.sub(r"\$[^$]*\$|\{[\w:]+\}`[^`]*`|`[^`]*`", "", entry.definition)
        used |= set(re.findall(r"\b[A-Z][A-Za-z]*[A-Z][A-Z0-9]*\b", prose))
    assert len(used) > 5 and used <= words


def test_flags_of_the_tables_are_defined():
    for flag in (Flag.STARVED, Flag.PADDED, Flag.COARSE):
        assert flag.value in {term.lower() for term in terms()}


def test_every_symbol_has_one_row():
    rows = re.findall(r"^\| (.+?) \| .+ \|$", TEXT.split("## Symbols")[1], re.MULTILINE)[1:]
    symbols = [one.strip() for row in rows for one in re.split(r", | to ", row) if one.strip() != "..."]
    assert len(symbols) > 20 and len(symbols) == len(set(symbols))


@pytest.mark.parametrize(
    "page",
    [*sorted((ROOT / "book").glob("*.md")), *sorted((ROOT / "notebooks").rglob("*.py"))],
    ids=lambda p: p.stem,
)
def test_links_to_terms_resolve(page):
    known = {term.lower() for term in terms()}
    for role in re.findall(r"\{term\}`([^`]+)`", page.read_text(encoding="utf-8")):
        named = re.search(r"<(.+)>$", role)
        assert " ".join((named[1] if named else role).lower().split()) in known, role


def test_terms_are_found_in_running_text():
    finder = Finder(entries(SMALL))

    def found(text):
        return [(text[a:b], entry.terms[0]) for a, b, entry in finder.find(text)]

    assert found("Its meta-d’ and d' differ.") == [("meta-d’", "meta-d'"), ("d'", "d'")]
    assert found("Ratings, a rating\nand type 2 or Type\n2") == [
        ("Ratings", "Rating"),
        ("rating", "Rating"),
        ("type 2", "Type 2"),
        ("Type\n2", "Type 2"),
    ]
    assert found("S2 but not s2, S21, XS2 or S2-like, nor rated, d'x, type 21") == [("S2", "S2")]


PAGE_OF_TEXT = """\
Rating
======

A rating, ``rating``, `rating <https://example.org>`_ and again a rating.

.. math:: rating

- Of *type 2*, with :math:`S2`.

======  ======
rating  S2
======  ======
Type 2  S2
======  ======

S2 at last; no more type 2.
"""


def test_the_first_use_in_running_text_becomes_a_link_and_nothing_else_does():
    page = publish_doctree(PAGE_OF_TEXT)
    before = page.astext()
    mark_terms(page, Finder(entries(SMALL)), {"Rating": "g.html#r", "Type 2": "g.html#t", "S2": "g.html#s"})
    made = [n for n in page.findall(lambda n: CLASS in getattr(n, "attributes", {}).get("classes", []))]
    assert [(n.astext(), n["refuri"], n["reftitle"]) for n in made] == [
        ("rating", "g.html#r", "A level of confidence."),
        ("type 2", "g.html#t", "About oneself."),
        ("S2", "g.html#s", "One of two things."),
    ]
    assert page.astext() == before
    assert [type(n.parent).__name__ for n in made] == ["paragraph", "emphasis", "paragraph"]


def test_a_link_that_the_text_makes_says_what_the_term_means_and_counts_as_its_first_use():
    page = publish_doctree("The `scale <g.html#se>`_ and its sensitivity, d'; `elsewhere <g.html#x>`_.")
    mark_terms(page, Finder(entries(SMALL)), {"d'": "g.html#d", "Sensitivity": "g.html#se"})
    made = [(n.astext(), n.get("reftitle")) for n in page.findall(lambda n: n.tagname == "reference")]
    assert made == [("scale", "How far apart two things are."), ("elsewhere", None)]


def test_what_is_open_comes_before_what_is_folded():
    text = f"Title\n=====\n\nHow\n---\n\n.. raw:: html\n\n   {MARK}\n\nA rating of type 2.\n\nLast\n----\n\nA rating.\n"
    page = publish_doctree(text, settings_overrides={"doctitle_xform": False})
    fold(page)
    mark_terms(page, Finder(entries(SMALL)), {"Rating": "g.html#r", "Type 2": "g.html#t"})
    made = list(page.findall(nodes.reference))
    found = [(n.astext(), n.parent.parent["ids"]) for n in made]
    assert found == [("type 2", ["how"]), ("rating", ["last"])]


def test_a_term_without_a_place_in_the_book_stays_as_it_is():
    page = publish_doctree("A rating.")
    mark_terms(page, Finder(entries(SMALL)), {})
    assert "reference" not in page.pformat()
