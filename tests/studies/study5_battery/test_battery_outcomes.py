"""What rules say where one unit holds and another cannot be judged: nothing passes. Oracle: Kleene's "for all"."""

import numpy as np
import pandas as pd
import pytest

from metacog.studies import get_study
from metacog.studies.study5_battery import (
    commitment,
    contrasts,
    monitoring,
    profiles,
    regulation,
    replication,
    tracks,
)
from metacog.studies.study5_battery.ledger.responses import load
from metacog.verdicts.outcomes import ALL, of_rule, together, undecided

NAN = float("nan")


def frame(**columns):
    """Two models: one that holds, and one of which nothing can be said."""
    return pd.DataFrame({"model": ["whole", "gap"], **columns})


def means():
    return frame(delta=[20.0, NAN], lower=[10.0, NAN], upper=[30.0, NAN], n_defined=[5, 0])


def kinds():
    return frame(track="T1", item_type="a", chance=0.25, lower=[0.5, NAN], upper=[0.7, NAN])


def graded():
    limits = {"lower": [0.7, NAN], "upper": [0.9, NAN]}
    return frame(signal="probability of KEEP", n=[90, 0], auroc2=[0.8, NAN], **limits)


def pairs_of_four():
    """Of six pairs three differ; that is more than half of those that have a difference."""
    pairs = {"first": list("aaabbc"), "second": list("bcdcdd"), "difference": [1.0, 1.0, 1.0, 0.1, NAN, NAN]}
    return pd.DataFrame(pairs).assign(together=[True] * 3 + [False] * 3)


def few_models(n):
    """Deltas against direct answers of the first few models of the published responses."""
    rows = load()
    return regulation.dissociation(rows[rows["model"].isin(rows["model"].drop_duplicates().iloc[:n])])[1]


def no_ranks():
    means = pd.DataFrame({"accuracy": [0.5, 0.6, 0.7], "delta": 1.0, "complete": True})
    return monitoring.inversion(means)[1]


def sizes():
    rows = {"family": "GPT-5.4", "measure": "T2", "change_lower": [NAN], "change_upper": NAN, "course": ""}
    none = pd.DataFrame(columns=["track", "first", "second"])
    return contrasts.on_size("GPT-5.4", pd.DataFrame(rows), none)


COMMITTED = frame(auroc2=[0.8, NAN], lower=[0.7, NAN], upper=[0.9, NAN], merged=[0.8, NAN])
KINDS = pd.DataFrame({"track": "T1", "item_type": ["a", "b"], "perfect": 0, "models": [2, 1], "of": 2})
CASES = {
    "ranks": lambda: monitoring.survival("ranks", pairs_of_four()),
    "inversion": lambda: monitoring.inverted(no_ranks()),
    "dissociation": lambda: regulation.unrelated(few_models(3)),
    "item_types": lambda: tracks.discrimination(KINDS),
    "above_chance": lambda: commitment.above_chance(COMMITTED),
    "steady": lambda: commitment.steady(COMMITTED),
    "order, GPT-5.4": sizes,
    "change, GPT-5.4": sizes,
    "chance": lambda: replication.above_chance(kinds()),
    "monitors": lambda: replication.monitors(means()),
    "grades": lambda: replication.grades(graded()),
}


@pytest.mark.parametrize("rule", CASES)
def test_nothing_passes_of_units_that_cannot_be_judged(rule):
    told = CASES[rule]()
    assert len(of_rule(told, rule)) and together(told, rule) is None
    assert of_rule(told, rule).query("holds.isna()")["why"].ne("").all()


def test_a_profile_without_numbers_keeps_its_rule_from_passing(monkeypatch):
    """All profiles are as printed but one, of which there are no responses that can be judged."""
    rows = load()
    odd = rows["model"] == "GPT-5.4"
    judged = rows.assign(judged=~odd)
    made = profiles.deltas(judged)
    models = profiles.with_printed(profiles.mean_deltas(made))
    assert "GPT-5.4" not in set(models["model"]) and len(models) == 19
    gap = models.assign(stood=np.where(models["model"] == "GLM-5", NAN, models["stood"]))
    gap["printed"] = gap["rule"]
    monkeypatch.setattr(profiles, "with_printed", lambda means: gap)
    told = profiles.profiles(None)["outcomes"]
    assert together(told, "profiles") is None and "GLM-5 (no estimate)" in undecided(told, "profiles")


def test_a_model_that_was_asked_and_never_understood_is_a_unit():
    for rule, judge, table in (
        ("monitors", replication.monitors, means()),
        ("chance", replication.above_chance, kinds()),
        ("grades", replication.grades, graded()),
    ):
        sound = table.iloc[:1]
        assert together(judge(sound, ["whole"]), rule) is True
        lost = judge(sound, ["whole", "lost"])
        assert together(lost, rule) is None
        assert lost.set_index("unit").at["lost", "why"] == replication.LOST and lost["unit"].iloc[-1] == ALL


def test_every_rule_has_a_world_or_says_why_it_has_none():
    rules = get_study("study5_battery").rules
    assert all(bool(one.null) != bool(one.no_null) for one in rules.values()) and len(rules) == 21
