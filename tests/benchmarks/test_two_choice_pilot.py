"""The pilot of study 2. Oracles: rows worked by hand, and the committed decisions."""

from __future__ import annotations

import json

import pandas as pd
import pytest
import two_choice_pilot as pilot

from metacog.collect.plan import settings_of
from metacog.collect.questions import load_labelled
from metacog.core.config import load_profile
from metacog.studies import get_study


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
    """Oracle: counted by hand; a narrower set has two kinds alone, a joined one is weighed by its sizes."""
    hard = [("A, hard", "negation", True), ("A, hard", "irony", False), ("A, hard", "implied", True)]
    several = [(pilot.batch_of(*one), "oral", one == (5, "any")) for one in pilot.DELETED]
    rows = pd.DataFrame([*hard, ("A, plain", "mixed", True), *several], columns=["batch", "kind", "correct"])
    shares = pilot.candidates(rows)
    joined = (232 * 1 + 192 * 2 / 3) / 424
    assert list(shares["A"].values()) == pytest.approx([2 / 3, 1 / 2, joined])
    assert list(shares["C"].values()) == [0.0, 0.0, 0.0, 0.0, 1.0]
    first = pilot.candidates(rows[rows["batch"].isin(["A, hard", "C, 1 the"])])
    assert len(first["A"]) == 2 and list(first["C"]) == ["C, 1 the"]


def test_a_joined_set_is_weighed_by_what_is_banked():
    for name in ("sentiment-hard", "sentiment-varied"):
        sizes, _ = pilot.SETS[name]
        assert sum(sizes.values()) == len(load_labelled(name))


def test_the_reference_profile_follows_the_committed_decisions():
    rows = pd.read_csv(pilot.OUT)
    shares = pilot.candidates(rows)
    stored = json.loads(pilot.OUT.with_suffix(".json").read_text(encoding="utf-8"))
    for task, of in shares.items():
        assert stored["share_right"][task] == pytest.approx(of, abs=5e-4)
        assert stored["chosen"][task] == pilot.chosen(of)
    settings = settings_of(get_study("study2_two_choice"), load_profile("reference"))
    assert settings.tasks["A"] == pilot.chosen(shares["A"])
    assert pilot.batch_of(settings.n_deleted, settings.deleted) == pilot.chosen(shares["C"])


def test_the_committed_decisions_are_about_no_sentence_of_the_run():
    """Oracle: the analysed sets' own ids, and the right answer worked from response and stimulus."""
    rows = pd.read_csv(pilot.OUT)
    ids = set(rows["id"].str.removesuffix("-the"))
    settings = settings_of(get_study("study2_two_choice"), load_profile("reference"))
    analysed = {one.id for name in settings.tasks.values() for one in load_labelled(name)}
    pilots = ("sentiment-hard-pilot", "sentiment-pilot", "articles-pilot")
    asked = {one.id for name in pilots for one in load_labelled(name)}
    assert not ids & analysed and ids <= asked
    several = {pilot.batch_of(*one): pilot.N_ARTICLES for one in pilot.DELETED}
    assert rows.groupby("batch").size().to_dict() == {"A, hard": 48, "A, plain": 20, **several}
    assert (rows["correct"] == (rows["response"] == rows["stimulus"])).all()
    assert (rows.groupby("batch")["stimulus"].mean() == 0.5).all()
