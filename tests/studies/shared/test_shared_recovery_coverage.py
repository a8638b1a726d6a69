"""Coverage of the intervals in the committed simulations. Oracle: the table, and the same with one thing spoilt."""

import pytest

from metacog.measures.table import simulations
from metacog.studies.shared import recovery
from metacog.verdicts.outcomes import those


@pytest.fixture(scope="module")
def table():
    return simulations()


def refuted(table):
    """Rules and units that a table refutes."""
    told = recovery.judge_intervals(table, recovery.levels_of(table))
    return {(rule, unit) for rule in told["rule"].unique() for unit in those(told, rule, False)}


def test_what_is_spoilt_is_refuted_and_nothing_else(table):
    assert refuted(table) == set()
    broken = table.copy()
    worst = broken.index[(broken["interval"] == "auroc2") & (broken["n_trials"] == 5000)][0]
    broken.loc[worst, "coverage"] = 0.8
    assert refuted(broken) == {("covers_auroc2", "AUROC2")}
    uneven = refuted(table.assign(rejected=table["rejected"] + 0.1))
    assert uneven == {("level", "trials"), ("level", "questions")}
    liberal = table.assign(interval_off_null=table["interval_off_null"] + 0.1)
    assert ("chance", "AUROC2") in refuted(liberal)


def test_every_design_with_a_value_is_summed_up(table):
    shown = recovery.summary(table)
    assert set(shown["measure"]) == {"AUROC2", "meta-I2r"}
    nothing = (table["interval"] == "meta_i2r") & (table["value"] < 0.04)
    assert shown["designs"].sum() == len(table) - nothing.sum()
