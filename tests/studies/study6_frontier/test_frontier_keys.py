"""Suspected keys. Oracle: rows in which it is known which keys all models contradict."""

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults, numbers_of
from simulated_frontier import frontier_trials

from metacog.measures.suspected_keys import suspected_keys
from metacog.studies.study6_frontier import keys_shown
from metacog.studies.study6_frontier.keys import (
    ATTRACTED,
    EVERY,
    MISCONCEIVED,
    MOST,
    NEARLY_ALL,
    OF_BEST,
    WRONG,
    agreed,
    errors_verdict,
    examine,
)
from metacog.studies.study6_frontier.ledger.rows import load, model_items


def test_keys_that_all_models_contradict_are_found():
    items = model_items(frontier_trials(wrong_keys=20))
    made = examine(items)
    found = np.flatnonzero(agreed(items, NEARLY_ALL))
    assert set(range(20)) <= set(found) and len(found) <= 22
    assert made.n_suspected_nearly == len(found) and made.subjects["suspected"].sum() == len(found)
    nearly = made.table[made.table["threshold"] == NEARLY_ALL]
    assert (nearly["auroc2_without"] > nearly["auroc2"] + 0.05).all()


def test_the_verdict_follows_the_keys():
    trusted = examine(model_items(frontier_trials(wrong_keys=0))).verdicts[0]
    assert trusted.values["holding"] == 0 and trusted.passed is False
    doubted = examine(model_items(frontier_trials(wrong_keys=150))).verdicts[0]
    assert doubted.values["holding"] == 8 and doubted.passed is True


def test_a_share_of_few_errors_is_open():
    """Oracle: Wilson's interval of 6 of 10 holds one half, of 60 of 80 and of 10 of 80 it does not."""
    made = {"threshold": MOST, "accuracy": 0.9, "n_errors": [80, 10, 80, 0]}
    shares = [0.75, 0.6, 0.125, np.nan]
    verdict = errors_verdict(pd.DataFrame({"model": list("abcd"), "share_of_errors": shares, **made}))
    assert (verdict.values["holding"], verdict.values["against"]) == (1, 1)
    assert [name for name, _ in verdict.undecided] == ["b", "d"]


def test_the_atlas_has_few_suspected_items_and_many_errors_there():
    made = examine(model_items())
    assert made.n_models == 33 and 10 <= made.n_suspected_nearly <= 30 < made.n_suspected_most
    everything = suspected_keys(model_items(load().trials.assign(stated=True)), thresholds=[MOST])
    best = everything.set_index("model").loc["Opus 4.6"]
    assert best["n_of_errors"] == 47 and best["auroc2_without"] == pytest.approx(0.943, abs=5e-4)
    (verdict,) = made.verdicts
    assert verdict.passed is None and verdict.values["holding"] == 4 and verdict.values["against"] == 0
    assert (made.n_suspected_most, made.n_items) == (69, 1500) and len(made.best) == 20
    assert faults(keys_shown.answer(made)) == []


def test_the_rule_mends_wrong_keys_and_flatters_misconceptions():
    rows = examine(model_items(frontier_trials())).rule.set_index(["truth", "threshold", "models"])
    wrong, shared = (rows.loc[(name, NEARLY_ALL, EVERY)] for name in (WRONG, MISCONCEIVED))
    assert wrong["auroc2_by_key"] + 0.02 < wrong["auroc2_without"] < wrong["auroc2_true"] + 0.02
    assert shared["auroc2_without"] > shared["auroc2_true"] + 0.02


def test_the_page_sets_the_rise_by_selection_alone_beside_the_real_one():
    made = examine(model_items(frontier_trials(wrong_keys=20)))
    alone = made.rule.set_index(["truth", "threshold", "models"]).loc[(ATTRACTED, MOST, OF_BEST)]
    rise = alone["auroc2_without"] - alone["auroc2_by_key"]
    own = made.table[made.table["threshold"] == MOST][["auroc2", "auroc2_without"]].mean()
    text = keys_shown.VIEWS.sentences["selection"](made)
    told = [f"{value:+.2f}" for value in (own["auroc2_without"] - own["auroc2"], rise)]
    assert numbers_of(text)[1:] == told and text.endswith("wrong.")
    # another world, another sentence
    made.rule.loc[made.rule["truth"] == ATTRACTED, "auroc2_without"] = 0.5
    assert not keys_shown.VIEWS.sentences["selection"](made).endswith("wrong.")


def test_the_page_says_how_much_is_suspected_where_every_key_is_right():
    made = examine(model_items(frontier_trials()))
    row = made.rule.set_index(["truth", "threshold", "models"]).loc[(ATTRACTED, MOST, OF_BEST)]
    told = [
        f"{row['n_suspected']:.0f}",
        f"{row['n_items']:,.0f}",
        f"{row['share_of_errors']:.0%}".removesuffix("%"),
    ]
    assert [number.removesuffix("%") for number in numbers_of(keys_shown.attracted(made))] == told
