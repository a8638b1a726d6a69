"""Answers of study 4's pages follow their data. Oracles: the print, and small tables changed by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.studies.study import Result
from metacog.studies.study4_probe import published
from metacog.studies.study4_probe.replication import figures
from metacog.verdicts.needed import about, answers_for_area

FLAT = "one confidence throughout"


def run_of(ends, p, note=("", "")):
    """Two models on T1-CC, or one."""
    t1 = pd.DataFrame(
        {
            "model": ["X", "Y"][: len(ends)],
            "task": "T1-CC",
            "note": note,
            "lower": [e[0] for e in ends],
            "upper": [e[1] for e in ends],
            "p": p,
            "items": 24,
            "right": 12,
            "unread": [1, 4][: len(ends)],
        }
    )
    gate = pd.DataFrame({"model": ["X", "Y"], "task": "T4-CR", "wrong": [2, 1], "caught": [0, 1]})
    return SimpleNamespace(profile=t1, gate=gate)


@pytest.mark.parametrize(
    ("ends", "note", "said"),
    [
        ([(60, 90), (55, 90)], ("", ""), (2, 2, 0, "none")),
        ([(10, 40), (60, 90)], ("", ""), (2, 1, 1, "none")),
        ([(10, 40), (40, 90)], ("", ""), (2, 0, 1, "none")),
        ([(50, 50), (40, 90)], (FLAT, ""), (1, 0, 0, "X")),
        ([(40, 90)], ("0 of 24 replies could be read",), (None, 0, 0, "X")),
        ([(50, 50), (40, 90)], (FLAT, "no confidence read"), (None, 0, 0, "X and Y")),
    ],
)
def test_models_whose_confidence_follows_and_those_that_no_number_of_items_would_judge(ends, note, said):
    found = figures(run_of(ends, 0.01, note))
    judged, *others = (found[name] for name in ("n_judged", "follows", "against", "stuck"))
    assert others == list(said[1:]) and (np.isnan(judged) if said[0] is None else judged == said[0])
    assert np.isnan(found["needed"]) if said[0] is None else found["needed"] == about(answers_for_area(0.5))


def test_sure_and_wrong_answers_and_replies_that_were_lost_are_counted():
    found = figures(run_of([(60, 90), (55, 90)], 0.01))
    names = ("sure", "wrong", "unread", "replies", "least_read")
    assert [found[name] for name in names] == [2, 3, 5, 48, "Y"]


def test_numbers_of_gap_people_and_versions_follow_the_print():
    result = Result(published.audit(None))
    found = published.figures(result)
    assert (found["flash_gap"], found["furthest"], found["first_and_last"]) == (47, 1, 1)
    assert (round(found["gap_least"], 1), round(found["gap_most"], 1)) == (46.7, 48.0)
    level = Result({**result, "leaderboard": result.leaderboard.assign(T4_CR=range(8))})
    assert published.figures(level)["first_and_last"] == 0
    assert found["people_behind"] == "48 to 55 and 57 to 63"
    fits = result.hypotheses.assign(behind=["60 to 70", "69", ""])
    assert published.figures(Result({**result, "hypotheses": fits}))["people_behind"] == ""
    assert (found["n_moved"], found["led_before"]) == (4, "Claude Opus 4.6")
    same = result.leaderboard.assign(v60=result.leaderboard["mean_T1_T2_T4_T5"])
    assert published.figures(Result({**result, "leaderboard": same}))["n_moved"] == 0
    assert (found["n_best"], found["n_single"], found["odd_benchmark"]) == (4, 5, "MMLU")
    followed = Result({**result, "external": result.external.assign(composite_15_slot_agrees=True)})
    assert published.figures(followed)["odd_benchmark"] == ""
    assert (found["sizes_ci"], found["n_sizes_ci"], found["n_p"]) == ("20", 8, 2)


def test_claims_stand_together_with_their_ends_and_what_became_of_them():
    told = Result(published.audit(None)).told
    of = told.set_index("claim")
    rho = of.loc["LLM-human task-rank correlation Spearman at N = 5: rho"]
    assert rho["printed"] == "0.70 (-0.48 to 0.98)" and rho["recomputed"] == "? (-0.4766 to 0.9782)"
    assert rho["outcome"] == "follows as far as can be told" and rho["section"] == "5.5"
    assert of.loc["people who took part: people", "outcome"] == "waits for data"
    only = of.loc[of.index.str.startswith("Sonnet is the only model")].iloc[0]
    assert tuple(only[["printed", "recomputed", "outcome"]]) == (
        "claimed",
        "does not hold",
        "does not follow",
    )
    assert not told["claim"].str.contains("T[1-5]-").any() and not told.duplicated(["section", "claim"]).any()
    assert (told["outcome"] == "does not follow").sum() > 10


def test_answers_that_fail_only_by_a_name_do_not_close_the_gap():
    """Oracle by hand: ten of twelve right, eleven at 100 and one at 95, less both penalties."""
    result = Result(published.audit(None))
    spread = np.std([100.0] * 11 + [95], ddof=1)
    brier = 100 * (1 - (2 + 0.05**2) / 12)
    wanted = brier - 20 * (1 - spread / 10) - 10 * (1 - 5 / 50)
    assert result.flash_known == pytest.approx(wanted)
    assert result.answers["marked"].value_counts().to_dict() == {
        "right": 8,
        "right but for the form of a name": 2,
        "wrong": 2,
    }
