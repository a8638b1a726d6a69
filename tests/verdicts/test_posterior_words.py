"""Sentences on posteriors, and levels from simulations. Oracles: rows by hand, and lines of the committed table."""

import numpy as np
import pandas as pd
import pytest

from metacog.verdicts.levels import power, power_numbers, verdict_levels
from metacog.verdicts.posterior_words import against_one, posterior_lines, predictive_sentence, reason

TABLE = pd.DataFrame(
    {
        "model": ["a", "b"],
        "m_ratio": [0.8, 1.25],
        "m_ratio_lower": [0.7, -0.5],
        "m_ratio_upper": [0.9, 3.0],
        "near_zero": [0.0, 0.2],
        "not_positive": [0.0, 0.03],
        "judged": [True, False],
        "decision": ["significant", "no decision"],
    }
)


def test_a_line_for_each_table_says_m_ratio_or_why_it_cannot_be_judged():
    assert posterior_lines(TABLE, ["model"]).split("\n") == [
        "a: M-ratio 0.80 [0.70, 0.90]; against 1: significant",
        "b: M-ratio 1.25 [-0.50, 3.00]; M-ratio cannot be judged: d' is below 0.1 in 20.0% of the draws.",
    ]


@pytest.mark.parametrize(
    ("near", "negative", "said"),
    [
        (0.01, 0.01, ""),
        (0.2, 0.01, "d' is below 0.1 in 20.0% of the draws"),
        (0.01, 0.5, ""),  # M-ratio may be 0: that is what is asked
    ],
)
def test_one_draw_in_a_hundred_is_no_reason(near, negative, said):
    row = TABLE.iloc[0].copy()
    row["near_zero"], row["not_positive"] = near, negative
    assert reason(row) == said


@pytest.mark.parametrize(
    ("decision", "ratio", "lower", "said"),
    [
        ("significant", 0.8, 0.7, "practically less than 1"),
        ("significant", 0.01, -0.25, "practically less than 1, and not shown to be above 0"),
        ("negligible", 1.02, 1.0, "more than 1, but by too little to matter"),
        ("inconclusive", 1.1, 0.9, "more than 1, perhaps by too little to matter"),
        ("not significant", 0.9, 0.7, "not distinguished from 1"),
    ],
)
def test_m_ratio_is_compared_with_one_in_words(decision, ratio, lower, said):
    row = TABLE.iloc[0].copy()
    row["decision"], row["m_ratio"], row["m_ratio_lower"] = decision, ratio, lower
    assert against_one(row) == said
    assert against_one(TABLE.iloc[1]).startswith("cannot be judged: d' is below")


def test_how_far_the_model_is_off_is_said_of_tables_that_it_does_not_fit():
    table = pd.DataFrame(
        {"fits": [True, False, False], "inside": [12, 7, 9], "rates": 12, "furthest": [0.5, 0.1, 0.2]}
    )
    said = predictive_sentence(table)
    assert "in 1 of 3 tables" in said and "; 28 of 36 observed" in said and "up to 0.200 from" in said
    assert "Where it does not" not in predictive_sentence(table.head(1))


def test_a_level_is_nominal_within_two_standard_errors():
    rows = verdict_levels(("H3", "H4"))
    assert set(rows["rule"]) == {"H3, TOST", "H4, sound"} and len(rows) == 12
    assert (rows["nominal"] == (rows["after"] <= 0.05 + 2 * rows["se"])).all() and rows["nominal"].all()
    before = verdict_levels("H4")  # as the rule was
    assert (before["before"] > 0.05 + 2 * before["se"]).all() and verdict_levels("TOST").empty


def test_power_is_stated_of_an_effect_and_a_size_and_the_one_that_is_wrong_is_seldom_found():
    rows = power("h1", "h2", "h3", "h4", "r6")
    assert (
        rows["runs"].isin([20, 100]).all() and set(rows["whose"]) == {"theirs", "ours"} and power("h5").empty
    )
    assert (rows["found"] + rows["refuted"] <= rows["runs"]).all()
    wrong = rows[rows["effect"].str.startswith("one M-ratio of 1")]
    assert len(wrong) == 2 and (wrong["found"] <= 100 * (0.05 + 2 * np.sqrt(0.05 * 0.95 / 100))).all()
    n = power_numbers(rows)
    assert n["theirs_questions"] > n["ours_questions"] == 1304 and n["h2_size2"] > n["h2_size1"]
    assert n["h2_theirs_found2"] > n["h2_theirs_found1"]
