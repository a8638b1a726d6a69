"""The primer's numbers. Oracles: counts and pairs by hand, the normal distribution, and what must agree."""

import itertools
from statistics import NormalDist
from types import SimpleNamespace

import numpy as np
import pytest

from metacog.core.errors import MetacogError
from metacog.studies.contributions import rating_table, rating_tables
from metacog.studies.shared.primer import VIEWS, all_counts, built, four
from metacog.studies.study import Result

NEGATIVE, POSITIVE = (38, 32, 19, 11), (9, 15, 34, 42)
#: The same by ten ratings.
TEN = np.array([[20, 18, 12, 10, 10, 8, 6, 5, 7, 4], [5, 4, 6, 5, 4, 12, 11, 11, 20, 22]], float)


@pytest.fixture(scope="module")
def made():
    return Result(built("A", *TEN, 200, 200, 42))


def test_the_ten_ratings_have_nine_cuts_and_a_line(made):
    assert (four(TEN[0]).tolist(), four(TEN[1]).tolist()) == ([*NEGATIVE], [*POSITIVE])
    cuts, ends = (made.z_roc[made.z_roc["what"].str.startswith(one)] for one in ("cuts", "equal"))
    z, middle = NormalDist().inv_cdf, cuts.sort_values("z_hit").iloc[4]
    assert (ends["z_hit"] - ends["z_false_alarm"]).to_numpy() == pytest.approx([made.numbers["d_prime"]] * 2)
    assert len(cuts) == 9 and middle["z_hit"] == pytest.approx(z(sum(POSITIVE[2:]) / sum(POSITIVE)))
    told = VIEWS.numbers(made)
    assert told["slope_lower"] < 1 < told["slope_upper"] and 0.05 < told["p_line"] <= 1
    assert told["area_lower"] < told["area"] == pytest.approx(100 * made.numbers["auroc2"])
    assert told["area"] == pytest.approx(told["surer"] + told["equally_sure"] / 2)


def test_ratings_become_sure_and_unsure():
    open_ = rating_table("open", [1, 2], [3, 4], decision=False, pad=0.5)
    decided = rating_table("B, task", range(1, 11), range(10, 0, -1), decision=True, pad=0.0)
    name, s1, s2 = all_counts([rating_tables([open_]), rating_tables([decided])])
    assert name == "B" and four(s1).tolist() == [3, 12, 21, 19] and four(s2).tolist() == [19, 21, 12, 3]
    with pytest.raises(MetacogError, match="no study"):
        all_counts([rating_tables([open_])])


def test_the_decision_follows_from_two_shares(made):
    z, numbers = NormalDist().inv_cdf, made.numbers
    hit, false_alarm = sum(POSITIVE[2:]) / sum(POSITIVE), sum(NEGATIVE[2:]) / sum(NEGATIVE)
    assert (numbers["hit_rate"], numbers["false_alarm_rate"]) == pytest.approx((hit, false_alarm))
    assert numbers["d_prime"] == pytest.approx(z(hit) - z(false_alarm))
    assert numbers["c"] == pytest.approx(-(z(hit) + z(false_alarm)) / 2)
    peaks = made.evidence.loc[made.evidence.groupby("curve")["height"].idxmax()].set_index("curve")[
        "evidence"
    ]
    assert peaks["positive sentences"] - peaks["negative sentences"] == pytest.approx(
        numbers["d_prime"], abs=0.1
    )


def test_pairs_of_replies_give_the_area(made):
    right = [1] * (POSITIVE[3] + NEGATIVE[0]) + [0] * (POSITIVE[2] + NEGATIVE[1])
    wrong = [1] * (POSITIVE[0] + NEGATIVE[3]) + [0] * (POSITIVE[1] + NEGATIVE[2])
    pairs = list(itertools.product(right, wrong))
    ahead, tied = sum(a > b for a, b in pairs), sum(a == b for a, b in pairs)
    numbers = made.numbers
    assert (numbers["ordered"], numbers["tied"]) == (ahead, tied)
    assert numbers["auroc2"] == pytest.approx((ahead + tied / 2) / len(pairs))


