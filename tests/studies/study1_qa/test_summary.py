"""Study 1 on one page: all verdicts are there."""

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.counts import rate_trials
from metacog.studies.study1_qa.h1.estimates import h1
from metacog.studies.study1_qa.h4.estimates import h4
from metacog.studies.study1_qa.summary.outcomes import hypotheses, outcomes


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


def test_a_run_without_verdicts_has_none():
    assert hypotheses([(), ()]) == () and outcomes(()).empty
