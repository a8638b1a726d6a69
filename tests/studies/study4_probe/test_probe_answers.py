"""Answers of study 4's pages follow their data. Oracles: the print, and small tables changed by hand."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.studies.study4_probe.published import figures, shown
from metacog.studies.study4_probe.published.analysis import audit
from metacog.studies.study4_probe.replication.answer import in_full as answer_of_run
from metacog.studies.study4_probe.replication.answer import page_answer as head_of_run


def test_the_answer_on_the_print_counts_what_follows():
    result = audit(None)
    found = shown.page_answer(result)
    assert (
        "do not all agree" in found and "of 9 scores of one task 1 follows" in found and faults(found) == []
    )
    whole = dataclasses.replace(
        result, sweep=result.sweep.assign(follows=True), tests=result.tests.assign(sizes_ci="24")
    )
    fine = shown.page_answer(whole)
    assert "The printed figures agree" in fine and "all 9 scores" in fine and faults(fine) == []


def test_a_model_has_one_colour_in_every_figure_of_the_page():
    result = audit(None)
    lines = {line.get_label(): line.get_color() for line in figures.profiles(result).figure.axes[0].lines}
    axis = figures.tests(result).figure.axes[0]
    names = [t.get_text() for t in axis.get_yticklabels()]
    marks = [line for line in axis.lines if line.get_marker() not in ("", "None", None)]
    assert {name: mark.get_color() for name, mark in zip(names, marks, strict=True)} == lines
    of_no_model = {line.get_color() for line in figures.thresholds(result).figure.axes[0].lines}
    assert not of_no_model & set(lines.values())


def run_of(ends, p, rho, note=("", "")):
    """Two models on T1-CC, and one correlation with steadiness each."""
    t1 = pd.DataFrame(
        {
            "model": ["X", "Y"],
            "task": "T1-CC",
            "note": note,
            "lower": [e[0] for e in ends],
            "upper": [e[1] for e in ends],
            "p": p,
            "items": 24,
            "right": 12,
        }
    )
    return SimpleNamespace(profile=t1, steady=pd.DataFrame({"rho": rho, "p": p}))


def test_the_answer_on_the_run_counts_models_or_says_what_would_settle_it():
    found = answer_of_run(run_of([(60, 90), (40, 90)], [0.01, 0.4], [0.5, 0.5]))
    assert (
        "goes with being right in 1 of 2 models" in found
        and "1 of 2 cases" in found
        and "against" not in found
    )
    against = answer_of_run(run_of([(10, 40), (40, 90)], [0.01, 0.4], [-0.5, 0.5]))
    assert (
        "in 0 of 2 models" in against and "runs against it in 1" in against and "in 0 of 2 cases" in against
    )
    open_ = answer_of_run(run_of([(60, 90), (40, 90)], [0.2, np.nan], [0.5, np.nan]))
    assert open_.startswith(
        "Whether stated confidence follows what a model knows cannot be told from 24 items: to tell"
    )
    assert "50% right" in open_ and "does not vary" not in open_


def test_confidence_that_never_varies_is_no_matter_of_the_number_of_items():
    ends, flat = [(50, 50), (40, 90)], "one confidence throughout"
    alone = answer_of_run(run_of(ends, [np.nan] * 2, [np.nan] * 2, (flat, "no confidence read")))
    assert alone.startswith("Stated confidence does not vary on T1-CC in X, so it cannot show")
    assert "not the reason. Of Y no confidence could be read on T1-CC, so nothing can be told." in alone
    assert "takes about" not in alone and "the number of items is not the reason" in alone
    unread = answer_of_run(run_of(ends, [np.nan] * 2, [np.nan] * 2, ("no confidence read",) * 2))
    assert unread.startswith("Of X and Y no confidence could be read") and "vary" not in unread
    one = answer_of_run(run_of(ends, [np.nan, 0.4], [np.nan] * 2, (flat, "")))
    assert "cannot be told from 24 items: to tell" in one and "In X it does not vary, and" in one


@pytest.mark.parametrize(
    ("ends", "note", "said"),
    [
        ([(60, 90), (55, 90)], ("", ""), "in 2 of 2 models."),
        ([(10, 40), (60, 90)], ("", ""), "in 1 of 2 models, and against it in some"),
        ([(40, 90), (40, 90)], ("", ""), "cannot be told from 24 items."),
        ([(50, 50), (40, 90)], ("one confidence throughout", "no confidence read"), "it never varies"),
    ],
)
def test_the_head_on_the_run_follows_its_intervals(ends, note, said):
    head = head_of_run(run_of(ends, [0.01, 0.01], [0.5, 0.5], note))
    assert said in head and faults(head) == []
