"""Confidence beyond the surface of answers, by model and temperature."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metacog.measures.model_items import SILENT
from metacog.sdt import InputError
from metacog.studies.study1_qa import answer_surface
from metacog.studies.study1_qa.answer_surface import (
    ALL,
    CONTROLS,
    LEFT_COLUMNS,
    LENGTH,
    OTHERS,
    RARITY,
    SURFACE,
    surface_controls,
)

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
from surface_controls import STATE_ONLY, SURFACE_ONLY, WORDS

FEWER = {"n_resamples": 60, "n_permutations": 60}


@pytest.fixture(scope="module", autouse=True)
def small_table():
    """The words that the answerers use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answer_surface, "word_table", lambda: WORDS)
        yield


@pytest.fixture(scope="module")
def two() -> pd.DataFrame:
    """A reader of the surface, and a model that gives its answers with another's confidence."""
    one = SURFACE_ONLY.trials(400, 1, model="ruler", temperatures=(1.0, 0.1))
    other = STATE_ONLY.trials(400, 2, model="knower", temperatures=(1.0, 0.1))
    return pd.concat([one, other], ignore_index=True)


@pytest.fixture(scope="module")
def found(two: pd.DataFrame):
    return surface_controls(two, **FEWER)


def test_there_is_a_row_for_each_model_temperature_and_control(two, found) -> None:
    assert tuple(found.columns) == LEFT_COLUMNS
    assert list(found["control"]) == list(CONTROLS) * 4
    order = found[["model", "temperature"]].drop_duplicates().to_numpy().tolist()
    assert order == [["ruler", 0.1], ["ruler", 1.0], ["knower", 0.1], ["knower", 1.0]]
    assert (found["n_others"] == 1).all() and (found["n_left_out"] == 0).all()


def test_each_control_takes_what_it_is_about(found) -> None:
    rows = found.set_index(["model", "temperature", "control"]).sort_index()
    for temperature in (0.1, 1.0):
        ruler, knower = (rows.loc[(name, temperature)] for name in ("ruler", "knower"))
        assert ruler.loc[SURFACE, "alike_lower"] < 0.5 < ruler.loc[SURFACE, "alike_upper"]
        assert ruler.loc[LENGTH, "alike"] > 0.55 and ruler.loc[RARITY, "alike"] > 0.55
        assert ruler.loc[OTHERS, "alike"] == pytest.approx(ruler.loc[OTHERS, "auroc2"], abs=0.03)
        assert (knower["alike_lower"] > 0.55).all()


def test_another_models_confidence_is_a_control() -> None:
    one = STATE_ONLY.trials(600, 3, model="one")
    echo = one.assign(model="echo", nlp=one["nlp"] + 0.01 * np.random.default_rng(4).normal(size=600))
    rows = surface_controls(pd.concat([one, echo]), **FEWER).set_index(["model", "control"])
    assert rows.loc[("one", SURFACE), "alike_lower"] > 0.55
    assert abs(rows.loc[("one", OTHERS), "alike"] - 0.5) < 0.06
    assert rows.loc[("one", ALL), "share_upper"] < 0.4


def test_without_other_models_their_controls_are_not_there(two) -> None:
    alone = surface_controls(two[two["model"] == "ruler"], **FEWER)
    assert set(alone["control"]) == {LENGTH, RARITY, SURFACE} and (alone["n_others"] == 0).all()


def test_answers_without_confidence_are_left_out_and_counted(two) -> None:
    gone = (two["model"] == "knower") & (two["temperature"] == 1.0) & (two["question_id"] < "q0020")
    rows = surface_controls(two.assign(nlp=two["nlp"].mask(gone)), **FEWER)
    at_one = rows[rows["temperature"] == 1.0]
    assert (at_one["n"] == 380).all() and (at_one["n_left_out"] == 20).all()
    assert (rows.loc[rows["temperature"] == 0.1, "n"] == 400).all()


def test_a_model_that_answered_other_questions_is_none_of_the_others(two) -> None:
    few = two[(two["model"] == "ruler") | (two["question_id"] < "q0100")]
    rows = surface_controls(few, **FEWER).set_index("model")
    assert (rows.loc["ruler", "n_others"] == 0).all() and (rows.loc["knower", "n_others"] == 1).all()


def test_nothing_to_estimate_is_said(two) -> None:
    silent = two[two["model"] == "ruler"].assign(nlp=np.nan)
    made = surface_controls(silent, **FEWER)
    assert (made["flag"] == SILENT).all()
    assert (made["n"] == 0).all() and (made["n_left_out"] == 400).all()


def test_bad_input_is_refused(two) -> None:
    with pytest.raises(InputError, match="no column n_tokens"):
        surface_controls(two.drop(columns="n_tokens"), **FEWER)
    with pytest.raises(InputError, match="no trials"):
        surface_controls(two.iloc[:0], **FEWER)
    with pytest.raises(InputError, match="1 trials repeat"):
        surface_controls(pd.concat([two, two.iloc[:1]]), **FEWER)
