"""The sentences with which the chapters of study 1 open follow the data: other data, another answer."""

from types import SimpleNamespace

import pandas as pd
import pytest
from heads_checked import faults

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.auroc2 import shown as auroc2
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED, RUN
from metacog.studies.study1_qa.collection import shown as collection
from metacog.studies.study1_qa.correction import recovery_shown as recovery
from metacog.studies.study1_qa.correction import shown as correction
from metacog.studies.study1_qa.validation import shown as validation


def frame(columns, *rows):
    return pd.DataFrame(list(rows), columns=columns.split())


def test_auroc2_tells_the_correlations_of_each_question_set():
    def of(rho):
        rows = [("nq", "AUROC2 and M-ratio", rho, 4, 0.08), ("nq", "AUROC2 and meta-I2r", 1.0, 4, 0.08)]
        return auroc2.answer(SimpleNamespace(published_correlations=frame_of(rows)))

    def frame_of(rows):
        return pd.DataFrame(rows, columns=["dataset", "pair", "rho", "n_models", "smallest_p"])

    assert "alike on 0 of 1 question set; with so few models" in of(-0.8) and "on 1 of 1" in of(0.8)
    assert faults(of(0.8)) == []
    many = frame_of(
        [("nq", "AUROC2 and M-ratio", 0.8, 9, 0.01)]
    )  # what p could be says nothing of what it is
    assert auroc2.answer(SimpleNamespace(published_correlations=many)).endswith("on 1 of 1 question set.")


def test_validation_counts_cells_that_rise_and_that_are_large_enough():
    def of(monotone, enough):
        comparison = frame("source monotone", (RECOMPUTED, True), (RECOMPUTED, True), (RUN, monotone))
        minimums = frame("n_correct n_incorrect enough", (60, 70, True), (7, 70, enough))
        return validation.answer_sentence(SimpleNamespace(comparison=comparison, minimums=minimums))

    told = of(True, True)
    assert "in 2 of 2 published sets of answers; this run agrees." in told and faults(told) == []
    assert of(False, False).endswith("this run does not.") and of(None, True).endswith(
        "this run cannot tell."
    )


def test_collection_tells_trials_accuracy_and_cells():
    outcomes = frame("model temperature n_trials accuracy", ("m", 1.0, 40, 0.275), ("m", 0.5, 40, 0.5))
    result = SimpleNamespace(outcomes=outcomes, cells=frame("enough", (True,), (False,)))
    text = collection.answer(result)
    assert text.startswith("80 answers of 1 model lie behind") and "in some subjects too few" in text
    assert faults(text) == []
    result.cells = frame("enough", (True,), (True,))
    assert ": enough to compare" in collection.answer(result)
    result.cells = frame("enough", (False,), (False,))
    assert ": too few to compare" in collection.answer(result)


@pytest.mark.parametrize(("second", "said"), [(1, "by another measure, at place 1."), (4, "Both versions")])
def test_the_correction_tells_where_each_version_puts_a_model(second, said):
    values = {"n": 4, "model": "m", "m_ratio": 4, "meta_i2r": second}
    verdict = Verdict("c", Kind.PUBLISHED, "r", True, name="ranking", values=values)
    text = correction.answer(SimpleNamespace(verdicts=[verdict]))
    assert said in text and "at place 4" in text and faults(text) == []


def recovery_result(passed, near):
    ratios = [
        {"m_ratio": 0.8, "n_families": 2.0, "lowest": 0.1, "highest": 0.3},
        {"m_ratio": 1.0, "n_families": 1.0, "lowest": 0.2, "highest": 0.9},
    ]
    verdicts = [
        Verdict("c", Kind.EXPLORATORY, "r", passed, name="reading", values={"ratios": ratios}),
        Verdict("c", Kind.EXPLORATORY, "r", None, name="claim", values={"near": near}),
    ]
    return SimpleNamespace(cells=pd.DataFrame({"family": ["levels", "tails", "tails"]}), verdicts=verdicts)


def test_the_correction_opens_with_what_an_m_ratio_cannot_say():
    near = {"levels": 0.01, "tails": 0.9}
    text = recovery.answer(recovery_result(True, near))
    assert (
        text.startswith("An M-ratio of open answers is no efficiency: the same ratio") and faults(text) == []
    )
    assert "efficiencies from 0.20 to 0.90." in text
    assert recovery.answer(recovery_result(False, near)).startswith("Not every M-ratio")
    assert recovery.pinned(recovery_result(True, near)) == "1 of 2 families (few levels)"
    assert recovery.pinned(recovery_result(True, {"tails": 0.9})) == "0 of 1 family"
