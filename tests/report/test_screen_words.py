"""The validity screen in words. Oracles: tables made by hand, and rows of which the numbers are known."""

import numpy as np
import pandas as pd
import pytest

from metacog.measures.screen import alarms_table, screen
from metacog.report.screen import (
    MOST_NAMES,
    alarms_sentence,
    level_sentence,
    median_sentence,
    screen_sentence,
    screen_shown,
)
from metacog.sdt.screen_alarms import screen_alarms


def rows_of(**cells):
    """The screen of binary signals by model: right and high, wrong and high, right and low, wrong and low."""
    parts = [
        pd.DataFrame(
            {
                "model": model,
                "correct": np.repeat([1, 0, 1, 0], counts),
                "confidence": np.repeat([1, 1, 0, 0], counts),
            }
        )
        for model, counts in cells.items()
    ]
    return screen(pd.concat(parts))


GOOD, BOLD, SHY, TURNED = (400, 40, 60, 30), (470, 50, 3, 1), (150, 10, 300, 60), (300, 60, 160, 5)


def test_the_table_has_indices_with_intervals_and_how_often_others_fail():
    rows = rows_of(good=GOOD, sure=(50, 0, 6, 0))
    shown = screen_shown(rows)
    assert shown.loc[0, "Right: high, low"] == "400, 60" and "High from" not in shown
    assert shown.loc[0, "L"].startswith("0.571 [0.") and shown.loc[1, "L"] == "-"
    assert shown["Rules broken"].tolist() == ["none", "cannot be told"]
    alarms = screen_alarms(460, 70, 440)
    assert shown.loc[0, "Sound, %"] == f"{100 * alarms.sound:.0f}" and shown.loc[1, "Random, %"] == "-"
    assert "warning" in screen_shown(rows_of(bold=BOLD)).loc[0, "TRIN"]


def test_who_breaks_which_rule_is_named():
    text = screen_sentence(rows_of(good=GOOD, bold=BOLD, shy=SHY, turned=TURNED, sure=(50, 0, 6, 0)))
    for part in (
        "Of 5 signals, 3 break",
        "bold (L)",
        "shy (Fp)",
        "turned (RBS)",
        "with sure",
        "TRIN warns of bold",
    ):
        assert part in text
    assert "good" not in text and "2 invalid" in text and "does not judge 2" in text
    assert "none breaks" in screen_sentence(rows_of(a=GOOD, b=GOOD))


def test_one_signal_is_not_counted():
    assert screen_sentence(rows_of(m=GOOD)).startswith("The signal breaks no rule") and "calls it valid" in (
        screen_sentence(rows_of(m=GOOD))
    )
    assert "the rule for L of" in screen_sentence(rows_of(m=BOLD)) and "does not judge it" in (
        screen_sentence(rows_of(m=BOLD))
    )


def test_long_lists_are_counted():
    many = rows_of(**{f"m{k}": BOLD for k in range(MOST_NAMES + 1)}, shy=SHY)
    text = screen_sentence(many)
    assert "m0" not in text and f"L ({MOST_NAMES + 1}) and Fp (1)" in text


def test_what_passing_and_failing_is_worth_is_said_where_it_holds():
    """Random confidence passes with the first margins; a sound observer fails Fp with those of the shy one."""
    text = alarms_sentence(rows_of(good=GOOD, shy=SHY, turned=TURNED))
    assert "of 1 signal without a broken rule, 1 has" in text and "margins of shy," in text
    nearly_all = (505, 17, 3, 5)
    assert screen_alarms(508, 22, 522).random > 0.8
    assert "Breaking no rule" not in alarms_sentence(rows_of(a=nearly_all, b=nearly_all))
    assert alarms_sentence(rows_of(sure=(50, 0, 6, 0))) == ""


def test_a_median_split_is_described_where_one_was_made():
    assert median_sentence(rows_of(good=GOOD)) == ""
    table = pd.DataFrame({"model": "m", "correct": [1, 0, 1, 1, 0], "confidence": [50, 50, 50, 80, 90]})
    rows = screen(pd.concat([table, table.assign(model="n", confidence=range(5))]))
    text = median_sentence(rows)
    assert (
        "TRIN is 0.60 to 1.00" in text
        and "most with m, 3 of 5" in text
        and "median of m is the lowest" in text
    )
    assert median_sentence(screen(table, cut=60)) == ""


@pytest.mark.parametrize(("n", "nearest"), [(60, "48"), (480, "524"), (9_000, "1,500")])
def test_simulations_of_the_nearest_size_are_reported(n, nearest):
    text = level_sentence(alarms_table(), n)
    assert f"with {nearest} answers" in text and "nan" not in text
