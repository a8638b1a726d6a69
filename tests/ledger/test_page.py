"""The ledger's page. Oracle: the table it shows, read back from the HTML."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from metacog.ledger.entry import Entry, Status, Value
from metacog.ledger.judging import tabulate
from metacog.ledger.page import ledger_html, reproduced_text, tally


@pytest.fixture(scope="module")
def ledger() -> pd.DataFrame:
    def entry(table, item, published, value=None, **more):
        return Entry("s", table, item, "q", published, value=value, **more)

    return tabulate(
        [
            entry("one", "a", "0.946", Value(0.9459, "counts")),
            entry("one", "b <i>", "0.98", Value(0.97, "counts", note="off"), relation=">="),
            entry("two", "c", "True", Value(1.0, "counts")),
            entry("two", "d", "12", needs="trials & more"),
        ]
    )


class Cells(HTMLParser):
    """Texts of a table's cells, row by row."""

    def __init__(self):
        super().__init__()
        self.rows, self.inside = [], False

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        self.inside = tag in ("td", "th")
        if self.inside:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


def test_every_row_stands_on_the_page(ledger):
    html = ledger_html(ledger)
    parser = Cells()
    parser.feed(html)
    read = pd.DataFrame(parser.rows[1:], columns=parser.rows[0])
    assert len(read) == len(ledger)
    assert list(read["Item"]) == ["a", "b <i>", "c", "d"]
    assert list(read["Published"]) == ["0.946", ">= 0.98", "True", "12"]
    assert [s.split(" ", 1)[1] for s in read["Status"]] == [
        Status.MATCH,
        Status.DIFFERS,
        Status.MATCH,
        Status.NEEDS,
    ]
    assert "needs trials & more" in read.iloc[3, 8] and "off" in read.iloc[1, 8]


def test_page_works_offline_and_without_a_mouse(ledger):
    html = ledger_html(ledger)
    assert not re.search(r"https?://|src=|@import", html)
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(ids) == len(set(ids)) and all(i.startswith("ledger-") for i in ids)
    for control in ("ledger-search", "ledger-which", "ledger-status"):
        assert f'for="{control}"' in html and f'id="{control}"' in html
    assert 'aria-live="polite"' in html and 'tabindex="0"' in html and "<caption>" in html
    assert html.count('data-status="needs data"') == 1


def test_tally_adds_up(ledger):
    counted = tally(ledger).set_index("table")
    assert counted.loc["all tables"].to_dict() == {
        "rows": 4,
        Status.MATCH: 2,
        Status.DIFFERS: 1,
        Status.NEEDS: 1,
    }
    assert counted.loc["two", Status.NEEDS] == 1


@pytest.mark.parametrize(
    ("value", "published", "text"),
    [
        (0.94586, "0.946", "0.94586"),
        (5000.0, "5000", "5000"),
        (1.0, "True", "True"),
        (np.nan, "1", ""),
        (0.979766, ">= 0.98", "0.9798"),
        (-0.8, "-1", "-0.80"),
    ],
)
def test_reproduced_figures_show_two_digits_more(value, published, text):
    assert reproduced_text(value, published) == text
