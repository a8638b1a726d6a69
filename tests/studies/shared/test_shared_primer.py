"""The primer's numbers. Oracles: counts and pairs by hand, the normal distribution, and what must agree."""

import itertools
from statistics import NormalDist

import numpy as np
import pytest
from heads_checked import faults

from metacog.studies.shared.primer.analysis import NEGATIVE, POSITIVE, primer
from metacog.studies.shared.primer.shown import VIEWS


@pytest.fixture(scope="module")
def made():
    return primer(None, n_resamples=200, n_permutations=200)


def test_the_decision_follows_from_two_shares(made):
    z, numbers = NormalDist().inv_cdf, made.numbers
    hit, false_alarm = sum(POSITIVE[2:]) / sum(POSITIVE), sum(NEGATIVE[2:]) / sum(NEGATIVE)
    assert (numbers["hit_rate"], numbers["false_alarm_rate"]) == pytest.approx((hit, false_alarm))
    assert numbers["d_prime"] == pytest.approx(z(hit) - z(false_alarm))
    assert numbers["c"] == pytest.approx(-(z(hit) + z(false_alarm)) / 2)
    assert made.criteria["d_prime"].to_numpy() == pytest.approx([numbers["d_prime"]] * 3)
    middle = made.criteria.iloc[1]
    assert (middle["hit_rate"], middle["accuracy"]) == pytest.approx((hit, numbers["accuracy"]))
    assert made.criteria["accuracy"].nunique() == 3


def test_pairs_of_replies_give_the_area(made):
    right = [1] * (POSITIVE[3] + NEGATIVE[0]) + [0] * (POSITIVE[2] + NEGATIVE[1])
    wrong = [1] * (POSITIVE[0] + NEGATIVE[3]) + [0] * (POSITIVE[1] + NEGATIVE[2])
    pairs = list(itertools.product(right, wrong))
    ahead, tied = sum(a > b for a, b in pairs), sum(a == b for a, b in pairs)
    numbers = made.numbers
    assert (numbers["pairs"], numbers["ordered"], numbers["tied"]) == (len(pairs), ahead, tied)
    assert numbers["auroc2"] == pytest.approx((ahead + tied / 2) / len(pairs))


def test_information_is_the_uncertainty_that_goes(made):
    table, numbers = made.confidence, made.numbers
    n = (table["right"] + table["wrong"]).to_numpy()
    left = float(n @ table["bits"].to_numpy() / n.sum())
    assert numbers["left"] == pytest.approx(left)
    assert numbers["plugin_meta_i2r"] == pytest.approx(1 - left / numbers["entropy"])
    assert numbers["meta_i2r"] == pytest.approx(numbers["plugin_meta_i2r"] - numbers["null"])
    assert numbers["unrelated"] < 0 < numbers["meta_i2r"]


def test_an_observer_of_the_fitted_meta_d_is_sure_as_often_as_the_table_is(made):
    """With two levels of confidence the fit has nearly as many parameters as there are shares."""
    table, whole, fitted = (row for _, row in made.observers.iterrows())
    for share in ("sure_right", "sure_wrong", "auroc2"):
        assert fitted[share] == pytest.approx(table[share], abs=0.01)
    assert whole["meta_d"] == pytest.approx(made.numbers["d_prime"])
    assert whole["auroc2"] > table["auroc2"] and made.numbers["m_ratio"] < 0.8
    assert np.isnan(table["meta_d"])


def test_the_best_confidence_of_two_levels_is_no_better_than_its_evidence(made):
    """Oracle: the area by many draws of the two bell curves, with the observer's own halves."""
    rows, rng, n = made.estimates.set_index("measure"), np.random.default_rng(1), 200_000
    kind = rng.integers(0, 2, n)
    evidence = rng.normal((kind - 0.5) * made.numbers["d_prime"], 1.0)
    said = evidence > made.numbers["c"]
    aside = np.abs(evidence - made.numbers["c"])
    sure = aside > np.where(said, np.median(aside[said]), np.median(aside[~said]))
    right = said == (kind == 1)
    area = (1 + sure[right].mean() - sure[~right].mean()) / 2
    assert rows.loc["AUROC2", "whole"] == pytest.approx(area, abs=0.005)
    assert rows.loc["AUROC2", "whole"] == pytest.approx(made.numbers["auroc2_whole"])
    assert 0 < rows.loc["meta-I2r", "whole"] < 0.1 and rows.loc["M-ratio", "whole"] == 1
    shown = VIEWS.tables["estimates"].data(made).set_index("measure")["highest"]
    assert shown[["AUROC2", "M-ratio", "meta-d'"]].tolist() == ["1.00", "no limit", "no limit"]
    assert shown[["accuracy", "d'", "c"]].isna().all()


def test_text_and_tables_agree(made):
    shown = made.estimates.set_index("measure")["estimate"]
    names = {"d'": "d_prime", "c": "c", "AUROC2": "auroc2", "meta-d'": "meta_d", "M-ratio": "m_ratio"}
    for measure, name in names.items():
        assert shown[measure] == pytest.approx(made.numbers[name])
    assert list(VIEWS.tables["estimates"].data(made)["question"].isna()) == [False] * len(made.estimates)
    known = made.estimates[made.estimates["measure"] != "meta-I2r"]
    assert (known["lower"] < known["upper"]).all()
    assert made.estimates.set_index("measure").loc["meta-I2r", ["lower", "upper"]].isna().all()
    answer = VIEWS.sentences["answer"](made)
    assert f"{100 * shown['AUROC2']:.0f} % of the time" in answer and faults(answer) == []
    assert f"With {made.numbers['n']} replies" in VIEWS.sentences["between"](made)
