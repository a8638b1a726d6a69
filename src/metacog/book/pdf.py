"""The rendered book as one PDF file: all pages in reading order, folds open, printed by headless Chromium.

Of tables that would fill hundreds of sheets, such as the ledger, the first rows are printed, with a line that says so.

The pages are joined into one HTML document before they are printed, so that links between pages lead to their places
in the file, and pages are numbered through.
"""

from __future__ import annotations

import html
import os
import posixpath
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from metacog.core.errors import MetacogError
from metacog.core.files import replacing

#: Names a Chromium that is not on the path.
VARIABLE = "CHROMIUM"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ON_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
#: Seconds that printing may take, and milliseconds of the page's own time for formulas to be set.
PATIENCE, FORMULAS = 1800, 600_000
#: Rows of a table that are printed.
MOST_ROWS = 200
#: Where the joined document lies while it is printed: one folder deep, like the pages, so that their links hold.
JOINED = Path("_print") / "book.html"
_STYLE = """
@page { size: A4; margin: 17mm 15mm 19mm; }
@page { @bottom-center { content: counter(page); font: 9pt sans-serif; color: #444; } }
@page :first { @bottom-center { content: none; } }
html, body { background: #fff; color: #000; }
body { font-size: 10.5pt; line-height: 1.45; }
h1 { font-size: 18pt; }
h2 { font-size: 14pt; }
h3 { font-size: 12pt; }
.book-page { break-before: page; }
.book-page table { display: table; width: auto; font-size: 7.5pt; }
.book-page td, .book-page th { line-height: 1.3; white-space: normal !important; min-width: 1.6em; }
.book-page td, .book-page th { overflow-wrap: anywhere; }
.book-page img, .book-page svg { max-width: 100%; height: auto; }
.book-page pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 7.5pt; }
.book-page button, .book-page input, .book-page select, .book-page .take-along, .book-page .launch, .headerlink {
  display: none !important; }
.book-front { break-after: page; padding-top: 60mm; }
.book-contents ol { line-height: 1.5; }
h1, h2, h3 { break-after: avoid; }
tr, figure, .admonition p { break-inside: avoid; }
thead { display: table-header-group; }
"""


def print_book(site: Path) -> Path:
    """Print a rendered book into ``book.pdf`` next to its folder."""
    program = find_chromium()
    target = site.parent / "book.pdf"
    joined = site / JOINED
    try:
        with replacing(joined) as handle:
            handle.write(joined_pages(site))
        _print(program, joined, target)
    finally:
        shutil.rmtree(joined.parent, ignore_errors=True)
    return target


def find_chromium() -> str:
    named = os.environ.get(VARIABLE)
    candidates = (named,) if named else (*PROGRAMS, ON_MACOS)
    found = next((path for name in candidates if name and (path := shutil.which(name))), None)
    if found is None:
        what = f"{named!r}, which {VARIABLE} names, is no program" if named else "there is no Chromium"
        raise MetacogError(
            f"{what}: the PDF is printed by Chromium. `apt-get install chromium` installs it, or name one "
            f"with {VARIABLE}=PROGRAM"
        )
    return found


def reading_order(site: Path) -> list[str]:
    """Names of all pages, each as the page before it names its next one."""
    entrance = site / "index.html"
    first = (
        _address(_read(entrance), r'http-equiv="refresh" content="0; url=([^"]+)"')
        if entrance.is_file()
        else ""
    )
    if not first:
        raise MetacogError(f"there is no rendered book in {site}: `metacog book` makes one")
    order: list[str] = []
    page = first
    while page and page not in order:
        order.append(page)
        following = _address(_read(site / page), r'<link rel="next"[^>]*? href="([^"]+)"')
        page = _resolved(page, following) if following else ""
    return order


