"""Marks that another rule would turn. Oracle: by hand, at the thresholds of the robustness checks."""

import pandas as pd

from metacog.studies.study1_qa.asking.shown_trials import place, turned


def test_marks_between_the_thresholds_hang_on_the_rule():
    trials = pd.DataFrame(
        {
            "match": ["similar", "similar", "none", "none", "exact", "refusal"],
            "similarity": [0.87, 0.90, 0.84, 0.79, 1.0, 0.82],
        }
    )
    assert turned(trials).tolist() == ["stricter", "", "looser", "", "", ""]
    assert turned(trials.drop(columns="similarity")).tolist() == [""] * 6
    assert place(trials.assign(draw=range(6))).tolist() == list("012345") and set(place(trials)) == {"0"}
