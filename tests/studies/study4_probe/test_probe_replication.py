"""The replication's analysis. Oracles: two items per task, no form at all, and simulated insight."""

import dataclasses

import pandas as pd
import pytest
from simulated_probe import simulated

from metacog.studies import get_study
from metacog.studies.study4_probe import measures
from metacog.studies.study4_probe.asking.items import load_items
from metacog.studies.study4_probe.paper import TASKS
from metacog.studies.view import View, views_of

STUDY = get_study("study4_probe")
REPLICATION = STUDY.analysis("replication")
FEW = {"n_resamples": 200, "seed": 1}


class Given:
    """Inputs that hold one table of trials."""

    def __init__(self, trials):
        self.table = trials

    def trials(self, collection):
        assert collection == "probe"
        return self.table


def shown(record):
    """Every sentence of the analysis."""
    view = View(record, views_of(STUDY, "replication"))
    assert all(view.sentences().values()) and all(map(view.views.sentence, record.verdicts))
    return view


@pytest.fixture(scope="module")
def whole():
    return pd.concat([simulated("sees", seed=4), simulated("blind", insight=0.0, seed=5)])


def test_two_items_per_task_are_shown_without_a_verdict(whole):
    first = {
        i.id for t in ("t1", "t2", "t3", "t4", "t5") for i in load_items() if i.id in (f"{t}-01", f"{t}-02")
    }
    found = REPLICATION(Given(whole[whole["question_id"].isin(first)]), verdicts=False, **FEW)
    assert found.n_items == 10 and found.verdicts == () and (found.profile["items"] == 2).all()
    assert found.steady["rho"].isna().all()
    shown(found)


def test_a_run_without_any_form_or_resample_is_shown():
    broken = simulated("broken", broken=1.0)
    found = REPLICATION(Given(broken[broken["sample"] == 0]), **FEW)
    assert found.resamples == 0 and found.steady.empty and found.profile["unread"].sum() == 78
    assert {v.topic: v.passed for v in found.verdicts} == {"calibration": None, "dissociation": None}
    assert all(measures.UNSTATED in why for v in found.verdicts for _, why in v.undecided)
    shown(found)


def test_the_same_trials_and_seed_give_the_same_result(whole):
    one, two = (REPLICATION(Given(whole), **FEW) for _ in range(2))
    for field in dataclasses.fields(one):
        a, b = getattr(one, field.name), getattr(two, field.name)
        assert a.equals(b) if isinstance(a, pd.DataFrame) else a == b, field.name


def test_the_gate_is_worth_something_with_insight_and_nothing_without(whole):
    gates = REPLICATION(Given(whole), **FEW).gates.set_index(["model", "bar"])
    assert gates.loc[("sees", 0.0), "load"] < 0.75 < gates.loc[("blind", 0.0), "load"]


def test_the_example_of_a_task_is_the_first_item_that_the_first_model_got_wrong(whole):
    found = REPLICATION(Given(whole), **FEW)
    first = whole[(whole["model"] == "sees") & (whole["sample"] == 0)]
    assert found.examples["task"].tolist() == list(TASKS) and not found.examples["right"].any()
    for row in found.examples.itertuples():
        wrong = first[(first["task"] == row.task) & (first["credit"] < 1)]
        assert row.reply == wrong.sort_values("question_index")["text"].iloc[0].strip()
    fine = REPLICATION(Given(first[first["credit"] == 1]), **FEW)
    assert fine.examples["right"].all() and "earned it" in shown(fine).sentence("requests")
