"""The book as one PDF. Oracles: a small book made by hand, and the printed file's own objects."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from metacog.book import pdf
from metacog.cli import main
from metacog.core.errors import MetacogError

INDEX = '<html><head><title>A &amp; B</title><meta http-equiv="refresh" content="0; url=book/intro.html"></head></html>'
PAGE = """<html><head><link rel="stylesheet" href="../_static/s.css"/>
<script>window.MathJax = {{"a": 1}}</script><script src="../_static/other.js"></script>{next}</head>
<body><nav>menu</nav>
<article class="bd-article"><section id="top"><h1>{title}<a class="headerlink" href="#top">#</a></h1>{body}</section>
</article><footer>foot</footer></body></html>"""


@pytest.fixture
def site(tmp_path):
    """A book of three pages, of which one is not in reading order."""
    bodies = {
        "book/intro.html": (
            "First",
            "../_executed/two.html",
            '<p id="x">See <a class="i" href="../_executed/two.html#part">there</a>, <a href="#x">here</a>, '
            '<a href="https://a.example/b.html#c">out</a>, <a href="../_static/f.csv">data</a></p>',
        ),
        "_executed/two.html": (
            "Second &lt;2&gt;",
            "",
            '<details class="long-table"><summary>Closed</summary><p id="part">inside</p></details>'
            '<details open><summary>Open</summary></details><img src="../_images/a.svg">',
        ),
        "_executed/loose.html": ("Loose", "", "<p>not in the contents</p>"),
    }
    site = tmp_path / "html"
    for name, (title, following, body) in bodies.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        link = f'<link rel="next" title="t" href="{following}" />' if following else ""
        (site / name).write_text(PAGE.format(title=title, next=link, body=body))
    (site / "index.html").write_text(INDEX)
    return site


def test_pages_come_in_reading_order_and_links_lead_within_the_file(site):
    assert pdf.reading_order(site) == ["book/intro.html", "_executed/two.html"]
    text = pdf.joined_pages(site)
    assert "menu" not in text and "foot" not in text and "the contents" not in text
    assert text.index("First") < text.index("Second")
    assert 'href="#_executed-two--part"' in text
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids)) and {"book-intro--x", "_executed-two--part", "_executed-two"} <= set(ids)
    inner = [href for href in re.findall(r'href="#([^"]+)"', text)]
    assert set(inner) <= set(ids) and len(inner) >= 5
    assert 'href="https://a.example/b.html#c"' in text and 'href="../_static/f.csv"' in text
    assert text.count("<details") == 2
    assert not re.search(r"<details(?![^>]*\bopen\b)", text)
    assert text.count("window.MathJax") == 1 and "other.js" not in text and text.count("s.css") == 1
    assert '<li><a href="#_executed-two">Second &lt;2&gt;</a></li>' in text


def test_of_a_table_of_very_many_rows_the_first_are_printed(site, monkeypatch):
    monkeypatch.setattr(pdf, "MOST_ROWS", 3)
    page = site / "_executed" / "two.html"
    rows = "".join(f"<tr><td>{i}</td><td>x</td></tr>" for i in range(5))
    short = "<table><tbody><tr><td>kept</td></tr></tbody></table>"
    table = f"<table><thead><tr><th>a</th></tr></thead><tbody>{rows}</tbody></table>{short}"
    page.write_text(page.read_text().replace("</section>", f"{table}</section>"))
    text = pdf.joined_pages(site)
    assert "<td>2</td>" in text and "<td>3</td>" not in text and "<td>kept</td>" in text
    assert '"2">2 more' in text and text.count("more rows") == 1


def test_without_a_book_or_a_browser_there_is_a_short_error(tmp_path, monkeypatch):
    with pytest.raises(MetacogError, match="no rendered book in .*`metacog book` makes one"):
        pdf.reading_order(tmp_path)
    monkeypatch.setenv(pdf.VARIABLE, "no-such-browser")
    with pytest.raises(MetacogError, match=r"'no-such-browser', which CHROMIUM names, is no program"):
        pdf.find_chromium()
    monkeypatch.delenv(pdf.VARIABLE)
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(MetacogError, match="there is no Chromium.*apt-get install chromium"):
        pdf.find_chromium()
    done = CliRunner().invoke(main, ["book", "--pdf"])  # told before anything is made
    assert done.exit_code == 2 and "Chromium" in done.output


def test_a_browser_that_prints_nothing_is_told(site, tmp_path, monkeypatch):
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\necho 'it is broken' >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv(pdf.VARIABLE, str(program))
    with pytest.raises(MetacogError, match="printed no PDF .exit status 3.: it is broken"):
        pdf.print_book(site)
    assert not (site / "_print").exists() and not (tmp_path / "book.pdf").exists()


def test_chromium_prints_every_page_with_its_number(site, tmp_path):
    try:
        pdf.find_chromium()
    except MetacogError as error:
        pytest.skip(str(error))
    target = pdf.print_book(site)
    assert target == tmp_path / "book.pdf" and not (site / "_print").exists()
    content = target.read_bytes()
    assert content.startswith(b"%PDF-")
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", content))
    assert pages == 4  # title, contents, and two pages
    assert b"/Outlines" in content  # headings can be jumped to
