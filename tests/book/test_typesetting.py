"""Pages as they are set: no line ends before a percent sign, and no line of prose is taken for a comment."""

import re

import jupytext
import pytest
from docutils import nodes
from docutils.core import publish_doctree

from metacog.book.rendering import prepare_static
from metacog.book.typesetting import keep_percent
from metacog.core.paths import project_root

PAGE = """\
Of 95 % intervals ``5 % 2``, 3 % of 7 %.

.. raw:: html

   <table><caption>A 95 % interval</caption></table>

.. raw:: html

   <script>left = 5 % 2;</script>
"""


def test_numbers_keep_their_percent_sign_outside_code():
    tree = publish_doctree(PAGE, settings_overrides={"raw_enabled": True})
    keep_percent(tree)
    text = tree.astext()
    assert "Of 95\xa0% intervals 5 % 2, 3\xa0% of 7\xa0%." in text
    assert "A 95\xa0% interval" in text and "left = 5 % 2" in text


def test_a_number_that_another_node_holds_keeps_its_sign_too():
    glued = nodes.paragraph("", "", nodes.inline("", "95"), nodes.Text(" % of them, and a rest %"))
    keep_percent(glued)
    assert glued.astext() == "95\xa0% of them, and a rest %"


def prose():
    root = project_root()
    yield from ((page, page.read_text(encoding="utf-8")) for page in sorted((root / "book").glob("*.md")))
    for source in sorted((root / "notebooks").rglob("*.py")):
        cells = jupytext.read(source).cells
        yield source, "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.mark.parametrize(("source", "text"), [pytest.param(s, t, id=s.stem) for s, t in prose()])
def test_no_line_of_prose_is_swallowed_as_a_comment(source, text):
    """MyST takes a line that begins with a percent sign for a comment, and breaks the paragraph there."""
    without_code = re.sub(r"^(```+|~~~+).*?^\1", "", text, flags=re.M | re.S)
    assert re.findall(r"^\s*% .*", without_code, re.M) == []


def test_half_a_file_of_mathjax_is_made_whole(tmp_path):
    """A full disk had left it; the next build must not take it for what it is called."""
    prepare_static(tmp_path)
    font = next((tmp_path / "mathjax").rglob("*.woff"))
    whole = font.read_bytes()
    font.write_bytes(whole[:100])
    prepare_static(tmp_path)
    assert font.read_bytes() == whole
