"""Sliders. Oracle: the frame they are made from."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.report import slider

ROWS = pd.DataFrame(
    {
        "model": ["a"] * 3 + ["</script>"] * 3,
        "threshold": [0.0, 0.5, 1.0] * 2,
        "answered": [1.0, 0.555, np.nan, 1.0, 0.2, 0.0],
        "answered_lower": 0.1,
        "answered_upper": 0.9,
        "chosen_answered": [1.0, 0.6, 0.0] * 2,
        "picked": [False, True, False, True, False, False],
    }
)
ASKED = {
    "along": "threshold",
    "value": ["answered"],
    "groups": ["model"],
    "start": "picked",
    "caption": "Move it.",
}


def embedded(source):
    """What the page's script reads."""
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', source)
    return json.loads(text)


def test_the_page_holds_the_rows_of_the_frame_and_shows_the_place_that_was_picked():
    shown = slider(ROWS, **ASKED, beside="chosen_")
    groups = embedded(shown.source)["groups"]
    assert [(one["name"], one["start"], one["picked"], one["along"]) for one in groups] == [
        ("a", 1, 1, [0.0, 0.5, 1.0]),
        ("</script>", 0, 0, [0.0, 0.5, 1.0]),
    ]
    assert groups[0]["at"]["answered"] == [[100, 10, 90, 100], [56, 10, 90, 60], [None, 10, 90, 0]]
    assert "<b>56 %</b>" in shown.source and "<td>60 %</td>" in shown.source and "10 to" in shown.source
    assert shown.source.count("<script") == 2 and shown.csv.startswith("model,threshold,chosen_answered")


def test_it_begins_where_it_is_told_to_and_leads_to_the_place_that_was_picked():
    groups = embedded(slider(ROWS, **ASKED, begin=0.9).source)["groups"]
    assert [(one["start"], one["picked"]) for one in groups] == [(2, 1), (2, 0)]


def test_two_runs_are_groups_of_their_own_and_what_is_missing_is_named():
    both = pd.concat([ROWS.assign(run="reference run"), ROWS.assign(run="this machine")])
    names = [one["name"] for one in embedded(slider(both, **ASKED).source)["groups"]]
    assert names[0] == "a, reference run" and len(names) == 4
    with pytest.raises(MetacogError, match="no column answered_lower"):
        slider(ROWS.drop(columns="answered_lower"), **ASKED)
    with pytest.raises(MetacogError, match="102 places"):
        slider(pd.concat([ROWS.head(1)] * 102), **ASKED)
    assert slider(ROWS.head(0), **ASKED).source == ""