def test_information_is_the_uncertainty_that_goes(made):
    table, numbers = made.confidence, made.numbers
    n = (table["right"] + table["wrong"]).to_numpy()
    left = float(n @ table["bits"].to_numpy() / n.sum())
    assert numbers["left"] == pytest.approx(left)
    assert numbers["plugin_meta_i2r"] == pytest.approx(1 - left / numbers["entropy"])
    share = made.estimates.set_index("measure").loc["meta-I2r", "estimate"]
    assert share == pytest.approx(numbers["plugin_meta_i2r"] - numbers["null"])


def test_the_best_confidence_is_no_better_than_its_evidence_and_sure_as_often(made):
    """Oracle: the area by many draws of the two bell curves, cut so that as many replies are sure as in the table."""
    rows, rng, n = made.estimates.set_index("measure"), np.random.default_rng(1), 200_000
    kind = rng.integers(0, 2, n)
    evidence = rng.normal((kind - 0.5) * made.numbers["d_prime"], 1.0)
    said, aside = evidence > made.numbers["c"], np.abs(evidence - made.numbers["c"])
    both = np.add(NEGATIVE, POSITIVE)
    high = np.quantile(aside[said], 1 - both[3] / both[2:].sum())
    low = np.quantile(aside[~said], 1 - both[0] / both[:2].sum())
    sure, right = aside > np.where(said, high, low), said == (kind == 1)
    area = (1 + sure[right].mean() - sure[~right].mean()) / 2
    assert rows.loc["AUROC2", "whole"] == pytest.approx(area, abs=0.005)
    assert rows.loc["AUROC2", "whole"] == pytest.approx(made.numbers["auroc2_whole"])


def test_text_and_tables_agree(made):
    shown = made.estimates.set_index("measure")
    names = {"d'": "d_prime", "c": "c", "AUROC2": "auroc2", "meta-d'": "meta_d", "M-ratio": "m_ratio"}
    for measure, name in names.items():
        assert shown.loc[measure, "estimate"] == pytest.approx(made.numbers[name])
    assert shown["question"].notna().all() and shown.loc["meta-I2r", ["lower", "upper"]].isna().all()


def test_pairs_in_which_the_right_reply_is_the_surer_are_counted_either_way(made):
    pairs = made.numbers["right"] * made.numbers["wrong"]
    ahead, tied = (100 * made.numbers[name] / pairs for name in ("ordered", "tied"))
    found = VIEWS.numbers(made)
    assert (found["surer"], found["equally_sure"]) == pytest.approx((ahead, tied))
    turned = VIEWS.numbers(
        SimpleNamespace(confidence=made.confidence[::-1], estimates=made.estimates, line=made.line)
    )
    assert turned["less_sure"] == pytest.approx(ahead) and turned["surer"] == pytest.approx(
        found["less_sure"]
    )


def test_the_lines_of_confidence_stand_where_as_many_replies_are_sure(made):
    """Oracle: many draws of the two bell curves, cut at the lines that the picture shows."""
    line = made.evidence.groupby("curve")["evidence"].first()
    rng, half = np.random.default_rng(2), made.numbers["d_prime"] / 2
    drawn = np.concatenate([rng.normal(-half, 1, 200_000), rng.normal(half, 1, 200_000)])
    both, criterion = np.add(NEGATIVE, POSITIVE), made.numbers["c"]
    low, high = drawn[drawn < criterion], drawn[drawn > criterion]
    assert np.mean(low < line["surely negative below"]) == pytest.approx(both[0] / both[:2].sum(), abs=0.01)
    assert np.mean(high > line["surely positive above"]) == pytest.approx(both[3] / both[2:].sum(), abs=0.01)
