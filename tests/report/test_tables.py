"""Tables as readers see them: titles, decimals, grouped headers, and schemas that are held."""

import re

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.report.tables import MOST_ROWS, Schema, answer, columns_of, count, limits, number, text

FRAME = pd.DataFrame(
    {
        "model": ["a<b", "c"],
        "n": [1200, 3],
        "x": [0.5, None],
        "lo": [0.25, 0.1],
        "hi": [1.0, 0.2],
        "passed": [True, None],
        "flag": ["", ""],
    }
)
SCHEMA = Schema(
    "frame",
    columns_of(
        text("model", "Model"),
        count("n", "Trials"),
        number("x", "Share", 2),
        limits("lo", "hi"),
        answer("passed", "Passed"),
        text("flag", "Flag", optional=True),
    ),
    "A table.",
)


def cells(html, tag):
    return re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", html)


def test_values_are_set_as_their_columns_say():
    html = SCHEMA.html(FRAME)
    assert cells(html, "td") == [
        "a&lt;b",
        "1,200",
        "0.50",
        "0.250",
        "1.000",
        "yes",
        "c",
        "3",
        "-",
        "0.100",
        "0.200",
        "-",
    ]
    assert cells(html, "caption") == ["A table."]
    assert html.count('class="number"') == 2 * 4 + 4 and "\u200b" not in html


def test_an_interval_stands_under_one_header():
    html = SCHEMA.html(FRAME)
    assert cells(html, "th") == ["Model", "Trials", "Share", "95 % interval", "Passed", "from", "to"]
    assert 'colspan="2"' in html and html.count('rowspan="2"') == 4


def test_a_schema_is_held():
    with pytest.raises(MetacogError, match="there is no column x"):
        SCHEMA.html(FRAME.drop(columns="x"))
    with pytest.raises(MetacogError, match="x is not a column of numbers"):
        SCHEMA.html(FRAME.assign(x=["a", "b"]))
    with pytest.raises(MetacogError, match="passed is not a column of answers"):
        SCHEMA.html(FRAME.assign(passed=["a", None]))


def test_rows_are_picked_and_an_empty_table_says_so():
    picked = Schema("frame", SCHEMA.columns, pick=lambda f: f[f["n"] > 9999], empty="Nothing is that large.")
    assert picked.html(FRAME) == '<p class="no-rows">Nothing is that large.</p>'


def test_without_columns_the_data_decide():
    html = Schema("frame", ()).html(
        pd.DataFrame({"tier_1": ["3/4"], "right": [3], "enough": [True], "p": [0.1]})
    )
    assert cells(html, "th") == ["tier 1", "right", "enough", "p"]
    assert cells(html, "td") == ["3/4", "3", "yes", "0.100"]


def test_a_long_table_opens_on_a_click_and_says_how_long_it_is():
    longest = pd.concat([FRAME.head(1)] * MOST_ROWS, ignore_index=True)
    assert "<details" not in SCHEMA.html(longest)
    html = SCHEMA.html(pd.concat([longest, FRAME.tail(1)]))
    assert html.startswith("<details") and f"A table. <span>({MOST_ROWS + 1} rows" in html
    assert html.count("<tr>") == MOST_ROWS + 3 and "<caption>" not in html  # two rows of headers
