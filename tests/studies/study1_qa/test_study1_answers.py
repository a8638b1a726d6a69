"""The sentences with which the chapters of study 1 open follow the data: other data, another answer."""

from types import SimpleNamespace

import pandas as pd
import pytest
from heads_checked import faults

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.auroc2 import shown as auroc2
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED, RUN
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


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ((60, 3, 60, 0), "Mostly: of 120 marks that were checked by reading the answers, 3 were wrong."),
        ((60, 1, 60, 0), "one was wrong"),
        ((60, 0, 60, 0), "none was wrong"),
        ((60, 20, 60, 10), "No: of 120 marks"),
        ((5, 0), "Open: of 5 marks"),
        ((), "cannot be told"),
    ],
)
def test_marks_are_trusted_as_far_as_they_were_read(read, said):
    rows = zip(read[::2], read[1::2], strict=True)
    text = validation.answer(SimpleNamespace(by_eye=frame("n mismarked", *rows)))
    assert said in text and faults(text) == []


def test_accuracy_rises_over_quarters():
    def of(*ours):
        rows = [(RECOMPUTED, True), (RECOMPUTED, True), *((RUN, one) for one in ours)]
        return validation.rises(SimpleNamespace(comparison=frame("source monotone", *rows)))

    assert "in 2 of 2 published sets of answers; this run agrees." in of(True)
    assert of(False).endswith("this run does not.") and of(None).endswith("this run cannot tell.")
    assert of(True, False).endswith("for some of its models.")


def test_the_correction_tells_where_two_measures_put_a_model():
    def of(ratio, area):
        values = {"n": 4, "model": "m", "m_ratio": ratio, "auroc2": area}
        verdict = Verdict("c", Kind.PUBLISHED, "r", True, name="ranking", values=values)
        text = correction.answer(SimpleNamespace(verdicts=[verdict]))
        assert faults(text) == []
        return text

    assert "m comes last" in of(4, 1) and "wrong ones best" in of(4, 1)
    assert "both put m at place 4" in of(
        4, 4
    ) and "place 2 of the paper's models, by AUROC2 at place 3" in of(2, 3)


def test_published_ratios_are_counted():
    outside = [{"cell": "m on bank"}]
    lines = ((2, outside, "in 2 of 3 cells; not in m on bank."), (3, [], "in 3 of 3 cells."))
    for inside, rest, end in lines:
        verdicts = [
            exploratory("line", cells=3, inside=inside, outside=rest),
            exploratory("claim", cells=3, range=[0.8, 1.3], near=["m"]),
        ]
        assert correction.line(SimpleNamespace(verdicts=verdicts)).endswith(end)
        assert "1 of 3 lie within" in correction.near(SimpleNamespace(verdicts=verdicts))
    none = [exploratory(name, cells=0) for name in ("line", "claim")]
    assert "No cell" in correction.line(SimpleNamespace(verdicts=none))
    assert "no M-ratio" in correction.near(SimpleNamespace(verdicts=none))


def exploratory(name, passed=None, **values):
    return Verdict("c", Kind.EXPLORATORY, "r", passed, name=name, values=values)


def recovery_of(*verdicts):
    return SimpleNamespace(verdicts=verdicts)


def test_recovery_tells_what_an_m_ratio_cannot_say():
    ratios = [
        {"m_ratio": 0.8, "lowest": 0.1, "highest": 0.3},
        {"m_ratio": 1.0, "lowest": 0.2, "highest": 0.9},
    ]
    yes, no, none = (
        recovery.answer(recovery_of(exploratory("reading", passed, ratios=those)))
        for passed, those in ((True, ratios), (False, ratios), (None, []))
    )
    assert yes.startswith("An M-ratio of open answers is no efficiency: the same ratio")
    assert "efficiencies from 0.20 to 0.90." in yes and faults(yes) == []
    assert no.startswith("Not every M-ratio") and "cannot be told" in none
    assert faults(no) == faults(none) == []


def test_recovery_tells_what_moves_the_ratio():
    cut = {"low": 0.7, "high": 1.2}
    moved = recovery_of(exploratory("lossless", ranges={"unequal": [0.9, 1.1]}, cut=cut))
    assert recovery.lossless(moved).endswith(
        "from 0.90 to 1.10. Where the same answers are only cut into ratings at "
        "other places, that of one answerer runs from 0.70 to 1.20."
    )
    assert "No answerer" in recovery.lossless(recovery_of(exploratory("lossless", ranges={}, cut=None)))
    moves = [{"variant": "lapses", "up": [0.1], "down": [0.4]}, {"variant": "other", "up": [0.1], "down": []}]
    way = recovery_of(exploratory("falling", falls=[]), exploratory("direction", moves=moves))
    assert (
        "with no loss tried." in recovery.directions(way)
        and way
        and recovery.directions(way).endswith("with lapses.")
    )
    near = {"levels": 0.01, "tails": 0.9}
    told = recovery.claimed(recovery_of(exploratory("claim", near=near, off={"levels": 0.2, "tails": 0.4})))
    assert "in 1 of 2 kinds of simulated answerers (few levels)" in told and "in 0 (none)" in told


def test_recovery_tells_what_follows_efficiency():
    counts = [exploratory("outcomes", measure=m, n=9, order=n) for m, n in (("m_ratio", 2), ("auroc2", 8))]
    assert recovery.compared(recovery_of(*counts)).endswith("by M-ratio in 2 and AUROC2 in 8.")
    seen = {"efficiency": [1.0, 0.25], "seen": ["auroc2"]}
    assert "AUROC2 see it" in recovery.hidden(recovery_of(exploratory("same table", False, **seen)))
    assert "no measure sees it" in recovery.hidden(recovery_of(exploratory("same table", True, **seen)))
