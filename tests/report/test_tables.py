"""Tables as readers see them: titles, decimals, grouped headers."""

import base64
import dataclasses
import io
import re

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from metacog.report.tables import MOST_ROWS, table

FRAME = pd.DataFrame(
    {
        "model": ["a<b", "c"],
        "n": [1200, 3],
        "x": [0.5, None],
        "lo": [0.25, 0.1],
        "hi": [1.0, 0.2],
        "passed": [True, False],
        "flag": ["", ""],
    }
)


def shown(frame=FRAME, *names, **more):
    more = {
        "titles": {"model": "Model", "n": "Trials", "x": "Share"},
        "interval": {"x": ("lo", "hi")},
        **more,
    }
    return table(frame, *names, **{"caption": "A table.", "digits": {"x": 2}, **more})


def plain(frame, *names, **more):
    return shown(frame, *names, interval=None, **more)._repr_html_()


def cells(html, tag):
    return re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", html)


def test_values_are_set_as_their_columns_say():
    html = shown()._repr_html_()
    first, second = ["a&lt;b", "1,200", "0.50", "0.25 to 1.00", "yes"], ["c", "3", "-", "0.10 to 0.20", "no"]
    assert cells(html, "td") == [*first, *second]
    assert cells(html, "caption") == ["A table."] and "\u200b" not in html
    assert cells(html, "th") == ["Model", "Trials", "Share", "passed", "is", "interval"]
    assert 'colspan="2"' in html and html.count('rowspan="2"') == 3 and html.count("<tr>") == 4
    none = shown(FRAME.assign(lo=float("nan"), hi=float("nan")))._repr_html_()
    assert cells(none, "td").count("-") == 1 + 2


def test_what_is_the_same_in_every_row_of_a_wide_table_is_a_sentence():
    frame = pd.DataFrame(
        {"model": list("abc"), "n": [5] * 3, "note": [""] * 3, **{k: [1, 2, 3] for k in "uvwxy"}}
    )
    html = plain(frame)
    assert "Trials" not in cells(html, "th") and "every row" in html
    assert "Trials" in cells(plain(frame.head(2)), "th")  # two rows show no rule
    narrow = plain(frame, "model", "n", "u")
    assert "Trials" in cells(narrow, "th") and "every row" not in narrow
    assert "n,u" in shown(frame, interval=None).csv()  # the data keep it


def test_nothing_is_a_zero_with_a_sign():
    assert cells(plain(pd.DataFrame({"x": [-0.001, -0.5, 0.0]})), "td") == ["0.00", "-0.50", "0.00"]


def test_a_table_hands_over_its_data_unrounded_beside_what_is_read():
    made = shown(FRAME.assign(x=[1 / 3, None]))
    data, _ = InteractiveShell().display_formatter.format(made)
    assert data["text/html"] == made._repr_html_()
    read = pd.read_csv(io.StringIO(data["text/csv"]))
    assert list(read.columns) == ["model", "n", "x", "lo", "hi", "passed"]  # no column that is not shown
    assert read["x"][0] == pytest.approx(1 / 3, abs=1e-9) and read["model"][0] == "a<b"
    none = shown(FRAME.head(0), empty="None.")
    assert none._repr_html_() == '<p class="no-rows">None.</p>'
    assert "text/csv" not in InteractiveShell().display_formatter.format(none)[0]


def test_intervals_and_names_of_measures_stay_in_one_line():
    html = plain(pd.DataFrame({"meta-d' (not valid)": ["0.1 [0.0, 0.2]"], "dₐ": [1.0]}))
    assert cells(html, "th") == ['<span class="whole">meta-d&#x27;</span> (not valid)', "dₐ"]
    assert cells(html, "td")[0] == '0.1 <span class="whole">[0.0, 0.2]</span>'


def test_a_table_within_markdown_is_one_line_and_carries_its_data():
    text = shown(FRAME.assign(model=["a\n\nb", "c"])).markup("mine")
    assert text.startswith("<div>") and text.endswith("</div>") and "\n" not in text and "a b" in text
    data = re.search(r'href="data:text/csv;base64,([^"]+)" download="mine.csv"', text)[1]
    assert pd.read_csv(io.BytesIO(base64.b64decode(data)))["model"][0] == "a\n\nb"
    assert shown(FRAME.head(0)).markup("mine") == ""


@pytest.mark.parametrize("rows", [1, MOST_ROWS, MOST_ROWS + 1])
def test_a_long_table_or_one_that_the_page_folds_opens_on_a_click(rows):
    made = shown(pd.concat([FRAME.head(1)] * rows, ignore_index=True))
    pages = {folded: dataclasses.replace(made, folded=folded)._repr_html_() for folded in (None, True, False)}
    assert ["<details" in page for page in pages.values()] == [rows > MOST_ROWS, True, False]
    assert f"({rows} row" in pages[True] and "<caption>" not in pages[True]
    none = shown(FRAME.head(0), folded=True, empty="Nothing was found.")._repr_html_()
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
