"""The pilot of study 2. Oracles: rows worked by hand, and the committed decisions."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pandas as pd
import pytest

from metacog.collect.labelled import load_labelled
from metacog.collect.plan import settings_of
from metacog.core.config import load_profile
from metacog.studies import get_study

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import two_choice_pilot as pilot


@pytest.mark.parametrize(
    ("shares", "wanted"),
    [
        ({"a": 0.7, "b": 0.75}, "a"),  # both inside: the first
        ({"a": 0.9, "b": 0.65}, "b"),
        ({"a": 0.95, "b": 0.87}, "b"),  # none inside: the nearest to 0.75
        ({"a": 0.5, "b": 0.9, "c": 0.62}, "c"),
        ({"a": 0.85}, "a"),
    ],
)
def test_the_rule_takes_the_first_that_is_neither_too_easy_nor_too_hard(shares, wanted):
    assert pilot.chosen(shares) == wanted


def test_shares_are_of_the_candidates_sentences():
    """Oracle: counted by hand; the narrower set is of two kinds alone."""
    rows = pd.DataFrame(
        [("A", 1, "negation", True), ("A", 1, "irony", False), ("A", 1, "implied", True)]
        + [("C", n, "oral", n > 1) for n in pilot.DELETED],
        columns=["task", "n_deleted", "kind", "correct"],
    )
    shares = pilot.candidates(rows)
    assert shares["A"] == pytest.approx({"sentiment-hard": 2 / 3, "sentiment-hardest": 1 / 2})
    assert shares["C"] == {"1": 0.0, "2": 1.0, "3": 1.0}


def test_the_reference_profile_follows_the_committed_decisions():
    rows = pd.read_csv(pilot.OUT)
    shares = pilot.candidates(rows)
    stored = json.loads(pilot.OUT.with_suffix(".json").read_text(encoding="utf-8"))
    for task, of in shares.items():
        assert stored["share_right"][task] == pytest.approx(of, abs=5e-4)
        assert stored["chosen"][task] == pilot.chosen(of)
    settings = settings_of(get_study("study2_two_choice"), load_profile("reference"))
    assert settings.tasks["A"] == pilot.chosen(shares["A"])
    assert settings.n_deleted == int(pilot.chosen(shares["C"]))


def test_the_committed_decisions_are_about_no_sentence_of_the_run():
    """Oracle: the analysed sets' own ids, and the right answer worked from response and stimulus."""
    rows = pd.read_csv(pilot.OUT)
    ids = set(rows["id"].str.removesuffix("-the"))
    analysed = {one.id for name in ("sentiment-hard", "origin", "articles") for one in load_labelled(name)}
    asked = {one.id for name in ("sentiment-hard-pilot", "articles-pilot") for one in load_labelled(name)}
    assert not ids & analysed and ids <= asked
    sizes = rows.groupby(["task", "n_deleted"]).size().to_dict()
    assert sizes == {("A", 1): 48, **{("C", n): pilot.N_ARTICLES for n in pilot.DELETED}}
    assert (rows["correct"] == (rows["response"] == rows["stimulus"])).all()
    assert (rows.groupby(["task", "n_deleted"])["stimulus"].mean() == 0.5).all()
