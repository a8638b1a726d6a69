"""Scores, H1, H2 and kinds of item. Oracles: scores of the files, made-up leaders, simulated models."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from metacog.studies.study5_battery import scores, tracks
from metacog.studies.study5_battery.deltas import deltas
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE, TRACKS
from metacog.studies.study5_battery.rules import RULES
from metacog.verdicts.outcomes import together

ROWS = load()


def test_the_rule_gives_every_score_but_those_of_a_reply_that_is_not_in_the_files():
    rule = scores.scored_by_rule(ROWS)
    known = rule.notna().groupby(ROWS["track"]).sum()
    assert known.to_dict() == dict(zip(TRACKS, (1960, 1640, 2320, 1200, 1760, 1440), strict=True))
    off = ROWS[rule.notna() & ~np.isclose(rule, ROWS["score"])]
    assert off["track"].tolist() == ["T2"]  # one item of T2 earns 0.8


def test_a_model_that_is_always_best_refutes_h1():
    table = tracks.score_leaders(ROWS, 200, 1)
    assert together(tracks.h1(table), "h1") is True
    best = ROWS.assign(score=ROWS["score"].where(ROWS["model"] != "GLM-5", 2.0))
    assert together(tracks.h1(tracks.score_leaders(best, 50, 1)), "h1") is False


def test_a_model_without_scores_leaves_open_whether_one_leads_everywhere():
    table = pd.DataFrame({"track": ["T1", "T2"], "leader": ["whole", "other"], "unscored": ["gap", "gap"]})
    assert together(tracks.h1(table), "h1") is None  # the gap could lead both tracks
    assert together(tracks.h1(table.assign(unscored="")), "h1") is True
    assert together(tracks.h1(table.assign(leader="whole", unscored="")), "h1") is False


def drawn(names, chance, *about):
    """A number drawn for each name."""
    return names.map(dict(zip(names.unique(), chance(*about, names.nunique()), strict=True)))


def test_h2_holds_of_these_errors_and_not_of_rasch_errors():
    own = ROWS[ROWS["track"].isin(RETROSPECTIVE)]
    p = tracks.errors_depart(own, 99, 1)
    assert together(tracks.h2("h2", p), "h2") is True
    rng = np.random.default_rng(4)
    ability = dict(zip(MODELS.values(), rng.normal(2, 1, 20), strict=True))
    lean = own["model"].map(ability) - drawn(own["track"] + own["item"], rng.normal, 0, 1.5)
    p = tracks.errors_depart(own.assign(correct=rng.random(len(own)) < expit(lean)), 99, 1)
    assert together(tracks.h2("h2", p), "h2") is None  # a test that does not reject shows nothing


def test_h2_is_not_called_a_models_own_where_items_discriminate_unequally():
    """One ability, but kinds of item that tell able from weak models unequally well: the test rejects too."""
    own = ROWS[ROWS["track"].isin(RETROSPECTIVE)]
    rng = np.random.default_rng(5)
    ability = dict(zip(MODELS.values(), rng.normal(0, 1.2, 20), strict=True))
    slope = drawn(own["track"] + own["item_type"], rng.lognormal, 0, 0.8)
    lean = slope * own["model"].map(ability) - drawn(own["track"] + own["item"], rng.normal, -1.5, 1)
    made = own.assign(correct=rng.random(len(own)) < expit(lean))
    assert tracks.errors_depart(made, 99, 1) < tracks.ALPHA
    assert "equal discrimination" in RULES["h2"].text and "own" not in RULES["h2"].text


def test_item_types_tell_or_do_not():
    table = tracks.by_item_type(ROWS, ROWS)
    assert len(table[table["track"] == "T1"]) == 12
    flat = table[table["item_type"] == "irony and sarcasm"].iloc[0]
    assert flat["perfect"] == 20 and np.isnan(flat["delta"])


def test_a_delta_of_a_kind_compares_models_with_themselves():
    """Simpson: the weak model withdraws half of everything, the strong one nothing; neither notices a mistake."""

    def answers(model, right, wrong, kept):
        stood = [i < kept * n for n in (right, wrong) for i in range(n)]
        rows = pd.DataFrame({"correct": [True] * right + [False] * wrong, "keep": stood})
        return rows.assign(model=model, track="T1", item_type="kind", judged=True)

    rows = pd.concat([answers("weak", 4, 16, 0.5), answers("strong", 18, 2, 1.0)], ignore_index=True)
    own = tracks.within_models(rows).iloc[0]
    assert deltas(rows, ["item_type"])["lower"].iloc[0] > 0
    assert own["delta"] == pytest.approx(0) and own["lower"] < 0 < own["upper"]
    never_wrong = rows[(rows["model"] == "strong") & rows["correct"]]
    alone = tracks.within_models(never_wrong).iloc[0]
    assert np.isnan(alone["delta"])


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
