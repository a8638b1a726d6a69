"""How much a reader meets on each page of a rendered book, as it opens: screens, tables, words, weight.

Opens every page of a site from the disk in Chromium, 1,280 by 900 pixels, folds closed, and writes a table with
one row per page::

    python benchmarks/page_sizes.py _build/html --out /tmp/pages.csv

A page's answer is what it marks as such. Where it marks none, the first box or figure counts, and the column
``first`` says so: books of before and after pages opened with answers can be compared.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pandas as pd

WIDTH, HEIGHT = 1280, 900
#: Milliseconds that a page may take to load: the ledger has thousands of rows.
PATIENCE = 180_000

#: A number that stands by itself, not as part of a name.
NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-])|(?<![\w.])\.\d+")

#: What the summary tells.
COLUMNS = ["screens", "words", "tables", "tables_open", "boxes", "head_words", "head_numbers"]
COLUMNS += ["words_before_answer", "weight_kb", "pictures_kb"]

MEASURE = r"""() => {
  const article = document.querySelector("article.bd-article") || document.body;
  const verdict = /^(Supported|Not supported|Undecided)/;
  const seen = (e) => e.checkVisibility();
  const inFold = (e) => { const d = e.closest("details:not([open])"); return !!d && article.contains(d); };
  const tables = [...article.querySelectorAll("table")];
  const marked = article.querySelector(".page-answer");
  const found = marked || [...article.querySelectorAll(".admonition, figure, img")].find(seen);
  const first = !found ? "none" : marked ? "answer" : found.matches(".admonition") ? "box" : "figure";
  let words = null;
  if (found) {
    const before = document.createRange();
    before.setStart(article, 0);
    before.setEndBefore(found);
    const walk = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    words = 0;
    for (let n = walk.nextNode(); n && before.comparePoint(n, 0) === 0; n = walk.nextNode()) {
      if (!n.parentElement.closest("h1, script, style, .headerlink") && seen(n.parentElement))
        words += (n.data.match(/\S+/g) || []).length;
    }
  }
  const pictures = [...document.images].map((i) => i.src).filter((a) => a.startsWith("file:"));
  return {
    screens: document.documentElement.scrollHeight / window.innerHeight,
    tables: tables.length,
    tables_open: tables.filter(seen).length,
    long_tables_open: tables.filter((t) => seen(t) && t.tBodies[0] && t.tBodies[0].rows.length > 10).length,
    figures: [...article.querySelectorAll("figure img")].filter(seen).length,
    figures_folded: [...article.querySelectorAll("figure img")].filter(inFold).length,
    words: (article.innerText.match(/\S+/g) || []).length,
    head: marked ? marked.innerText : "",
    boxes: [...article.querySelectorAll(".admonition")].filter((box) => verdict.test(box.innerText)).length,
    matrices: article.querySelectorAll("table.book-matrix").length,
    first, words_before_answer: words, pictures,
  };
}"""


def page_names(site: Path) -> list[str]:
    """Pages of the book, not those that libraries bring or that Sphinx adds, nor what leads an old address on."""
    found = (path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    named = sorted(name for name in found if name.startswith(("book/", "_executed/")))
    return [
        name
        for name in named
        if 'http-equiv="refresh"' not in (site / name).read_text(encoding="utf-8")[:600]
    ]


def chromium() -> str:
    """The program; ends with what to do where there is none."""
    named = os.environ.get("CHROMIUM") or next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))),
        None,
    )
    if named is None:
        sys.exit("no Chromium: `apt-get install chromium`, or name one with CHROMIUM")
    return named


def measure(site: Path) -> pd.DataFrame:
    """One row per page; ``weight_kb`` is the page's own file, ``asked_kb`` the pictures it shows."""
    from playwright.sync_api import sync_playwright

    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_default_timeout(PATIENCE)
        for name in page_names(site):
            page.goto((site / name).as_uri(), wait_until="load")
            page.wait_for_function(
                "!window.MathJax || !MathJax.startup || MathJax.startup.promise.then(() => true)"
            )
            row = page.evaluate(MEASURE)
            row["head_words"] = len(row["head"].split()) or None
            row["head_numbers"] = len(NUMBER.findall(row.pop("head"))) if row["head_words"] else None
            pictures = {Path(unquote(urlsplit(one).path)) for one in row.pop("pictures")}
            weight = (site / name).stat().st_size
            rows.append(
                {
                    "page": name,
                    **row,
                    "weight_kb": weight / 1e3,
                    "pictures_kb": sum(p.stat().st_size for p in pictures if p.is_file()) / 1e3,
                }
            )
        browser.close()
    return pd.DataFrame(rows)


def summary(pages: pd.DataFrame, limit: float = 6.0) -> str:
    """Medians, maxima and the pages over the limit, in lines to read."""
    lines = [f"{len(pages)} pages, {pages.screens.sum():.0f} screens"]
    for column in COLUMNS:
        values = pages[column].dropna()
        where = pages.page.iloc[int(np.nanargmax(pages[column]))]
        told = f"in all {values.sum():.0f}, median {values.median():.1f}, most {values.max():.1f} ({where})"
        lines.append(f"{column}: {told}")
    counts = pages["first"].value_counts()
    lines.append("opens with: " + ", ".join(f"{kind} {n}" for kind, n in counts.items()))
    over = pages[pages.screens > limit]
    longest = ", ".join(
        f"{page} {screens:.1f}" for page, screens in zip(over.page, over.screens, strict=True)
    )
    return "\n".join([*lines, f"over {limit:g} screens: {len(over)}{': ' if longest else ''}{longest}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, help="folder of the rendered book, e.g. _build/html")
    parser.add_argument("--out", type=Path, required=True, help="CSV to write, one row per page")
    given = parser.parse_args()
    site = given.site.resolve()
    if not page_names(site):
        sys.exit(f"{given.site} holds no rendered book: render one with `make book PROFILE=smoke`")
    pages = measure(site)
    pages.round(2).to_csv(given.out, index=False)
    print(summary(pages))


if __name__ == "__main__":
    main()
