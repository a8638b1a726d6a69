"""H2, H3 and the robustness verdicts on trials of each family of answerers. Oracle: their result tables."""

from dataclasses import replace

import numpy as np
import pytest
from simulated_trials import simulate_trials

from metacog.studies.study1_qa import h2, h3, robustness_variants
from metacog.studies.study1_qa.cells import rate_trials
from metacog.studies.study1_qa.correction_grid import VARIANTS
from metacog.studies.study1_qa.robustness_variants import checked
from metacog.verdicts.outcomes import together

FAMILIES = tuple(dict.fromkeys(variant.family for variant in VARIANTS))
NOISE = {"lapses": 0.3, "graded": 1.0, "tails": 0.8, "one-sided": 3.0}


def trials_of(family):
    """Two models of one family, 600 questions at four temperatures."""
    one = next(v for v in VARIANTS if v.family == family)
    models = {name: {"ability": 0.0, "noise": 1.0} for name in ("alpha", "beta")}
    trials = simulate_trials(models, n_questions=600, temperatures=(0.3, 0.5, 0.7, 1.0), empty=0.0)
    rng = np.random.default_rng(11)
    for name, accuracy in (("alpha", 0.43), ("beta", 0.6)):
        answerer = replace(one.like, accuracy=accuracy, noise=NOISE.get(family, 0.5))
        mine = trials["model"] == name
        right, strength = answerer.sample((1, int(mine.sum())), rng)
        trials.loc[mine, "correct"] = right[0]
        trials.loc[mine, "nlp"] = np.clip(strength[0], -50, 50) - 60
    return trials


def outcome(values, k=None):
    """Every one, or at least k, in three values."""
    if k is None:
        return False if False in values else None if None in values or not values else True
    yes, open_ = values.count(True), values.count(None)
    return True if yes >= k else False if len(values) >= k and yes + open_ < k else None


def judged(row, column):
    return None if row["flagged"] or row[column] is None else bool(row[column])


@pytest.mark.parametrize("family", FAMILIES)
def test_verdicts_follow_each_familys_own_numbers(family):
    trials = trials_of(family)
    rated = rate_trials(trials)
    _, pairs = h2.by_domain(rated, n_resamples=100)
    _, fixed = h3.over_temperatures(rated, h3.FIXED, n_resamples=100)
    table, orders = checked(trials, n_resamples=100)
    settings = robustness_variants.judge(table, orders, robustness_variants.OURS)
    pairs = pairs[pairs["measure"] == "m_ratio"]
    states = []
    for _, own in pairs.groupby("model"):
        usable = own[~own["flagged"] & own["lower"].notna()]
        hit = ((usable["lower"] > 0) | (usable["upper"] < 0)).any()
        states.append(True if hit else None if len(usable) < len(own) else False)
    assert together(h2.judge(pairs), "difference") is outcome(states, 2)

    told, rows = h3.judge(fixed), fixed.astype(object).to_dict("records")
    for rule, column in (("range", "tost_pass"), ("rho", "relative_robust")):
        assert together(told, rule) is outcome([judged(row, column) for row in rows])

    for check in ("R1", "R2", "R3"):
        passed = together(settings, f"{check} variants")
        turns = orders[orders["check"] == check].astype(object)
        kept = [None if row["flag"] else row["kept"] for row in turns.to_dict("records")]
        if passed is True:
            assert outcome(kept) is True
        if outcome(kept) is False:
            assert passed is False
