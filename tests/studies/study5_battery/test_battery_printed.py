"""What is printed beside what the responses give. Oracles: the printed files; means by hand."""

import pytest

from metacog.studies.study5_battery import responses
from metacog.studies.study5_battery.ledger import printed
from metacog.studies.study5_battery.ledger.responses import load

ROWS = load()


def test_each_rule_of_overall_accuracy_says_which_printed_end_it_meets():
    table = printed.overall_accuracy(ROWS).set_index("rule")
    right = ROWS.groupby(["model", "track"])["correct"].mean()
    by_hand = right["Gemma 3 1B"].drop("T2").mean()
    without, scored = table.loc[printed.WITHOUT_T2], table.loc[printed.WITH_SCORE]
    assert without["lowest_accuracy"] == pytest.approx(by_hand) and f"{by_hand:.3f}" == "0.547"
    assert (without["lowest"], without["highest"]) == ("Gemma 3 1B", "Gemini 3 Flash")
    assert without["meets"] == "0.547 and 0.952, of Gemini 3 Flash"
    assert (scored["highest"], scored["meets"]) == ("GLM-5", "0.952") and scored["lowest_accuracy"] > 0.68
    board = table.loc["printed in its leaderboard"]
    assert (board["highest"], board["highest_accuracy"], board["meets"]) == ("DeepSeek R1", 0.987, "none")
    mean = table.loc[printed.MEAN]
    assert mean["highest_accuracy"] == pytest.approx(board["highest_accuracy"], abs=5e-4)


def test_every_printed_headline_belongs_to_a_headline():
    titles = set(responses.headlines(ROWS))
    told = printed.printed_headlines()
    assert set(told) <= titles and told["profiles by rule"] == "A 5, B 1, C 8, Unclassified 6"
    assert told["highest accuracy, T1 to T5"].startswith("GLM-5 (0.952) in the text, DeepSeek R1 (0.987)")
    assert told["lowest accuracy, T1 to T5"].startswith("Gemma 3 1B (0.547) in the text")


def test_tracks_are_told_with_the_items_that_were_counted():
    table = printed.tracks_told(ROWS).set_index("track")
    assert table["items"].sum() == 524 and table["registered"].tolist() == ["yes"] * 5 + ["no"]