def joined_pages(site: Path) -> str:
    """All pages as one document, each with its folds open; links between pages lead within it."""
    order = reading_order(site)
    texts = {name: _read(site / name) for name in order}
    places = {name: re.sub(r"\W+", "-", name.removesuffix(".html")).strip("-") for name in order}
    title = html.escape(_address(_read(site / "index.html"), r"<title>([^<]*)</title>"))
    parts = []
    for name in order:
        article = _article(texts[name])
        parts.append(
            f'<section class="book-page bd-article" id="{places[name]}">{_linked(article, name, places)}</section>'
        )
    contents = "".join(
        f'<li><a href="#{places[name]}">{_title(texts[name], name)}</a></li>' for name in order
    )
    head = "\n".join(_head(texts.values()))
    return (
        '<!doctype html>\n<html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">'
        f"<title>{title}</title>\n{head}\n<style>{_STYLE}</style></head>\n<body>"
        f'<div class="book-front"><h1>{title}</h1></div>'
        f'<nav class="book-contents"><h2>Contents</h2><ol>{contents}</ol></nav>\n'
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _address(text: str, pattern: str) -> str:
    found = re.search(pattern, text)
    return html.unescape(found[1]) if found else ""


def _resolved(page: str, address: str) -> str:
    """The page that a link leads to, from the book's folder."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(urlsplit(address).path)))


def _article(text: str) -> str:
    """What a page says, without what surrounds it."""
    begin = re.search(r'<article class="bd-article"[^>]*>', text)
    end = text.rfind("</article>")
    return text[begin.end() : end] if begin and end > begin.end() else ""


def _title(text: str, name: str) -> str:
    """A page's first heading, still as HTML; its name without one."""
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", _article(text), re.S)
    words = re.sub(r'<a class="headerlink".*?</a>', "", heading[1], flags=re.S) if heading else name
    return re.sub(r"<[^>]+>", "", words).strip()


def _linked(article: str, name: str, places: Mapping[str, str]) -> str:
    """A page's text with its folds open, its names made different from other pages', and its links led to them."""

    def lead(found: re.Match[str]) -> str:
        address = html.unescape(found[2])
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return found[0]
        page = _resolved(name, address) if parts.path else name
        if page not in places:
            return found[0]
        place = f"{places[page]}--{parts.fragment}" if parts.fragment else places[page]
        return f'{found[1]}href="#{html.escape(place, quote=True)}"'

    cut = re.sub(r"<tbody>(.*?)</tbody>", _first_rows, article, flags=re.S)
    opened = re.sub(r"<details(?![^>]*\sopen\b)", "<details open", cut)
    named = re.sub(r'(<[^<>]*\s)id="([^"]*)"', rf'\1id="{places[name]}--\2"', opened)
    return re.sub(r'(<a\s(?:[^<>]*?\s)?)href="([^"]*)"', lead, named)


def _first_rows(body: re.Match[str]) -> str:
    """A table's rows; of very many the first, and how many more there are."""
    rows = re.findall(r"<tr.*?</tr>", body[1], re.S)
    if len(rows) <= MOST_ROWS:
        return body[0]
    more = f"{len(rows) - MOST_ROWS:,} more rows are on this page of the book, and in its data."
    columns = rows[0].count("<td") + rows[0].count("<th")
    return f'<tbody>{"".join(rows[:MOST_ROWS])}<tr><td colspan="{columns}">{more}</td></tr></tbody>'


def _head(texts: Iterable[str]) -> Iterator[str]:
    """Style sheets, and what sets formulas: of all pages, each once. No other script is of use on paper."""
    patterns = (
        r'<link[^>]*rel="stylesheet"[^>]*>',
        r"<script[^>]*>window\.MathJax\s*=.*?</script>",
        r'<script[^>]*src="[^"]*mathjax[^"]*"[^>]*></script>',
    )
    seen: dict[str, None] = {}
    for text in texts:
        above = text[: text.find("</head>")]
        for pattern in patterns:
            seen |= dict.fromkeys(re.findall(pattern, above, re.S))
    yield from seen


def _print(program: str, page: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="metacog-") as profile:
        command = [
            program,
            "--headless",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            "--no-pdf-header-footer",
            "--generate-pdf-document-outline",
            "--run-all-compositor-stages-before-draw",
            f"--virtual-time-budget={FORMULAS}",
            f"--user-data-dir={profile}",
            f"--print-to-pdf={target.resolve()}",
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            page.resolve().as_uri(),
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise MetacogError(f"{program} did not print the book within {PATIENCE // 60} minutes") from None
    if not target.is_file() or not target.read_bytes().startswith(b"%PDF-"):
        last = " ".join((done.stderr or done.stdout).split("\n")[-3:]).strip()
        raise MetacogError(
            f"{program} printed no PDF (exit status {done.returncode}): {last or 'it says nothing'}"
        )
