"""Scores, H1, H2 and kinds of item. Oracles: printed payoffs, made-up leaders, simulated models."""

import numpy as np
import pandas as pd
import pytest

from metacog.studies.study5_battery import measures, tracks, tracks_shown
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import deltas
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE

ROWS = load()


def test_payoffs_are_functions_of_the_state_outside_two_kinds_of_item():
    table = tracks.payoffs(ROWS)
    assert set(table[table["others"] != ""]["group"]) == {"T2, knowledge_boundary"}
    six = table[table["group"] == "T6"].set_index(["path", "correct"])["score"].to_dict()
    assert six == {
        ("ANSWER_DIRECTLY", True): 1.0,
        ("ANSWER_DIRECTLY", False): 0.0,
        ("DECLINE", False): 0.25,
        ("REQUEST_HINT", True): 0.5,
        ("REQUEST_HINT", False): 0.1,
    }


def test_the_rule_gives_every_score_but_those_of_a_reply_that_is_not_in_the_files():
    table = tracks.reproduced(ROWS).set_index("track")
    assert table["known"].to_dict() == {
        "T1": 1960,
        "T2": 1640,
        "T3": 2320,
        "T4": 1200,
        "T5": 1760,
        "T6": 1440,
    }
    assert (table["equal"] == table["known"] - (table.index == "T2")).all()  # one item of T2 earns 0.8
    assert table["files"].to_dict() == dict.fromkeys(RETROSPECTIVE, 20) | {"T6": 20, "T2": 0}
    odd = ROWS.assign(score=ROWS["score"].where(ROWS["track"] != "T4", 0.7))
    assert tracks.reproduced(odd).set_index("track").loc["T4", ["equal", "files"]].tolist() == [0, 0]


def test_a_model_that_is_always_best_refutes_h1():
    table, on_all = tracks.score_leaders(ROWS, 200, 1)
    assert tracks.h1(table, on_all).passed is True and on_all < 0.05
    best = ROWS.assign(score=ROWS["score"].where(ROWS["model"] != "GLM-5", 2.0))
    table, on_all = tracks.score_leaders(best, 50, 1)
    assert tracks.h1(table, on_all).passed is False and on_all == 1


def test_h2_holds_of_these_errors_and_not_of_rasch_errors():
    own = ROWS[ROWS["track"].isin(RETROSPECTIVE)]
    _, verdict = tracks.error_profiles(own, 99, 1)
    assert verdict.passed is True and "Errors do depart" in tracks_shown.errors_depart(verdict)
    rng = np.random.default_rng(4)
    ability = dict(zip(MODELS.values(), rng.normal(2, 1, 20), strict=True))
    items = own["track"] + own["item"]
    hard = dict(zip(items.unique(), rng.normal(0, 1.5, items.nunique()), strict=True))
    chance = 1 / (1 + np.exp(-(own["model"].map(ability) - items.map(hard))))
    _, verdict = tracks.error_profiles(own.assign(correct=rng.random(len(own)) < chance), 99, 1)
    assert verdict.passed is None  # a test that does not reject shows nothing
    assert "not shown to" in tracks_shown.errors_depart(verdict)


def test_h2_is_not_called_a_models_own_where_items_discriminate_unequally():
    """One ability, but kinds of item that tell able from weak models unequally well: the test rejects too."""
    own = ROWS[ROWS["track"].isin(RETROSPECTIVE)]
    rng = np.random.default_rng(5)
    ability = dict(zip(MODELS.values(), rng.normal(0, 1.2, 20), strict=True))
    kinds = own["track"] + own["item_type"]
    slope = dict(zip(kinds.unique(), rng.lognormal(0, 0.8, kinds.nunique()), strict=True))
    items = own["track"] + own["item"]
    hard = dict(zip(items.unique(), rng.normal(-1.5, 1, items.nunique()), strict=True))
    lean = kinds.map(slope) * own["model"].map(ability) - items.map(hard)
    made = own.assign(correct=rng.random(len(own)) < 1 / (1 + np.exp(-lean)))
    _, verdict = tracks.error_profiles(made, 99, 1)
    assert verdict.passed is True and "equal discrimination" in verdict.rule and "own" not in verdict.rule


def test_item_types_tell_or_do_not():
    table = tracks.by_item_type(ROWS, ROWS)
    assert table["n_items"].sum() == 524 and len(table[table["track"] == "T1"]) == 12
    flat = table[table["item_type"] == "irony and sarcasm"].iloc[0]
    assert flat["perfect"] == 20 and np.isnan(flat["delta"]) and np.isnan(flat["item_rest"])
    n, all_right, none_right = measures.easy_items(ROWS)
    right = ROWS.pivot(index=["track", "item"], columns="model", values="correct").sum(axis=1)
    assert (n, all_right, none_right) == (524, int((right == 20).sum()), int((right == 0).sum()))


def test_a_delta_of_a_kind_compares_models_with_themselves():
    """Simpson: the weak model withdraws half of everything, the strong one nothing; neither notices a mistake."""

    def answers(model, right, wrong, kept):
        n = right + wrong
        rows = {
            "model": model,
            "track": "T1",
            "item_type": "kind",
            "correct": [True] * right + [False] * wrong,
        }
        stood = [True] * round(right * kept) + [False] * round(right * (1 - kept))
        stood += [True] * round(wrong * kept) + [False] * round(wrong * (1 - kept))
        return pd.DataFrame({**rows, "keep": stood, "judged": True, "item": range(n)})

    rows = pd.concat([answers("weak", 4, 16, 0.5), answers("strong", 18, 2, 1.0)], ignore_index=True)
    own = tracks.within_models(rows).iloc[0]
    assert deltas(rows, ["item_type"])["lower"].iloc[0] > 0
    assert own["delta"] == pytest.approx(0) and own["lower"] < 0 < own["upper"] and own["compared"] == 2
    never_wrong = rows[(rows["model"] == "strong") & rows["correct"]]
    alone = tracks.within_models(never_wrong).iloc[0]
    assert alone["compared"] == 0 and np.isnan(alone["delta"])


def test_deltas_of_kinds_are_weighted_over_models_by_their_right_and_wrong_answers():
    """Two models: 10 right and 10 wrong (weight 5) with a delta of 40, 9 and 1 (weight 0.9) with one of 100."""
    stood = {("a", True): (8, 10), ("a", False): (4, 10), ("b", True): (9, 9), ("b", False): (0, 1)}
    rows = pd.DataFrame(
        [
            {"model": m, "track": "T1", "item_type": "kind", "correct": c, "keep": i < k, "judged": True}
            for (m, c), (k, n) in stood.items()
            for i in range(n)
        ]
    )
    assert tracks.within_models(rows)["delta"].iloc[0] == pytest.approx((5 * 40 + 0.9 * 100) / 5.9)
