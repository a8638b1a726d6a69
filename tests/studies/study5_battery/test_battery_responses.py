"""The integrity report. Oracles: known faults of the files, closed forms, simulation."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq

from metacog.studies.study5_battery import measures, responses, responses_shown
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import deltas
from metacog.studies.study5_battery.responses import HEADLINES, conclusions

ROWS = load()


def test_identical_files_are_found_and_told_from_likeness():
    pairs = measures.identical(ROWS)
    copied = pairs[pairs["copied"]]
    known = {
        ("T2", "GLM-5", "Gemini 2.5 Flash"),
        ("T2", "Gemma 3 12B", "Gemma 3 1B"),
        ("T6", "GPT-5.4", "GPT-5.4 mini"),
    }
    assert set(zip(copied["track"], copied["first"], copied["second"], strict=True)) == known
    said = responses_shown.identical(SimpleNamespace(identical=pairs))
    assert said.startswith("3 pairs") and "6 other" in said and "GPT-5.4 mini on T6" in said
    assert responses_shown.identical(SimpleNamespace(identical=pairs[~pairs["copied"]])).startswith("0 pairs")
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
    assert measures.chance_of(pd.Series(["x", "y", "y", "y"]), others) == pytest.approx(likely)
    assert measures.chance_of(pd.Series(["y", "y", "y", "x"]), others) == pytest.approx(unlikely)
    # one response to everything is a habit, and habits may be shared
    assert measures.chance_of(pd.Series(["y"] * 4), others) == 0


def test_chance_of_simulated_models_is_seldom_small():
    """Models that answer alike only by chance: 10^x is below 0.01 in about one of a hundred or fewer."""
    rng = np.random.default_rng(3)
    p = rng.uniform(0.3, 1, 40)
    reported = pd.DataFrame(np.where(rng.random((40, 200)) < p[:, None], "y", "x"))
    # a pattern's own chance against those of patterns drawn from the same items
    ends = [measures.chance_of(reported[i], reported.drop(columns=i)) for i in range(20)]
    entropy = (p * np.log10(p) + (1 - p) * np.log10(1 - p)).sum()
    assert np.mean(ends) == pytest.approx(entropy, rel=0.1)


def test_declined_keys_repeats_and_empty_cells():
    declined = measures.declined(ROWS)
    assert declined["declined"].sum() == 86 and (declined["declined"] == declined["logged_wrong"]).all()
    keys = measures.unnormalised(ROWS)
    assert keys.loc[keys["certain"], "n"].sum() == 15 and "pr_000" in set(keys["item"])
    (model,) = measures.repeated_answers(ROWS)["model"]
    assert model.startswith("Gemma 3")
    empty = measures.undefined(ROWS)
    assert len(empty) == 6 and set(empty["lacks"]) == {"wrong answers"}


def test_variants_do_what_they_say():
    found = measures.variants(ROWS)
    apart = found["without copied files"]
    assert len(apart) == 10_480 - 2 * (90 + 90 + 72)
    mended = found["keys normalised"]
    assert (mended["correct"] != ROWS["correct"]).sum() == 15
    changed = mended["correct"] != ROWS["correct"]
    assert (mended.loc[changed, "score"] == 1).all()
    unjudged = found["declined items not judged"]
    r1 = deltas(unjudged)
    r1 = r1[(r1["model"] == "DeepSeek R1") & (r1["track"] == "T6")].iloc[0]
    assert (r1["n"], r1["n_incorrect"]) == (1, 0) and np.isnan(r1["delta"])
    assert not measures.path_rates(unjudged).equals(None) and measures.path_rates(unjudged)[
        "decline"
    ].tolist() == pytest.approx(measures.path_rates(ROWS)["decline"].tolist())


def test_headlines_with_and_without():
    facts = responses.with_and_without(ROWS)
    table = conclusions(facts)
    row = table[table["headline"] == "T2 over size, Gemma"].iloc[0]
    assert row[measures.PUBLISHED].startswith("flat") and row[measures.MENDED].startswith("not known")
    assert "copied files" in row["changes"]
    assert row["concludes"] == "something else"
    reported = table.set_index("headline")[measures.PUBLISHED]
    assert not reported.str.contains("[{}]").any()
    related, halves = (HEADLINES[one][0] for one in (responses.DISSOCIATION, responses.HALVES))
    assert reported[related].startswith("0.17") and "19" in reported[halves]
    published = facts[facts["variant"] == measures.PUBLISHED]
    same = pd.concat([published, published.assign(variant=measures.MENDED)])
    assert (conclusions(same)["concludes"] == "the same").all() and (
        conclusions(same)["changes"] == "none"
    ).all()
