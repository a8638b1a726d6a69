"""Suspected keys. Oracle: rows in which it is known which keys all models contradict."""

import numpy as np
import pandas as pd
import pytest
from simulated_frontier import frontier_trials

from metacog.measures.suspected_keys import suspected_keys
from metacog.studies.study6_frontier import keys as page
from metacog.studies.study6_frontier.ledger.rows import load, model_items
from metacog.verdicts.outcomes import those, together


def test_keys_that_all_models_contradict_are_found():
    items = model_items(frontier_trials(wrong_keys=20))
    made = page.keys(None, items=items)
    found = np.flatnonzero(page.agreed(items, page.NEARLY_ALL))
    assert set(range(20)) <= set(found) and len(found) <= 22
    assert (made.best.loc[made.best["rule"] == page.AGREE[page.NEARLY_ALL], "rise"] > 0.05).all()


def test_the_verdict_follows_the_keys():
    trusted, doubted = (
        page.keys(None, items=model_items(frontier_trials(wrong_keys=n))).outcomes for n in (0, 150)
    )
    assert not those(trusted, "errors", True) and together(trusted, "errors") is False
    assert len(those(doubted, "errors", True)) == 8 and together(doubted, "errors") is True


def test_a_share_of_few_errors_is_open():
    """Oracle: Wilson's interval of 6 of 10 holds one half, of 60 of 80 and of 10 of 80 it does not."""
    rows = {"model": list("abcd"), "share_of_errors": [0.75, 0.6, 0.125, np.nan], "n_errors": [80, 10, 80, 0]}
    made = pd.DataFrame(rows).assign(threshold=page.MOST, accuracy=0.9, auroc2=0.7, auroc2_without=0.8)
    found = page.errors(page.best_of(made))
    assert [those(found, "errors", holds) for holds in (True, False, None)] == [["a"], ["c"], ["b", "d"]]


def test_the_atlas_has_few_suspected_items_and_many_errors_there():
    made = page.keys(None)
    items = model_items()
    assert 10 <= page.agreed(items, page.NEARLY_ALL).sum() <= 30
    everything = suspected_keys(model_items(load().trials.assign(stated=True)), thresholds=[page.MOST])
    best = everything.set_index("model").loc["Opus 4.6"]
    assert best["n_of_errors"] == 47 and best["auroc2_without"] == pytest.approx(0.943, abs=5e-4)
    assert together(made.outcomes, "errors") is None
    assert len(those(made.outcomes, "errors", True)) == 4 and not those(made.outcomes, "errors", False)
    assert (page.agreed(items, page.MOST).sum(), made.n_items) == (69, 1500) and len(made.best) == 20


def test_the_rule_mends_wrong_keys_and_flatters_misconceptions():
    rows = page.keys(None, items=model_items(frontier_trials())).rule.set_index(
        ["truth", "threshold", "models"]
    )
    wrong, shared = (
        rows.loc[(name, page.NEARLY_ALL, page.EVERY)] for name in (page.WRONG, page.MISCONCEIVED)
    )
    assert wrong["auroc2_by_key"] + 0.02 < wrong["auroc2_without"] < wrong["auroc2_true"] + 0.02
    assert shared["auroc2_without"] > shared["auroc2_true"] + 0.02


def test_numbers_of_the_page_are_those_of_the_tables():
    items = model_items(frontier_trials(wrong_keys=20))
    made, table = page.keys(None, items=items), suspected_keys(items)
    told = page.numbers(made)
    own = table[table["threshold"] == page.MOST]
    rise = (own["auroc2_without"] - own["auroc2"]).mean()
    row = made.rule.query(f"truth == '{page.ATTRACTED}' and threshold == {page.MOST}")
    row = row.set_index("models").loc[page.OF_BEST]
    assert told["rise"] == pytest.approx(100 * rise)
    assert told["right_rise"] == pytest.approx(100 * (row["auroc2_without"] - row["auroc2_by_key"]))
    assert (told["right_suspected"], told["right_share"]) == (row["n_suspected"], row["share_of_errors"])
    assert 0 <= told["least_share"] <= told["most_share"] <= 100
