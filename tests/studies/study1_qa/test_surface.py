"""Is it only the surface? The chapter's rules and sentences, with answerers in place of the trials."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.studies.study1_qa import answer_surface, luck_shown, surface
from metacog.studies.study1_qa.answer_surface import ALL, SURFACE
from metacog.verdicts.verdict import Verdict

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
from surface_controls import STATE_ONLY, SURFACE_ONLY, WORDS

FEWER = {"n_resamples": 60, "n_permutations": 60}


@pytest.fixture(autouse=True)
def small_table(monkeypatch) -> None:
    """The words that the answerers use."""
    for module in (surface, answer_surface):
        monkeypatch.setattr(module, "word_table", lambda: WORDS)


def trials(*observers) -> pd.DataFrame:
    asked = [o.trials(700, i, model=f"m{i}", temperatures=(0.1, 1.0)) for i, o in enumerate(observers)]
    return pd.concat(asked, ignore_index=True)


def test_of_readers_of_the_surface_the_chapter_says_so() -> None:
    result = surface.examine(trials(SURFACE_ONLY, SURFACE_ONLY), **FEWER)
    outcome = {v.name: v.passed for v in result.verdicts}
    assert outcome["most"] is False and outcome["most_of_all"] is False
    assert outcome["rest"] is not True and outcome["rest_of_all"] is not True
    assert result.outcome == "little"


def test_of_models_that_know_their_answers_the_chapter_says_so() -> None:
    result = surface.examine(trials(STATE_ONLY, STATE_ONLY), **FEWER)
    assert all(v.passed for v in result.verdicts) and len(result.verdicts) == 4
    assert result.outcome == "most"
    row = result.left[(result.left["temperature"] == 1) & (result.left["control"] == SURFACE)].iloc[0]
    assert all(f"{100 * row[name]:.0f} %" in luck_shown.beyond_surface(result) for name in ("alone", "alike"))


def test_the_rules_speak_of_each_model() -> None:
    result = surface.examine(trials(SURFACE_ONLY, STATE_ONLY), **FEWER)
    most = next(v for v in result.verdicts if v.name == "most")
    assert most.passed is False and result.outcome == "mixed"
    told = {how: [unit.split()[0] for unit in most.values[how]] for how in ("refuted", "shown")}
    assert told == {"refuted": ["m0", "m0"], "shown": ["m1", "m1"]}


def test_one_model_alone_has_no_rule_on_others() -> None:
    result = surface.examine(trials(STATE_ONLY), **FEWER)
    assert {v.name for v in result.verdicts} == {"rest", "most"} and result.n_others == 0
    assert ALL not in set(result.left["control"])


def test_a_small_run_draws_no_verdict() -> None:
    result = surface.examine(trials(STATE_ONLY), verdicts=False, **FEWER)
    assert result.verdicts == () and result.outcome == surface.TOO_SMALL


def test_what_cannot_be_judged_stays_open() -> None:
    asked = trials(STATE_ONLY, STATE_ONLY)
    never = asked.assign(correct=asked["correct"] & (asked["model"] == "m0"))
    result = surface.examine(never, **FEWER)
    assert all(v.passed is None for v in result.verdicts)
    assert "m1" in {name.split()[0] for v in result.verdicts for name, _ in v.undecided}
    nothing = surface.examine(asked.assign(correct=False), **FEWER)
    assert result.outcome == nothing.outcome == "open"
    assert faults(luck_shown.beyond_surface(nothing)) == [] and "%" not in luck_shown.beyond_surface(nothing)


@pytest.mark.parametrize("outcome", luck_shown.BEGINNINGS)
def test_every_answer_is_short(outcome) -> None:
    row = {"temperature": 1.0, "control": SURFACE, "alone": 0.66, "alike": 0.8}
    text = luck_shown.beyond_surface(SimpleNamespace(outcome=outcome, highest=1.0, left=pd.DataFrame([row])))
    assert text.startswith(luck_shown.BEGINNINGS[outcome]) and faults(text) == []


def verdict(name: str, passed: bool | None, shown_=(), refuted=(), undecided=()) -> Verdict:
    values = {"shown": list(shown_), "refuted": list(refuted)}
    return Verdict("S", surface.Kind.EXPLORATORY, "r", passed, name=name, values=values, undecided=undecided)


@pytest.mark.parametrize(
    ("most", "rest", "expected"),
    [
        (verdict("most", True, "ab"), verdict("rest", True), "most"),
        (verdict("most", False, (), "ab"), verdict("rest", None), "little"),
        (verdict("most", False, "a", "b"), verdict("rest", True), "mixed"),
        (verdict("most", False, (), "a", (("b", "w"),)), verdict("rest", True), "mixed"),
        (verdict("most", None, "a", (), (("b", "w"),)), verdict("rest", True), "some"),
        (verdict("most", None, (), (), (("b", "w"),)), verdict("rest", None), "open"),
    ],
)
def test_the_answer_follows_the_rules(most, rest, expected) -> None:
    assert surface.outcome([rest, most]) == expected
    broad = verdict("most_of_all", None, (), (), (("b", "w"),)), verdict("rest_of_all", None)
    assert surface.outcome([rest, most, *broad]) == "open"  # the broadest control decides
    assert surface.outcome([]) == "open"


def test_verdicts_are_about_the_lowest_temperature_and_the_reference() -> None:
    asked = [STATE_ONLY.trials(120, 1, temperatures=(t,)) for t in (0.3, 0.7, 1.5)]
    result = surface.examine(pd.concat(asked), **FEWER)
    assert (result.lowest, result.highest) == (0.3, 0.7)
    units = {
        n for v in result.verdicts for n in (*v.values["shown"], *v.values["refuted"], *dict(v.undecided))
    }
    assert {unit.split()[-1] for unit in units} == {"0.3", "0.7"}
    assert np.isfinite(result.floor) and result.n_words == len(WORDS.zipf)
