"""The integrity report. Oracles: known faults of the files, closed forms, simulation."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq

from metacog.studies.study5_battery import integrity, responses
from metacog.studies.study5_battery.deltas import deltas, path_rates
from metacog.studies.study5_battery.integrity import MENDED, PUBLISHED
from metacog.studies.study5_battery.ledger.responses import load

ROWS = load()


def test_identical_files_are_found_and_told_from_likeness():
    pairs = integrity.identical(ROWS)
    copied = pairs[pairs["copied"]]
    known = {
        ("T2", "GLM-5", "Gemini 2.5 Flash"),
        ("T2", "Gemma 3 12B", "Gemma 3 1B"),
        ("T6", "GPT-5.4", "GPT-5.4 mini"),
    }
    assert set(zip(copied["track"], copied["first"], copied["second"], strict=True)) == known
    assert set(pairs[~pairs["copied"]]["track"]) == {"T5"} and len(pairs) == 9


def test_chance_of_a_response_pattern_in_closed_form():
    """Half of the others miss item 0 and none the rest; a model that misses one of four misses item 0."""
    others = pd.DataFrame({f"m{i}": ["x" if i % 2 else "y", "y", "y", "y"] for i in range(100)})

    def missed(habit):
        odds = habit * np.array([50.5 / 50.5, 0.5 / 100.5, 0.5 / 100.5, 0.5 / 100.5])
        return odds / (1 + odds)

    p = missed(brentq(lambda habit: missed(habit).sum() - 1, 0, 100))
    likely = np.log10(p[0] * (1 - p[1]) ** 3)
    unlikely = np.log10((1 - p[0]) * (1 - p[1]) ** 2 * p[1])
    assert integrity.chance_of(pd.Series(["x", "y", "y", "y"]), others) == pytest.approx(likely)
    assert integrity.chance_of(pd.Series(["y", "y", "y", "x"]), others) == pytest.approx(unlikely)
    # one response to everything is a habit, and habits may be shared
    assert integrity.chance_of(pd.Series(["y"] * 4), others) == 0


def test_chance_of_simulated_models_is_seldom_small():
    """Models that answer alike only by chance: 10^x is below 0.01 in about one of a hundred or fewer."""
    rng = np.random.default_rng(3)
    p = rng.uniform(0.3, 1, 40)
    reported = pd.DataFrame(np.where(rng.random((40, 200)) < p[:, None], "y", "x"))
    # a pattern's own chance against those of patterns drawn from the same items
    ends = [integrity.chance_of(reported[i], reported.drop(columns=i)) for i in range(20)]
    entropy = (p * np.log10(p) + (1 - p) * np.log10(1 - p)).sum()
    assert np.mean(ends) == pytest.approx(entropy, rel=0.1)


def test_declined_items_and_repeated_answers_are_found():
    declined = integrity.declined(ROWS)
    assert declined["declined"].sum() == 86 and (declined["declined"] == declined["logged_wrong"]).all()
    (model,) = integrity.repeated_answers(ROWS)
    assert model.startswith("Gemma 3")


def test_corrections_do_what_they_say():
    assert len(integrity.without_pairs(ROWS, integrity.copied(ROWS))) == 10_480 - 2 * (90 + 90 + 72)
    made = integrity.renormalised(ROWS)
    changed = made["correct"] != ROWS["correct"]
    assert changed.sum() == 15 and (made.loc[changed, "score"] == 1).all()
    unjudged = integrity.without_declined(ROWS)
    r1 = deltas(unjudged)
    r1 = r1[(r1["model"] == "DeepSeek R1") & (r1["track"] == "T6")].iloc[0]
    assert (r1["n"], r1["n_incorrect"]) == (1, 0) and np.isnan(r1["delta"])
    pd.testing.assert_frame_equal(path_rates(unjudged), path_rates(ROWS))


def test_headlines_as_published_and_corrected():
    published, mended = (responses.headlines(rows) for rows in (ROWS, integrity.mended(ROWS)))
    table = responses.conclusions(published, mended).set_index("headline")
    row = table.loc["T2 over size, Gemma"]
    assert row[PUBLISHED].startswith("flat") and row[MENDED].startswith("not known")
    assert row["concludes"] == "something else" and (table["concludes"] == "something else").sum() == 4
    reported = table[PUBLISHED]
    assert not reported.str.contains("[{}]").any()
    assert reported["correlation of delta and answering directly"].startswith("0.17")
    assert "19" in reported["how two halves of the battery correlate, and two batteries"]
    assert (responses.conclusions(published, published)["concludes"] == "the same").all()
