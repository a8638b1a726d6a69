"""Pages of one study's run as files of their own. Oracle: a notebook made by hand."""

from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from metacog.book import chapters, paper_pages
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.imports.page import notebook_html


def test_a_page_stands_alone():
    svg = new_output("display_data", {"image/svg+xml": "<svg></svg>", "text/plain": "<Figure>"})
    said = new_output("display_data", {"text/markdown": ":::{div} page-answer\nSeven.\n:::\n"})
    about = {
        "figure": {"name": "fig-a", "caption": "Look ([there](other.ipynb))."},
        "image": {"alt": "A line."},
    }
    cells = [
        new_markdown_cell("# A page {cite:p}`galvin2003`"),
        new_code_cell("draw()", outputs=[said, svg], metadata={"mystnb": about}),
        new_markdown_cell(
            "Of {glue:text}`a_n:d` [here](other.ipynb) and [how](../book/how-to-run.md#one-paper). $d'$ of $5, $c$."
        ),
        new_markdown_cell("Not collected: x.\n\n:::{dropdown} How this page was run\nbox\n:::"),
    ]
    made = notebook_html(paper_pages._alone(new_notebook(cells=cells), {"a_n": 3}, {"other"}))
    assert "<h1>A page (galvin2003)</h1>" in made and "Seven." in made and 'aria-label="A line."' in made
    assert '<figcaption>Look (<a href="other.html">there</a>).</figcaption>' in made
    assert 'Of 3 <a href="other.html">here</a> and how. <em>d\'</em> of $5, <em>c</em>.' in made
    assert "Not collected: x." in made and "How this page was run" not in made and ":::" not in made


def test_what_cannot_be_made_is_named_once_the_rest_is(monkeypatch, tmp_path):
    """One page stops, one is made; one card is refused."""
    every = [
        SimpleNamespace(name=name, chapter=SimpleNamespace(uses=lambda of=of: [(of, "x")]))
        for name, of in {"bad": "study1_qa", "good": "study1_qa", "trials": "shared"}.items()
    ]
    asked = [(SimpleNamespace(name="study1_qa"), None, "open")]
    page = tmp_path / "good.ipynb"

    def execute(name, profile):
        if name == "bad":
            raise MetacogError("it stopped")
        return page

    def refuse(model, profile):
        raise MetacogError("not asked")

    paper_pages.nbformat.write(new_notebook(cells=[new_markdown_cell("# Good")]), page)
    for name, stand_in in {
        "project_root": lambda: tmp_path,
        "pages": lambda profile: every,
        "collections_read": lambda uses, profiles: asked,
        "execute_chapter": execute,
        "card_of": refuse,
        "models_of": lambda study, profile: ["small"],
        "from_root": lambda path: path.name,
    }.items():
        monkeypatch.setattr(paper_pages, name, stand_in)
    told = []
    with pytest.raises(MetacogError, match=r"not made:\n  bad: it stopped\n  card of small: not asked"):
        paper_pages.write_pages(SimpleNamespace(name="p"), "study1_qa", told.append)
    assert told == ["wrote good.html"]
    assert "<h1>Good</h1>" in (tmp_path / "results" / "p" / "pages" / "good.html").read_text()


def test_pages_of_the_contents_that_a_profile_lacks():
    """A book of all studies lacks none; one of a single study lacks the other studies' pages."""
    every = chapters.pages(load_profile("smoke"))
    assert chapters.unfilled(every) == []
    own = [page for page in every if {study for study, _ in page.chapter.uses()} == {"study4_probe"}]
    lacking = chapters.unfilled(own)
    assert own and "study2-replication" in lacking and "study4-replication" not in lacking
