"""Verdicts on tables of measures, and their sentences. Oracle: rows whose intervals are set by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.report.measure_verdicts import model_verdicts, pair_verdicts, part_verdicts
from metacog.report.measure_words import WORDS, findings
from metacog.report.verdicts import Kind

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
    assert all(one.sentence.endswith(".") for one in findings(made))
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
    made = by_name(auroc2=np.nan, auroc2_lower=np.nan, flag="only 10 trials")
    assert list(made) == ["answered", "not_judged"]
    assert "only 10 trials" in findings(made.values())[-1].sentence
    assert list(by_name(flag="few"))[:2] == ["answered", "flagged"]


def test_pairs_and_their_order():
    none = pd.DataFrame(columns=["first", "second"])
    assert pair_verdicts(none, 1) == []
    assert [v.name for v in pair_verdicts(none, 3)] == ["no_pairs"]
    pairs = pd.DataFrame(
        {
            "first": [f"m{i}" for i in range(8)],
            "second": "n",
            "quantity": "auroc2",
            "difference": 0.1,
            "lower": 0.05,
            "upper": 0.15,
            "p_holm": [*np.linspace(0.04, 0.01, 7), np.nan],
            "differs": True,
        }
    )
    ranks = pd.DataFrame(
        {
            "quantity": "auroc2",
            "model": [f"m{i}" for i in range(8)],
            "estimate": np.linspace(0.9, 0.6, 8),
            "set_lower": [1, 1, 1, 1, 1, 1, 7, 8],
            "set_upper": [6, 6, 6, 6, 6, 6, 7, 8],
        }
    )
    differ, order = made = pair_verdicts(pairs, 9, ranks)
    assert (differ.name, differ.values["n_pairs"], len(differ.values["differing"])) == ("pairs", 7, 7)
    assert differ.values["differing"]["p_holm"].is_monotonic_increasing
    sentences = [one.sentence for one in findings(made)]
    assert "and 1 more" in sentences[0]  # six of the seven differences are listed
    assert order.name == "ranks" and "m1, m2, m3 and 2 more" in sentences[1]
    alike = pair_verdicts(pairs.assign(differs=False), 9, ranks.head(2))
    assert [v.name for v in alike] == ["pairs"] and alike[0].values["differing"].empty
    assert findings(alike)[0].sentence


@pytest.mark.parametrize(("by", "parts"), [("domain", ["a", "b"]), ("temperature", [0.5, 1.0])])
def test_parts_of_a_model_and_their_order(by, parts):
    area = {"auroc2": [0.7, 0.6], "auroc2_lower": [0.6, 0.5], "auroc2_upper": [0.8, 0.7]}
    table = pd.DataFrame({"by": by, "model": "m", by: parts, **area})
    ranked = {"rank": [1, 2], "set_lower": [1, 2], "set_upper": [1, 2], "order_probability": 0.9}
    orders = pd.DataFrame({"by": by, "model": "m", "part": [f"{p}" for p in parts], **ranked})
    for known, n in ((orders, 2), (orders.assign(set_lower=1, set_upper=2), 2), (None, 0)):
        (made,) = part_verdicts(table, by, known)
        assert made.name == "parts" and len(made.values["order"]) == n
        assert (made.values["lowest"]["auroc2"], made.values["highest"]["auroc2"]) == (0.6, 0.7)
        assert findings([made])[0].sentence.endswith(".")
    (few,) = part_verdicts(table.assign(auroc2_lower=[0.6, np.nan]), by)
    assert (few.name, few.values["n_open"], few.values["n"]) == ("few_parts", 1, 2)


def test_every_verdict_has_a_sentence():
    made = {"no_pairs", "pairs", "ranks", "few_parts", "parts", "not_judged", "flagged", *by_name()}
    assert made == set(WORDS)
