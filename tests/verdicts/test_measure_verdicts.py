"""What rows of measures say, and what is said of them. Oracle: rows whose intervals are set by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.imports.own_trials import order_text, pairs_text, why
from metacog.verdicts.measures import RULES, ranked_parts, said_of

ROW = {
    **{"model": "m", "n_trials": 100, "accuracy": 0.5, "flag": ""},
    **{"auroc2": 0.4, "auroc2_lower": 0.35, "auroc2_upper": 0.45},
    **{"meta_i2r": 0.01, "meta_i2r_lower": -0.01, "meta_i2r_upper": 0.03, "p_meta_i2r": 0.2},
    **{"overconfidence": 0.2, "overconfidence_lower": 0.1, "overconfidence_upper": 0.3, "ece": 0.2},
}


def said(**changes):
    return said_of(pd.Series({**ROW, **changes}))


def test_what_is_asked_of_a_row_in_order():
    assert list(said()) == ["auroc2", "meta_i2r", "overconfidence"] and list(said())[:2] == list(RULES)
    assert list(said(overconfidence=np.nan)) == list(RULES)


@pytest.mark.parametrize(
    ("ends", "passed"), [((0.35, 0.45), False), ((0.45, 0.55), None), ((0.55, 0.6), True)]
)
def test_auroc2_is_judged_by_its_interval_against_chance(ends, passed):
    assert said(auroc2_lower=ends[0], auroc2_upper=ends[1])["auroc2"] is passed


@pytest.mark.parametrize(
    ("lower", "p", "passed"), [(-0.01, 0.01, True), (0.002, 0.08, None), (0.002, np.nan, None)]
)
def test_whether_meta_i2r_is_more_than_nothing_is_judged_by_its_permutation_p(lower, p, passed):
    """The interval may contain 0 where the permutation test does not reject, and the other way round."""
    assert said(meta_i2r_lower=lower, p_meta_i2r=p)["meta_i2r"] is passed


@pytest.mark.parametrize(("ends", "sure"), [((0.1, 0.3), True), ((-0.5, -0.1), False), ((-0.1, 0.1), None)])
def test_too_sure_on_average_is_told_by_the_side_of_the_interval(ends, sure):
    assert said(overconfidence_lower=ends[0], overconfidence_upper=ends[1])["overconfidence"] is sure


def test_without_an_interval_of_auroc2_nothing_is_judged():
    assert said(auroc2=np.nan, auroc2_lower=np.nan, flag="ten trials") == {}


@pytest.mark.parametrize(
    ("name", "shown"), [("auroc2", "0.400"), ("meta_i2r", "0.200"), ("overconfidence", "ECE 0.200")]
)
def test_what_is_said_rests_on_its_numbers(name, shown):
    """A mean confidence that fits does not hide how far single ones are off."""
    assert shown in why(pd.Series(ROW), name)


@pytest.mark.parametrize(("differs", "told"), [([True, False, False], "1 of 2"), ([False] * 3, "0 of 2")])
def test_differing_pairs_are_counted_by_quantity(differs, told):
    named = {
        "first": ["a", "a", "b"],
        "second": ["b", "c", "c"],
        "quantity": "auroc2",
        "p_holm": [0.01, 0.5, np.nan],
    }
    pairs = pd.DataFrame({**named, "differs": differs, "method": "percentile", "paired": True, "n_shared": 9})
    assert f"{told} in AUROC2" in pairs_text(pairs) and pairs_text(pairs.head(0)) == ""


@pytest.mark.parametrize(("by", "parts"), [("domain", ["a", "b"]), ("temperature", [0.5, 1.0])])
def test_parts_of_a_model_and_their_order(by, parts):
    ranked = {"rank": [1, 2], "set_lower": [1, 2], "set_upper": [1, 2], "order_probability": 0.9}
    orders = pd.DataFrame({"by": by, "model": "m", "part": [f"{p}" for p in parts], **ranked})
    open_ = orders.assign(set_lower=1, set_upper=2)
    for known, told in ((orders, "place 2 of 2"), (open_, "differ detectably")):
        ((model, order),) = ranked_parts(known, by)
        assert model == "m" and len(order) == 2 and told in order_text(model, by, order)
    assert list(ranked_parts(None, by)) == list(ranked_parts(orders.assign(rank=[1, np.nan]), by)) == []


def test_parts_of_equal_rank_stay_in_their_order():
    parts = [f"p{i:02}" for i in range(60)]
    ranks = [1 + (7 * i) % 3 for i in range(60)]
    orders = pd.DataFrame({"by": "domain", "model": "m", "part": parts, "rank": np.array(ranks, dtype=float)})
    ((_, order),) = ranked_parts(orders, "domain")
    wanted = [part for rank in (1, 2, 3) for part, own in zip(parts, ranks, strict=True) if own == rank]
    assert order["part"].tolist() == wanted
