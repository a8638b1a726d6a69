"""Is it only the surface? The chapter's rules and sentences, with answerers in place of the trials."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metacog.studies.study import Result
from metacog.studies.study1_qa import answer_surface, surface
from metacog.studies.study1_qa.answer_surface import ALL, SURFACE
from metacog.verdicts.outcomes import ALL as EVERY
from metacog.verdicts.outcomes import outcomes, those, together
from metacog.verdicts.rules import Unit

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
from surface_controls import STATE_ONLY, SURFACE_ONLY, WORDS

FEWER = {"n_resamples": 60, "n_permutations": 60}


@pytest.fixture(autouse=True)
def small_table(monkeypatch) -> None:
    """The words that the answerers use."""
    for module in (surface, answer_surface):
        monkeypatch.setattr(module, "word_table", lambda: WORDS)


def examined(rows, **options) -> Result:
    return Result(surface.examine(rows, **FEWER, **options))


def trials(*observers) -> pd.DataFrame:
    asked = [o.trials(700, i, model=f"m{i}", temperatures=(0.1, 1.0)) for i, o in enumerate(observers)]
    return pd.concat(asked, ignore_index=True)


def test_of_readers_of_the_surface_the_chapter_says_so() -> None:
    told = examined(trials(SURFACE_ONLY, SURFACE_ONLY)).outcomes
    assert together(told, "most") is False and together(told, "most_of_all") is False
    assert together(told, "rest") is not True and together(told, "rest_of_all") is not True
    assert surface.standing(told) == "little"


def test_of_models_that_know_their_answers_the_chapter_says_so() -> None:
    result = examined(trials(STATE_ONLY, STATE_ONLY))
    assert [together(result.outcomes, rule) for rule in surface.RULES] == [True] * 4
    assert surface.standing(result.outcomes) == "most"
    rows = result.left[(result.left["temperature"] == 1) & (result.left["control"] == SURFACE)]
    told = surface.figures(result)
    assert (
        told["alone_least"] == 100 * rows["alone"].min() and told["alike_most"] == 100 * rows["alike"].max()
    )


def test_the_rules_speak_of_each_model() -> None:
    told = examined(trials(SURFACE_ONLY, STATE_ONLY)).outcomes
    assert together(told, "most") is False and surface.standing(told) == "mixed"
    models = {holds: [unit.split()[0] for unit in those(told, "most", holds)] for holds in (False, True)}
    assert models == {False: ["m0", "m0"], True: ["m1", "m1"]}


def test_one_model_alone_has_no_rule_on_others() -> None:
    result = examined(trials(STATE_ONLY))
    assert set(result.outcomes["rule"]) == {"rest", "most"} and (result.left["n_others"] == 0).all()
    assert ALL not in set(result.left["control"])


def test_a_small_run_is_not_judged() -> None:
    result = examined(trials(STATE_ONLY), verdicts=False)
    assert result.outcomes is None and surface.figures(result)["standing"] == "too small"


def test_what_cannot_be_judged_stays_open() -> None:
    asked = trials(STATE_ONLY, STATE_ONLY)
    never = asked.assign(correct=asked["correct"] & (asked["model"] == "m0"))
    told = examined(never).outcomes
    assert all(together(told, rule) is None for rule in surface.RULES)
    assert "m1" in {unit.split()[0] for rule in surface.RULES for unit in those(told, rule, None)}
    nothing = examined(asked.assign(correct=False))
    assert surface.standing(told) == surface.standing(nothing.outcomes) == "open"


def told(rule: str, *holds: bool | None) -> pd.DataFrame:
    return outcomes(
        rule, [Unit(f"m{i}", one, "" if one is not None else "why") for i, one in enumerate(holds)]
    )


@pytest.mark.parametrize(
    ("most", "rest", "expected"),
    [
        ((True, True), (True,), "most"),
        ((False,), (None,), "little"),
        ((True, False), (True,), "mixed"),
        ((False, None), (True,), "mixed"),
        ((True, None), (True,), "some"),
        ((None,), (None,), "open"),
    ],
)
def test_the_answer_follows_the_rules(most, rest, expected) -> None:
    narrow = [told("most", *most), told("rest", *rest)]
    assert surface.standing(pd.concat(narrow)) == expected
    broad = [told("most_of_all", None), told("rest_of_all", None)]
    assert surface.standing(pd.concat([*narrow, *broad])) == "open"  # the broadest control decides


def test_outcomes_are_about_the_lowest_temperature_and_the_reference() -> None:
    asked = [STATE_ONLY.trials(120, 1, temperatures=(t,)) for t in (0.3, 0.7, 1.5)]
    result = examined(pd.concat(asked))
    assert (result.lowest, result.highest) == (0.3, 0.7)
    units = set(result.outcomes["unit"]) - {EVERY}
    assert {unit.split()[-1] for unit in units} == {"0.3", "0.7"}
    assert np.isfinite(result.floor) and result.n_words == len(WORDS.zipf)
