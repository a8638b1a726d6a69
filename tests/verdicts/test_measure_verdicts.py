"""Verdicts on tables of measures, and what is said of them. Oracle: rows whose intervals are set by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.imports.own_trials import order_text, pairs_text, why
from metacog.verdicts.measures import model_verdicts, part_verdicts
from metacog.verdicts.verdict import Kind

ROW = {
    "model": "m",
    "n_trials": 100,
    "accuracy": 0.5,
    "flag": "",
    "auroc2": 0.4,
    "auroc2_lower": 0.35,
    "auroc2_upper": 0.45,
    "meta_i2r": 0.01,
    "meta_i2r_lower": -0.01,
    "meta_i2r_upper": 0.03,
    "p_meta_i2r": 0.2,
    "overconfidence": 0.2,
    "overconfidence_lower": 0.1,
    "overconfidence_upper": 0.3,
    "ece": 0.2,
    "brier": 0.3,
    "accuracy_at_half": 0.6,
    "accuracy_at_half_lower": 0.5,
    "accuracy_at_half_upper": 0.7,
    "d_prime": 1.0,
    "meta_d": 0.8,
    "m_ratio": 0.8,
    "m_ratio_lower": 0.7,
    "m_ratio_upper": 0.9,
    "m_ratio_valid": True,
}
SPAN = {"above": (1.1, 1.3), "below": (0.5, 0.9), "": (0.9, 1.1)}


def by_name(**changes):
    made = model_verdicts(pd.Series({**ROW, **changes}))
    return {v.name: v for v in made}


def test_all_measures_of_a_row_are_reported_in_order():
    names = ["answered", "auroc2", "meta_i2r", "overconfidence", "accuracy_at_half", "m_ratio"]
    assert list(by_name()) == names
    assert all(v.kind is Kind.FINDING for v in by_name().values())
    assert {name for name, v in by_name().items() if v.rule} == {"auroc2", "meta_i2r"}


@pytest.mark.parametrize(
    ("ends", "passed"), [((0.35, 0.45), False), ((0.45, 0.55), None), ((0.55, 0.6), True)]
)
def test_auroc2_is_judged_by_its_interval_against_chance(ends, passed):
    assert by_name(auroc2_lower=ends[0], auroc2_upper=ends[1])["auroc2"].passed is passed


@pytest.mark.parametrize(
    ("lower", "p", "passed"), [(-0.01, 0.01, True), (0.002, 0.08, None), (0.002, np.nan, None)]
)
def test_whether_meta_i2r_is_more_than_nothing_is_judged_by_its_permutation_p(lower, p, passed):
    """The interval may contain 0 where the permutation test does not reject, and the other way round."""
    assert by_name(meta_i2r_lower=lower, p_meta_i2r=p)["meta_i2r"].passed is passed


@pytest.mark.parametrize("valid", [True, False])
@pytest.mark.parametrize("side", SPAN)
def test_m_ratio_and_overconfidence_are_described_by_the_side_of_their_interval(side, valid):
    low, high = SPAN[side]
    made = by_name(
        m_ratio_lower=low,
        m_ratio_upper=high,
        m_ratio_valid=valid,
        overconfidence_lower=low - 1,
        overconfidence_upper=high - 1,
    )
    assert (made["m_ratio"].values["side"], made["overconfidence"].values["side"]) == (side, side)
    assert made["m_ratio"].passed is made["overconfidence"].passed is None


def test_without_an_interval_of_auroc2_nothing_is_judged():
    made = by_name(auroc2=np.nan, auroc2_lower=np.nan, flag="ten trials")
    assert list(made) == ["answered", "not_judged"]
    assert why(made["not_judged"]) == "ten trials"
    assert list(by_name(flag="few"))[:2] == ["answered", "flagged"]


@pytest.mark.parametrize(
    ("name", "shown"), [("auroc2", "0.400"), ("meta_i2r", "0.200"), ("overconfidence", "ECE 0.200")]
)
def test_what_a_verdict_rests_on_is_its_numbers(name, shown):
    """A mean confidence that fits does not hide how far single ones are off."""
    assert shown in why(by_name()[name])


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
    area = {"auroc2": [0.7, 0.6], "auroc2_lower": [0.6, 0.5], "auroc2_upper": [0.8, 0.7]}
    table = pd.DataFrame({"by": by, "model": "m", by: parts, **area})
    ranked = {"rank": [1, 2], "set_lower": [1, 2], "set_upper": [1, 2], "order_probability": 0.9}
    orders = pd.DataFrame({"by": by, "model": "m", "part": [f"{p}" for p in parts], **ranked})
    open_ = orders.assign(set_lower=1, set_upper=2)
    for known, n, told in ((orders, 2, "place 2 of 2"), (open_, 2, "differ detectably"), (None, 0, "")):
        (made,) = part_verdicts(table, by, known)
        assert made.name == "parts" and len(made.values["order"]) == n
        assert (made.values["lowest"]["auroc2"], made.values["highest"]["auroc2"]) == (0.6, 0.7)
        assert told in order_text(made)
    (few,) = part_verdicts(table.assign(auroc2_lower=[0.6, np.nan]), by)
    assert (few.name, few.values["n_open"], few.values["n"]) == ("few_parts", 1, 2)


def test_parts_of_equal_rank_stay_in_their_order():
    parts = [f"p{i:02}" for i in range(60)]
    ranks = [1 + (7 * i) % 3 for i in range(60)]
    table = pd.DataFrame({"by": "domain", "model": "m", "auroc2": 0.6, "auroc2_lower": 0.5, "domain": parts})
    orders = pd.DataFrame({"by": "domain", "model": "m", "part": parts, "rank": np.array(ranks, dtype=float)})
    (made,) = part_verdicts(table, "domain", orders)
    wanted = [part for rank in (1, 2, 3) for part, own in zip(parts, ranks, strict=True) if own == rank]
    assert made.values["order"]["part"].tolist() == wanted
