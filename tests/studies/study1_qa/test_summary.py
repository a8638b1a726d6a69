"""Study 1 on one page: all verdicts are there."""

from types import SimpleNamespace

import pandas as pd

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.counts import rate_trials
from metacog.studies.study1_qa.cells.flags import Flag
from metacog.studies.study1_qa.h1.estimates import h1
from metacog.studies.study1_qa.h4.estimates import h4
from metacog.studies.study1_qa.summary.shown import VIEWS, front, outcomes


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


def test_the_first_page_names_every_rule_of_the_study_with_its_outcome():
    measures = pd.DataFrame({"model": ["a", "b"], "flag": ["", "under 50 correct"]})
    verdicts = (
        Verdict("H1", Kind.PREREGISTERED, "rule", True),
        Verdict("H1", Kind.SOUND, "rule", False),
        Verdict("H2", Kind.PREREGISTERED, "rule", None),
    )
    text = front(SimpleNamespace(measures=measures, verdicts=verdicts))
    first, _, second = text.partition(" By the sounder rules")
    assert "on a and b" in first and first.count("H1") == 1
    assert "every model?) is supported and H2" in first and first.endswith("is undecided.")
    assert second.endswith("H1 is not supported.") and "H2" not in second
    two = (*verdicts, Verdict("H1", Kind.PREREGISTERED, "another", None))
    text = front(SimpleNamespace(measures=measures, verdicts=two))
    assert text.count("H1") == 2 and "is supported by 1 rule and undecided by 1 rule" in text
    assert "sounder" not in front(SimpleNamespace(measures=measures, verdicts=(verdicts[0], verdicts[2])))
    assert "too small" in front(SimpleNamespace(measures=measures, verdicts=()))
    silent = SimpleNamespace(measures=measures.assign(flag=["", Flag.SILENT.value]), verdicts=verdicts)
    assert front(silent).endswith("is not supported. No confidence could be read in the answers of b.")
