"""What pages say of themselves. Oracles: documents made by hand, the Open Graph protocol, the sitemap's own schema."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from metacog.book.addresses import BOOK, REPOSITORY, Addresses, addresses
from metacog.book.heads import (
    MOST_CHARACTERS,
    SIZE,
    _describe_page,
    describe,
    described,
    draw_picture,
    meta_tags,
    shortened,
)
from metacog.book.launch import COLAB_NOTEBOOK, launch_links, link_launch
from metacog.book.sitemap import write_sitemap
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

PAGE = """
A title
=======

.. note:: {box}

The first paragraph, with :math:`\\mathrm{{d}}'` and *emphasis*.

- a list

Second part
-----------

Later words.

And a third
-----------

More.
"""


def page(box: str = "In a box.") -> nodes.document:
    text = PAGE.format(box=box)
    # a document's only top section is taken for its title by docutils, not by Sphinx
    return publish_doctree(text, settings_overrides={"doctitle_xform": False})


def test_a_page_is_described_by_its_first_box_and_else_by_its_first_paragraph():
    assert describe(page()) == "In a box."
    document = page()
    for box in list(document.findall(nodes.note)):
        box.parent.remove(box)
    assert describe(document) == "The first paragraph, with d' and emphasis."


def test_the_answer_of_a_page_comes_before_everything():
    document = page()
    section = next(document.findall(nodes.section))
    section += nodes.container("", nodes.paragraph("", "It is so."), classes=["page-answer"])
    assert describe(document) == "It is so."


def test_what_is_folded_does_not_describe_a_page_and_what_stands_below_a_heading_only_where_nothing_else_does():
    document = page()
    for node in [*document.findall(nodes.note), *document.findall(nodes.paragraph)]:
        if node.astext() not in ("Later words.", "More."):
            node.parent.remove(node)
    section = next(document.findall(nodes.section))
    section.insert(1, nodes.container("", nodes.paragraph("", "Folded."), classes=["sd-sphinx-override"]))
    assert describe(document) == "Later words."
    listed = publish_doctree("term\n  What it means.\n")
    assert describe(listed) == "What it means." and describe(publish_doctree("")) == ""


def test_a_description_ends_at_a_sentence_or_a_word():
    assert shortened("Short.") == "Short."
    two = "A sentence of some length that says something about something else in the world. " * 3
    assert shortened(two).count(".") == 2 and shortened(two).endswith("world.")
    long = "word " * 100
    assert shortened(long).endswith("word …") and len(shortened(long)) <= MOST_CHARACTERS


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        about = dict(attrs)
        assert tag == "meta" and about["content"]
        self.found[about.get("name") or about["property"]] = about["content"]


def test_tags_are_those_of_the_protocol_and_addresses_come_only_where_they_are_known():
    plain = Tags(meta_tags('"A" & <b>', "What it says", "The book")).found
    assert plain == {
        "description": "What it says",
        "og:type": "article",
        "og:site_name": "The book",
        "og:title": '"A" & <b>',
        "og:description": "What it says",
    }
    whole = Tags(meta_tags("A", "What", "B", "https://x.example/a.html", "https://x.example/a.png")).found
    assert {"og:title", "og:type", "og:image", "og:url"} <= set(whole)  # the four that the protocol requires
    assert (
        whole["twitter:card"] == "summary_large_image"
        and "description" not in Tags(meta_tags("A", "", "B")).found
    )


def test_the_page_that_leads_to_another_says_the_same_of_itself():
    tags = meta_tags("A > b", "What", "B", "https://x.example/a.html", "https://x.example/a.png")
    head = f'<meta charset="utf-8" />\n<meta name="viewport" content="x" />{tags}<meta name="docsearch" content="y">'
    assert described(head) == tags


def context_of(tmp_path, base: str) -> dict:
    app = SimpleNamespace(
        config=SimpleNamespace(html_title="The book", project="", html_baseurl=base),
        builder=SimpleNamespace(get_target_uri=lambda name: f"{name}.html"),
        outdir=tmp_path,
    )
    context = {"title": "A <em>title</em>", "metatags": "<x>"}
    _describe_page(app, "_executed/one", "page.html", context, page())
    assert context["metatags"].startswith("<x>\n")
    _describe_page(app, "search", "search.html", nothing := {"title": "Search"}, None)
    assert nothing == {"title": "Search"}
    return Tags(context["metatags"].removeprefix("<x>")).found


def test_sphinx_gets_the_tags_and_a_picture_where_an_address_is_known(tmp_path):
    without = context_of(tmp_path, "")
    assert without["og:title"] == "A title" and without["description"] == "In a box."
    assert not list(tmp_path.iterdir()) and not any("example" in value for value in without.values())
    found = context_of(tmp_path, "https://x.example/book/")
    assert found["og:url"] == "https://x.example/book/_executed/one.html"
    file = found["og:image"].removeprefix("https://x.example/book/")
    head = (tmp_path / file).read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")) == SIZE


def test_a_picture_takes_signs_as_they_are(tmp_path):
    draw_picture(tmp_path / "a.png", "Costs $5 and $6", "From _a_ to ^b^ in 100 %", "The book")
    assert (tmp_path / "a.png").stat().st_size > 5_000


def test_a_sitemap_names_pages_and_nothing_else(tmp_path):
    for name in ("index.html", "search.html", "genindex.html", "book/intro.html", "_executed/a&b.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "card.html").touch()
    assert write_sitemap(tmp_path, "") is None and not (tmp_path / "sitemap.xml").exists()
    root = ET.parse(write_sitemap(tmp_path, "https://x.example/b/")).getroot()
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    assert root.tag == f"{space}urlset"
    assert [url.findtext(f"{space}loc") for url in root] == [
        "https://x.example/b/_executed/a&b.html",
        "https://x.example/b/book/intro.html",
    ]


def test_addresses_come_from_the_settings_and_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv(BOOK, raising=False)
    monkeypatch.delenv(REPOSITORY, raising=False)
    assert addresses() == Addresses()  # the book as it comes names none
    monkeypatch.setattr("metacog.book.addresses.project_root", lambda: tmp_path)
    settings = "repository: {url: 'https://github.com/a/b.git', branch: next}\nhtml: {baseurl: https://x.example/b}\n"
    (tmp_path / "_config.yml").write_text(settings)
    assert addresses() == Addresses("https://x.example/b/", "https://github.com/a/b", "next")
    monkeypatch.setenv(BOOK, "https://y.example/")
    monkeypatch.setenv(REPOSITORY, "")
    assert addresses() == Addresses("https://y.example/", "", "next")
    monkeypatch.setenv(BOOK, "y.example")
    with pytest.raises(MetacogError, match=f"variable {BOOK} is 'y.example'; it has to begin with https://"):
        addresses()
    monkeypatch.delenv(BOOK)
    (tmp_path / "_config.yml").write_text("html: {baseurl: somewhere}")
    with pytest.raises(MetacogError, match="html.baseurl in _config.yml is 'somewhere'"):
        addresses()


def test_a_chapter_is_run_elsewhere_only_where_the_repository_has_an_address():
    import nbformat

    source = project_root() / "notebooks" / "shared" / "measures.py"
    assert launch_links(source, Addresses()) == {}
    assert launch_links(source, Addresses(repository="https://code.example/a/b")) == {}
    found = launch_links(source, Addresses(repository="https://github.com/a/b", branch="next/one"))
    assert found == {
        "Binder": "https://mybinder.org/v2/gh/a/b/next%2Fone?urlpath=lab%2Ftree%2Fnotebooks%2Fshared%2Fmeasures.py",
        "Colab": f"https://colab.research.google.com/github/a/b/blob/next%2Fone/{COLAB_NOTEBOOK}",
    }
    lab = launch_links(source, Addresses(repository="https://gitlab.com/a/b"))
    assert lab["Binder"].startswith("https://mybinder.org/v2/gl/a%2Fb/main?") and "Colab" not in lab
    for known, cells in ((Addresses(), 1), (Addresses(repository="https://github.com/a/b"), 2)):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title")])
        link_launch(notebook, source, known)
        assert len(notebook.cells) == cells


def test_the_notebook_for_colab_runs_what_the_project_has():
    import nbformat

    notebook = nbformat.read(project_root() / COLAB_NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    targets = re.findall(r"make -C companion (\w+)", "\n".join(cell.source for cell in notebook.cells))
    makefile = (project_root() / "Makefile").read_text(encoding="utf-8")
    assert targets == ["setup", "book"] and all(re.search(rf"^{one}:", makefile, re.M) for one in targets)
    assert all(not cell.get("outputs") for cell in notebook.cells)
