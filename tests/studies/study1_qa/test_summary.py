"""Study 1 on one page: all verdicts are there, and the headline says what the table says."""

import numpy as np
import pandas as pd

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells import rate_trials
from metacog.studies.study1_qa.correction import run_measures
from metacog.studies.study1_qa.h1 import h1
from metacog.studies.study1_qa.h4 import h4
from metacog.studies.study1_qa.summary import headline, hypotheses, outcomes


def test_every_verdict_on_the_run_has_its_row(trials):
    rated = rate_trials(trials)
    found = [judge(rated, n_resamples=200).verdicts for judge in (h1, h4)]
    beside = Verdict("H1", Kind.BESIDE, "rule", None, "Printed numbers.")
    said = hypotheses([*found, (beside,)])
    table = outcomes(said)
    assert list(table["sentence"]) == [v.sentence for verdicts in found for v in verdicts]
    assert table["kind"].map(type).eq(str).all() and set(table["hypothesis"]) == {"H1", "H4"}
    assert set(table["outcome"]) <= {"supported", "not supported", "undecided"}
    assert table["question"].str.len().min() > 0


def test_the_headline_says_what_the_table_says(trials):
    measures = run_measures(trials, n_resamples=100, n_permutations=100).table
    text = headline(measures)
    for row in measures.to_dict("records"):
        assert f"{row['model']} gets {100 * row['accuracy']:.0f} %" in text
        assert f"wrong one {100 * row['auroc2']:.0f} % of the time" in text


def test_a_run_without_verdicts_has_none():
    assert hypotheses([(), ()]) == () and outcomes(()).empty


def test_a_model_that_cannot_be_measured_is_said_so():
    row = {"model": "m", "dataset": "bank", "accuracy": 0.0, "auroc2": np.nan, "flag": "no correct answers"}
    assert headline(pd.DataFrame([row])) == "m cannot be measured (no correct answers)."
