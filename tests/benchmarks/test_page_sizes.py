"""Measuring a site of three pages. Oracles: counts taken by hand."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import page_sizes

FIGURE = '<figure><img src="dot.svg" width="9" height="9"></figure>'
ROWS = "<table><tbody>{}</tbody></table>"
PAGES = {
    "book/answered.html": '<h1>A title</h1><div class="page-answer">Yes.</div>' + FIGURE,
    "book/boxed.html": '<h1>A title</h1><p>Three words first.</p><div class="admonition">No.</div>',
    "_executed/long.html": (
        '<h1>A title</h1><div style="height: 1500px">one two</div>'
        f"<details><summary>more</summary>{FIGURE}{ROWS.format('<tr><td>1</td></tr>' * 11)}</details>"
    ),
}


@pytest.fixture
def site(tmp_path):
    for name, body in PAGES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            f'<!doctype html><body style="margin: 0"><article class="bd-article">{body}</article></body>',
            encoding="utf-8",
        )
        (path.parent / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "library.html").write_text("not a page of the book", encoding="utf-8")
    return tmp_path


@pytest.mark.skipif(
    importlib.util.find_spec("playwright") is None
    or not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    reason="no Chromium or no playwright: `apt-get install chromium`, `make setup`",
)
def test_pages_are_measured_as_they_open(site):
    found = page_sizes.measure(site).set_index("page")
    assert set(found.index) == set(PAGES)
    assert found["first"].to_dict() == {
        "book/answered.html": "answer",
        "book/boxed.html": "box",
        "_executed/long.html": "none",
    }
    assert found.loc["book/boxed.html", "words_before_answer"] == 3
    assert found.loc["book/answered.html", "words_before_answer"] == 0
    assert found.loc["book/answered.html", ["head_words", "head_numbers"]].tolist() == [1, 0]
    long = found.loc["_executed/long.html"]
    assert long.screens == pytest.approx(1600 / 900, abs=0.15)
    assert (long.tables, long.tables_open, long.long_tables_open, long.figures_folded) == (1, 0, 0, 1)
    assert found.pictures_kb.gt(0).tolist() == [True, True, False]


def test_the_summary_names_the_pages_over_the_limit():
    pages = pd.DataFrame({"page": ["a", "b"], "screens": [2.0, 7.0], "first": ["answer", "box"]})
    for column in page_sizes.COLUMNS[1:]:
        pages[column] = [1.0, 2.0]
    text = page_sizes.summary(pages)
    assert "over 6 screens: 1: b 7.0" in text and "screens: in all 9, median 4.5, most 7.0 (b)" in text
