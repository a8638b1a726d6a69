"""Answers of study 4's pages follow their data. Oracles: the print, and small tables changed by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.studies.study import Result
from metacog.studies.study4_probe import published
from metacog.studies.study4_probe.replication import page_answer, settling, sure_and_wrong


def test_the_head_on_the_print_counts_what_follows():
    result = Result(published.audit(None))
    whole = Result({**result, "sweep": result.sweep.assign(follows=True)})
    cases = [
        ("No: of 9", result),
        ("none follow", Result({**result, "sweep": result.sweep.assign(follows=False)})),
        ("Yes,", Result({**whole, "tests": result.tests.assign(sizes_ci="24")})),
        ("Not all", whole),
    ]
    for said, one in cases:
        head = published.page_answer(one)
        assert said in head and faults(head) == [], head


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
        }
    )
    return SimpleNamespace(profile=t1)


@pytest.mark.parametrize(
    ("ends", "note", "said"),
    [
        ([(60, 90), (55, 90)], ("", ""), "Yes: stated confidence goes with being right in 2 of 2 models."),
        (
            [(10, 40), (60, 90)],
            ("", ""),
            "is shown to go with being right in 1 of 2 models, and against it in others.",
        ),
        (
            [(10, 40), (40, 90)],
            ("", ""),
            "No: stated confidence is shown to go against being right in 1 of 2",
        ),
        ([(40, 90), (40, 90)], ("", ""), "cannot be told from 24 items."),
        ([(50, 50), (50, 50)], (FLAT, FLAT), "always say the same"),
        (
            [(50, 50), (40, 90)],
            (FLAT, "no confidence read"),
            "stated confidence never varies, or could not be read",
        ),
        ([(60, 90)], ("",), "Yes: stated confidence goes with being right in X."),
        ([(10, 40)], ("",), "is shown to go against being right in X."),
        (
            [(40, 90)],
            ("",),
            "the confidence that X states goes with being right cannot be told from 24 items.",
        ),
        ([(50, 50)], (FLAT,), "X always says the same"),
        ([(50, 50)], ("no confidence read",), "that X states never varies, or could not be read"),
    ],
)
def test_the_head_on_the_run_follows_its_intervals(ends, note, said):
    head = page_answer(run_of(ends, 0.01, note))
    assert said in head and faults(head) == []


@pytest.mark.parametrize(
    ("p", "note", "said", "unsaid"),
    [
        ([0.2, np.nan], ("", ""), "More than 24 items: to tell", "No number"),
        ([np.nan, np.nan], (FLAT, "no confidence read"), "No number of items for X and Y", "More than"),
        ([np.nan, 0.4], (FLAT, ""), "No number of items for X:", "Y"),
    ],
)
def test_what_would_settle_it_is_no_number_of_items_where_confidence_never_varies(p, note, said, unsaid):
    told = settling(run_of([(50, 50), (40, 90)], p, note))
    assert said in told and unsaid not in told


def test_sure_and_wrong_answers_are_counted_among_the_wrong_ones():
    rows = pd.DataFrame({"task": "T4-CR", "right": [True, False, False, False], "stated": [100, 98, 90, 40]})
    rows["model"] = ["X", "X", "X", "Y"]
    assert "90 or more for 2 of their 3 wrong answers" in sure_and_wrong(SimpleNamespace(audit=rows))
    alone = sure_and_wrong(SimpleNamespace(audit=rows.assign(model="X")))
    assert "X stated 90 or more for 2 of its 3 wrong answers" in alone
    assert "none of their 3" in sure_and_wrong(SimpleNamespace(audit=rows.assign(stated=50)))
    assert sure_and_wrong(SimpleNamespace(audit=rows.assign(right=True))).endswith("none was wrong.")
