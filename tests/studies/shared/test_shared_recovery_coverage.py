"""Coverage of the intervals in the committed simulations."""

from metacog.measures.table import simulations
from metacog.studies.shared import recovery


def named(verdicts, name):
    return [v for v in verdicts if v.name == name]


def test_verdicts_follow_the_simulations():
    table = simulations()
    assert len(recovery.verdicts(table)) == 6
    broken = table.copy()
    worst = broken.index[(broken["interval"] == "auroc2") & (broken["n_trials"] == 5000)][0]
    broken.loc[worst, "coverage"] = 0.8
    intervals = named(recovery.verdicts(broken), "coverage_of_intervals")
    assert [v.passed for v in intervals if v.values["measure"] == "AUROC2"] == [False]
    uneven = table.assign(rejected=table["rejected"] + 0.1)
    levels = named(recovery.verdicts(uneven), "level")
    assert [v.passed for v in levels] == [False, False]
    liberal = table.assign(interval_off_null=table["interval_off_null"] + 0.1)
    chance = named(recovery.verdicts(liberal), "chance")
    assert [v.passed for v in chance] == [False]
    shown = recovery.summary(table)
    assert set(shown["measure"]) == {"AUROC2", "meta-I2r"}
    nothing = (table["interval"] == "meta_i2r") & (table["value"] < 0.04)
    assert shown["designs"].sum() == len(table) - nothing.sum()
