"""Effects that claims speak of: closed forms, and worlds in which there is nothing or something."""

from __future__ import annotations

from collections import Counter

import claims_simulated as simulation
import numpy as np
import pandas as pd
import pytest
from crowd_observers import arranged
from scipy import stats

from metacog.core.paths import project_root
from metacog.measures.claims import FEWEST, claim_effects, over, spread
from metacog.verdicts import claims
from metacog.verdicts.bounds import ABOVE, NONE, OPEN, Effect, found

#: As fixed before any claim was judged: where there is no effect, and how far from it there is none to speak of.
FIXED = {
    "confidence": (0.0, 0.02),
    "saturated": (0.5, 0.05),
    "size": (0.0, 0.005),
    "size_equal": (0.0, 0.005),
    "accuracy": (0.0, 0.2),
    "thinking": (0.0, 0.02),
    "domains": (0.0, 0.02),
    "tokens": (0.0, 0.02),
}
RULES = {claim.name: claim for claim in claims.CLAIMS}
N_WORLDS = 40


def world(rng, *, know, tokens, vary):
    """Eight makers of two models; two confidences that know ``know`` and ``tokens`` of right and wrong.

    By category the second half of the items has ``vary`` more. Accuracy has nothing to do with either.
    """
    n_items, families = 480, 8
    m = 2 * families
    skill = np.repeat(rng.normal(size=families), 2) * 0.7 + rng.normal(size=m) * 0.4
    right = (
        rng.random((m, n_items)) < 1 / (1 + np.exp(-(skill[:, None] + rng.normal(size=n_items))))
    ).astype(float)
    more = np.where(np.arange(n_items) < n_items / 2, 0.0, vary)
    sure = [np.round((k + more) * right + rng.normal(size=right.shape), 1) for k in (know, tokens)]
    made_by = tuple(f"maker {i // 2}" for i in range(m))
    strata = tuple(np.repeat(list("abcdef"), n_items // 6))
    one, two = (arranged(right, s, made_by, strata=strata) for s in sure)
    return one, two


def outcomes(n_worlds: int, **known: float) -> Counter:
    rng = np.random.default_rng(1)
    counts: Counter = Counter()
    for _ in range(n_worlds):
        one, two = world(rng, **known)
        for row in claim_effects(one, one.models, second=two).to_dict("records"):
            says = claims.judged_claim(RULES[row["claim"]], row["lower"], row["upper"])
            counts[row["claim"], says] += 1
    return counts


def test_where_confidence_knows_nothing_few_worlds_hold():
    counts = outcomes(N_WORLDS, know=0.0, tokens=0.0, vary=0.0)
    most = int(stats.binom.ppf(0.99, N_WORLDS, 0.05))
    for name in ("confidence", "domains", "tokens", "saturated"):
        assert counts[name, claims.HOLDS] <= most, name
    for outcome in (claims.HOLDS, claims.FAILS):
        assert counts["accuracy", outcome] <= most, outcome


def test_where_it_knows_something_all_worlds_hold():
    counts = outcomes(5, know=0.6, tokens=1.2, vary=1.0)
    for name in ("confidence", "domains", "tokens"):
        assert counts[name, claims.HOLDS] == 5, name


def test_spread_has_a_closed_form_where_all_estimates_are_as_precise():
    values, variance = np.array([0.1, 0.2, 0.25, 0.31, 0.4]), 0.0009
    squares = ((values - values.mean()) ** 2).sum()
    wanted = [np.sqrt(squares / at - variance) for at in (4, *stats.chi2.ppf([0.975, 0.025], 4))]
    assert spread(values, np.full(5, variance)) == pytest.approx(wanted)
    assert spread(np.full(5, 0.2), np.full(5, variance)) == (0.0, 0.0, 0.0)


def test_the_interval_over_makers_is_that_of_t_and_needs_three():
    values, makers = [0.1, 0.3, 0.2, 0.25, 0.35], ["a", "b", "c", "d", "d"]
    ends = stats.ttest_1samp([0.1, 0.3, 0.2, 0.3], 0).confidence_interval(0.95)
    row = over("size", values, makers)
    assert (row["lower"], row["upper"], row["n"]) == pytest.approx((ends.low, ends.high, 4))
    assert np.isnan(over("size", [], [])["value"])
    two = over("thinking", values, ["a"] * 3 + ["b"] * 2)
    assert two["n"] == FEWEST - 1 and two["value"] == pytest.approx(0.25)
    assert claims.judged_claim(RULES["thinking"], two["lower"], two["upper"]) == claims.UNTESTED


def test_makers_that_differ_around_nothing_are_seldom_said_to_bear_a_claim_out():
    """Every claim but that of thinking, which one maker's pairs cannot test, and how often pairs would have said so."""
    table = pd.read_csv(project_root() / "data/simulations/claims_simulated.csv")
    nought = table[table["nought"]]
    rule = nought[nought["over"] != "each"]
    assert set(rule["claim"]) == set(RULES)
    found = rule["holds"].where(rule["claim"] != "accuracy", rule["beyond"]) / rule["runs"]
    assert (found <= stats.binom.ppf(0.999, rule["runs"], 0.05) / rule["runs"]).all()
    each = nought[(nought["over"] == "each") & (nought["claim"] == "thinking")]
    assert (each["holds"] / each["runs"]).max() > 0.25
    assert not any("one maker" in world for world in rule["world"])
    assert simulation.of_makers("one maker of eight pairs", 0.04, 3, 1)[0][1] == "each"


@pytest.mark.parametrize(
    ("name", "lower", "upper", "says"),
    [
        ("confidence", 0.01, 0.05, claims.HOLDS),
        ("confidence", 0.001, 0.019, claims.FAILS),
        ("confidence", -0.05, -0.01, claims.FAILS),
        ("confidence", -0.01, 0.05, claims.CANNOT_TELL),
        ("confidence", float("nan"), float("nan"), claims.UNTESTED),
        ("accuracy", 0.1, 0.5, claims.FAILS),
        ("accuracy", -0.1, 0.1, claims.HOLDS),
        ("accuracy", -0.7, -0.1, claims.HOLDS),
        ("accuracy", -0.5, 0.3, claims.CANNOT_TELL),
        ("accuracy", -0.3, 0.3, claims.CANNOT_TELL),
        ("tokens", -0.03, 0.03, claims.CANNOT_TELL),
        ("saturated", 0.52, 0.7, claims.HOLDS),
        ("saturated", 0.2, 0.4, claims.FAILS),
    ],
)
def test_the_rule(name, lower, upper, says):
    assert claims.judged_claim(RULES[name], lower, upper) == says


@pytest.mark.parametrize("name", FIXED)
def test_an_effect_within_its_bound_is_none_and_one_that_may_reach_beyond_is_some(name):
    reference, bound = FIXED[name]
    says = [found(RULES[name], reference + 0.1 * bound, reference + end * bound) for end in (0.99, 1.01)]
    assert says == [NONE, ABOVE] and len(FIXED) == len(RULES)


@pytest.mark.parametrize(
    ("lower", "upper"), [(0.05, np.nan), (np.nan, -0.05), (0.05, np.inf), (-np.inf, -0.05)]
)
def test_half_an_interval_tells_nothing(lower, upper):
    assert found(Effect("size", "size"), lower, upper) == OPEN
    assert claims.judged_claim(RULES["confidence"], lower, upper) == claims.UNTESTED


def test_no_model_with_enough_answers_is_an_empty_table():
    one, _ = world(np.random.default_rng(2), know=0.5, tokens=0.5, vary=0.0)
    assert claim_effects(one.kept(np.arange(8)), one.models).empty
