"""Study 1 on one page: all verdicts are there."""

from types import SimpleNamespace

from metacog.studies.study1_qa.cells.counts import rate_trials
from metacog.studies.study1_qa.h1.estimates import h1
from metacog.studies.study1_qa.h4.estimates import h4
from metacog.studies.study1_qa.summary.shown import VIEWS, outcomes


def test_every_verdict_on_the_run_has_its_row(trials):
    rated = rate_trials(trials)
    verdicts = [v for judge in (h1, h4) for v in judge(rated, n_resamples=200).verdicts]
    table = outcomes(SimpleNamespace(verdicts=verdicts))
    assert list(table["sentence"]) == [VIEWS.sentence(v) for v in verdicts]
    assert list(table["kind"]) == [v.kind.value for v in verdicts]
    assert set(table["hypothesis"]) == {"H1", "H4"}
    assert set(table["outcome"]) <= {"supported", "not supported", "undecided"}
    assert table["question"].str.endswith("?").all()


def test_a_run_without_verdicts_has_none():
    assert outcomes(SimpleNamespace(verdicts=())).empty
