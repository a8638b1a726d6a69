"""Matrices of answers: colours follow what is good news."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.report import matrix

FRAME = pd.DataFrame(
    {
        "model": ["a", "a", "a", "b", "b", "b"],
        "claim": ["ranks", "is too sure", "moves"] * 2,
        "answer": ["yes", "yes", "yes", "no", "no", "undecided"],
        "good": [True, False, None, False, True, None],
    }
)


def looks(**words):
    shown = matrix(FRAME, rows="model", columns="claim", value="answer", caption="", **words).source
    return re.findall(r'<td class="(\w+)"', shown)


def test_good_news_is_coloured_and_not_the_word_yes():
    assert looks(good="good") == ["yes", "no", "word", "no", "yes", "open"]


def test_without_a_say_yes_and_no_have_their_colours():
    assert looks() == ["yes", "yes", "yes", "no", "no", "open"]


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(MetacogError, match="there is no column bad"):
        looks(good="bad")
