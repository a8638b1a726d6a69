"""The ledger's page. Oracle: the table it shows, read back from the HTML."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from metacog.ledger.entry import Role, Status, entries_of
from metacog.ledger.judging import tabulate
from metacog.ledger.page import SIGNS, ledger_html, reproduced_text, roles, title, worded


def tabulated(*rows):
    return tabulate(
        entries_of(pd.DataFrame([{"quantity": "q", "source": "counts"} | row for row in rows]), "s")
    )


@pytest.fixture(scope="module")
def ledger() -> pd.DataFrame:
    return tabulated(
        {"table": "one", "item": "a", "published": "0.946", "value": 0.9459},
        {
            "table": "one",
            "item": "b <i>",
            "published": "0.98",
            "value": 0.97,
            "note": "off",
            "relation": ">=",
        },
        {"table": "two", "item": "c", "published": "True", "value": 1.0},
        {"table": "two", "item": "d", "published": "12", "needs": "trials & more"},
    )


ROLES = (
    Role(Status.INPUT, "what went in", "it went in"),
    Role(Status.REPEAT, "what stands elsewhere", "it stands elsewhere"),
)


@pytest.fixture(scope="module")
def every() -> pd.DataFrame:
    """A ledger with a row of every status, and one that differs although it had to agree."""
    rows = [
        {"item": "match", "value": 0.5},
        {"item": "differs", "value": 0.9},
        {"item": "bounded", "bounds": (0.412345, 0.61)},
        {"item": "cannot tell", "value": 0.5, "rival": 0.51, "without": "without it"},
        {"item": "input", "value": 0.5, "role": ROLES[0]},
        {"item": "disagrees", "value": 0.8, "role": ROLES[0]},
        {"item": "repeat", "value": 0.5, "role": ROLES[1]},
        {"item": "waits", "needs": "trials"},
    ]
    return tabulated(*({"table": "one", "published": "0.5"} | row for row in rows))


def test_every_status_has_a_sign(every):
    html = ledger_html(every)
    assert set(SIGNS) == set(Status)
    for status in Status:
        assert f"{SIGNS[status]} {status}</td>" in html
    assert "0.41235 to" in html  # both ends of the row that is bounded
    assert "be 0.51" in html


def test_the_rules_count_their_rows_and_those_that_disagree(every):
    table = roles(every, ROLES).set_index("which")
    assert table.loc["what went in", ["rows", "differ"]].tolist() == [2, 1]
    assert table.loc["what stands elsewhere", ["rows", "differ"]].tolist() == [1, 0]
    assert len(roles(every, ())) == 0


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
    assert list(read["Published"]) == ["0.946", "≥ 0.98", "True", "12"]
    assert [s.split(" ", 1)[1] for s in read["Status"]] == [
        Status.MATCH,
        Status.DIFFERS,
        Status.MATCH,
        Status.NEEDS,
    ]
    assert "trials &" in read.iloc[3, 9] and "off" in read.iloc[1, 9]


def test_readers_see_quantities_in_words_and_the_data_keep_their_names():
    named = {
        "meta_i2r": "meta-I2r",
        "r2": "R²",
        "ci_lo": "lower end",
        "sd conf all": "standard deviation of confidence",
    }
    assert {name: title(name) for name in named} == named
    assert title("rho, lo") == "rho, lower end" and title("tau_b(education, score), value").endswith("people")
    assert title("AUROC2, Applied") == "AUROC2, Applied" and title("some_new") == "some new"
    rows = pd.DataFrame({"item": ["R^2 of 9"], "quantity": ["acc"], "published": [">= 2"], "note": [None]})
    shown = worded(rows)
    assert shown["item"].item() == "R² of 9"
    assert shown["quantity"].item() == "accuracy" and shown["published"].item() == "≥ 2"
    assert rows["quantity"].item() == "acc" and rows["published"].item() == ">= 2"


def test_page_works_offline_and_without_a_mouse(ledger):
    html = ledger_html(ledger)
    assert not re.search(r"https?://|src=|@import", html)
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(ids) == len(set(ids)) and all(i.startswith("ledger-") for i in ids)
    for control in ("ledger-search", "ledger-which", "ledger-status", "ledger-kind"):
        assert f'for="{control}"' in html and f'id="{control}"' in html
    assert 'aria-live="polite"' in html and 'tabindex="0"' in html and "<caption>" in html
    assert html.count('data-status="needs data"') == 1


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
