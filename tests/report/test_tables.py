"""Tables as readers see them: titles, decimals, grouped headers, and schemas that are held."""

import base64
import dataclasses
import io
import re

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from metacog.core.errors import MetacogError
from metacog.report.tables import (
    MOST_ROWS,
    Schema,
    ShownTable,
    answer,
    columns_of,
    count,
    limits,
    number,
    table,
    text,
)

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
        "0.250 to 1.000",
        "yes",
        "c",
        "3",
        "-",
        "0.100 to 0.200",
        "-",
    ]
    assert cells(html, "caption") == ["A table."]
    assert html.count('class="number"') == 2 * 3 + 3 and "\u200b" not in html


def test_an_interval_is_one_column():
    html = SCHEMA.html(FRAME)
    assert cells(html, "th") == ["Model", "Trials", "Share", "95 % interval", "Passed"]
    assert "colspan" not in html and html.count("<tr>") == 3
    none = SCHEMA.html(FRAME.assign(lo=None, hi=None))
    assert cells(none, "td").count("-") == 2 + 2


def test_an_interval_shares_a_header_with_its_estimate():
    columns = columns_of(text("model", "Model"), number("x", "is", 2, "Share"), limits("lo", "hi", "Share"))
    html = Schema("frame", columns).html(FRAME)
    assert cells(html, "th") == ["Model", "Share", "is", "interval"]
    assert 'colspan="2"' in html and html.count('rowspan="2"') == 1


def test_what_is_the_same_in_every_row_of_a_wide_table_is_a_sentence():
    frame = pd.DataFrame(
        {"model": list("abc"), "n": [5] * 3, "note": [""] * 3, **{k: [1, 2, 3] for k in "uvwxy"}}
    )
    wide = Schema(
        "frame", columns_of(text("model", "Model"), count("n", "Trials"), *(count(k, k) for k in "uvwxy"))
    )
    html = wide.html(frame)
    assert "Trials" not in cells(html, "th") and "every row" in html
    assert "Trials" in cells(wide.html(frame.head(2)), "th")  # two rows show no rule
    narrow = Schema("frame", wide.columns[:4])
    assert "Trials" in cells(narrow.html(frame), "th") and "every row" not in narrow.html(frame)
    assert "n,u" in ShownTable(wide, frame).csv()  # the data keep it


def test_nothing_is_a_zero_with_a_sign():
    html = Schema("frame", (number("x", "x", 2),)).html(pd.DataFrame({"x": [-0.001, -0.5, 0.0]}))
    assert cells(html, "td") == ["0.00", "-0.50", "0.00"]


def test_a_table_hands_over_its_data_unrounded_beside_what_is_read():
    frame = FRAME.assign(x=[1 / 3, None])
    shown = ShownTable(SCHEMA, frame)
    data, _ = InteractiveShell().display_formatter.format(shown)
    assert data["text/html"] == SCHEMA.html(frame)
    read = pd.read_csv(io.StringIO(data["text/csv"]))
    assert list(read.columns) == ["model", "n", "x", "lo", "hi", "passed"]  # no column that is not shown
    assert read["x"][0] == pytest.approx(1 / 3, abs=1e-9) and read["model"][0] == "a<b"
    none = ShownTable(Schema("frame", SCHEMA.columns, empty="None."), FRAME.head(0))
    assert "text/csv" not in InteractiveShell().display_formatter.format(none)[0]


def test_a_schema_is_held():
    with pytest.raises(MetacogError, match="there is no column x"):
        SCHEMA.html(FRAME.drop(columns="x"))
    with pytest.raises(MetacogError, match="x holds no numbers"):
        SCHEMA.html(FRAME.assign(x=["a", "b"]))
    with pytest.raises(MetacogError, match="passed holds no answers"):
        SCHEMA.html(FRAME.assign(passed=["a", None]))


def test_rows_are_picked_and_an_empty_table_says_so():
    picked = Schema("frame", SCHEMA.columns, pick=lambda f: f[f["n"] > 9999], empty="Nothing is that large.")
    assert picked.html(FRAME) == '<p class="no-rows">Nothing is that large.</p>'


def test_intervals_and_names_of_measures_stay_in_one_line():
    frame = pd.DataFrame({"meta-d' (not valid)": ["0.1 [0.0, 0.2]"], "dₐ": [1.0]})
    html = Schema("frame", ()).html(frame)
    assert cells(html, "th") == ['<span class="whole">meta-d&#x27;</span> (not valid)', "dₐ"]
    assert cells(html, "td")[0] == '0.1 <span class="whole">[0.0, 0.2]</span>'


def test_a_table_within_markdown_is_one_line_and_carries_its_data():
    frame = FRAME.assign(model=["a\n\nb", "c"])
    text = ShownTable(SCHEMA, frame).markup("mine")
    assert text.startswith("<div>") and text.endswith("</div>") and "\n" not in text and "a b" in text
    data = re.search(r'href="data:text/csv;base64,([^"]+)" download="mine.csv"', text)[1]
    assert pd.read_csv(io.BytesIO(base64.b64decode(data)))["model"][0] == "a\n\nb"
    assert ShownTable(Schema("frame", SCHEMA.columns, empty=None), FRAME.head(0)).markup("mine") == ""


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
    assert html.startswith("<details") and f"({MOST_ROWS + 1} rows" in html
    assert html.count("<tr>") == MOST_ROWS + 2 and "<caption>" not in html  # and the headers


@pytest.mark.parametrize("rows", [1, MOST_ROWS, MOST_ROWS + 1])
def test_a_schema_or_the_page_says_whether_a_table_is_folded(rows):
    frame = pd.concat([FRAME.head(1)] * rows, ignore_index=True)
    schemas = {folded: dataclasses.replace(SCHEMA, folded=folded) for folded in (None, True, False)}
    assert ["<details" in s.html(frame) for s in schemas.values()] == [rows > MOST_ROWS, True, False]
    none = dataclasses.replace(SCHEMA, folded=True, empty="Nothing was found.").html(FRAME.head(0))
    assert none == '<p class="no-rows">Nothing was found.</p>'


def test_a_model_that_two_runs_asked_is_told_apart_and_no_row_stands_twice():
    rows = [("a", 1, "reference run"), ("b", 2, "reference run"), ("a", 3, "this machine")]
    rows += [("b", 2, "this machine"), ("c", 2, "this machine")]
    frame = pd.DataFrame(rows, columns=["model", "n", "run"])
    shown = table(frame, "model", "n", caption="Both.").csv()
    assert shown.splitlines()[1:] == ["a,1", "b,2", '"a, this machine",3', "c,2"]
    assert "this machine" not in table(frame[:2], "model", "n", caption="One.").csv()
    assert len(table(frame, "model", "n", "run", caption="Said.").csv().splitlines()) == 6
    other = frame.rename(columns={"model": "name"})
    assert table(other, "name", "n", caption="Named.").csv().splitlines()[1:] == shown.splitlines()[1:]
    assert "this machine" not in table(other, "name", "n", caption="No.", titles={"name": "Way"}).csv()
