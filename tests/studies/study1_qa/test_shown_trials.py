"""Marks that another rule would turn. Oracle: by hand, at the thresholds of the robustness checks."""

import pandas as pd

from metacog.studies.study1_qa.asking.shown_trials import place, turned


def test_marks_between_the_thresholds_hang_on_the_rule():
    trials = pd.DataFrame(
        {
            "match": ["similar", "similar", "none", "none", "exact", "refusal", "near", "none"],
            "similarity": [0.87, 0.90, 0.84, 0.79, 1.0, 0.82, 0.87, 0.84],
            "answer": ["x"] * 7 + ["x 2"],
            "matched_alias": ["x"] * 7 + ["x 1"],
            "dataset": "bank",
        }
    )
    assert turned(trials).tolist() == ["stricter", "", "looser", "", "", "", "", ""]
    paper = turned(trials.assign(dataset="triviaqa"))
    assert paper.tolist()[-1] == "looser", "the paper's rule has regard to letters alone"
    assert turned(trials.drop(columns="similarity")).tolist() == [""] * 8
    assert place(trials.assign(draw=range(8))).tolist() == list("01234567") and set(place(trials)) == {"0"}
