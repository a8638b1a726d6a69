"""Study 1 on one page: all verdicts are there, and the headline says what the table says."""

import numpy as np
import pandas as pd

from metacog.studies.study1_qa.summary import headline, summarise


def test_every_hypothesis_is_judged_by_both_kinds_of_rule(trials):
    found = summarise(trials, n_resamples=300, n_permutations=100)
    table = found.table()
    kinds = table.groupby("hypothesis")["kind"].unique().map(set)
    assert sorted(kinds.index) == ["H1", "H2", "H3", "H4"]
    assert all(kind >= {"pre-registered", "sound counterpart"} for kind in kinds)
    assert set(table["outcome"]) <= {"supported", "not supported", "undecided"}
    assert table["question"].str.len().min() > 0
    for row in found.corrected.table.to_dict("records"):
        assert f"{row['model']} gets {100 * row['accuracy']:.0f} %" in found.headline
        assert f"wrong one {100 * row['auroc2']:.0f} % of the time" in found.headline


def test_a_run_without_verdicts_has_none(smoke_trials):
    found = summarise(smoke_trials, n_resamples=200, n_permutations=100, verdicts=False)
    assert found.verdicts == () and found.table().empty and found.headline


def test_a_model_that_cannot_be_measured_is_said_so():
    row = {"model": "m", "dataset": "bank", "accuracy": 0.0, "auroc2": np.nan, "flag": "no correct answers"}
    assert headline(pd.DataFrame([row])) == "m cannot be measured (no correct answers)."
