"""How chapters open: with a title, a sentence that answers it and follows the data, and a figure; then the rest."""

import ast
import re

import jupytext
import pytest

from metacog.book.finish import PRIMITIVES
from metacog.book.folding import MARK
from metacog.studies.chapters import declared

#: What shows something on a page.
SHOWS = ("answer", "says", "figure", "table", "box", "verdicts", "text", "html", "rules", *PRIMITIVES)
#: What proves an answer: something drawn, or the answers that it speaks of.
PROVES = {"figure", "html", *PRIMITIVES}


def calls(code):
    """Names of what code calls, in their order."""
    found = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Call)]
    ordered = sorted(found, key=lambda n: (n.end_lineno, n.end_col_offset))
    return [getattr(n.func, "attr", getattr(n.func, "id", "")) for n in ordered]


def opening(source):
    """The title's cell, and what the code shows that goes before the first words of the text."""
    first, *rest = [cell for cell in jupytext.read(source).cells if cell.cell_type != "raw"]
    code = []
    for cell in rest:
        if cell.cell_type != "code":
            break
        code.append(cell.source)
    return first.source, calls("\n".join(code))


def opens_with_its_answer(source):
    title, called = opening(source)
    shown = [name for name in called if name in SHOWS]
    return (
        re.fullmatch(r"# [^\n]+", title) is not None
        and shown[:1] in (["answer"], ["says"])
        and bool(PROVES & set(shown))
    )


#: The page that lists what its answer is about.
LISTS = "trials"


@pytest.mark.parametrize("chapter", [c for c in declared() if c.name != LISTS], ids=lambda c: c.name)
def test_a_chapter_opens_with_its_answer_and_what_proves_it(chapter):
    assert opens_with_its_answer(chapter.source), opening(chapter.source)


@pytest.mark.parametrize("chapter", declared(), ids=lambda c: c.name)
def test_no_fold_holds_an_answer_or_a_warning(chapter):
    """A fold stands directly below a heading, and holds no box that warns."""
    text = chapter.source.read_text(encoding="utf-8")
    for section in re.split(r"(?m)^# (?=###? )", text)[1:]:
        if MARK in section:
            assert re.match(rf"###? [^\n]+\n# {MARK}\n", section), section[:80]
            assert (
                ":::{warning}" not in section and ".answer(" not in section and "head=True" not in section
            ), section[:80]
