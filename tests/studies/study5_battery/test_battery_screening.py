"""The validity screen of KEEP. Oracles: the deltas of the study, and counts of the published table."""

from types import SimpleNamespace

import pytest

from metacog.measures.screen import screen
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE
from metacog.studies.study5_battery.screening import figures, screening


@pytest.fixture(scope="module")
def keep():
    return screening(SimpleNamespace())["keep"]


def test_every_model_is_screened_on_the_items_that_cannot_be_declined(keep):
    assert set(keep["model"]) == set(MODELS.values())
    assert (keep["n"] == 452).all() and (keep["left_out"] == 0).all()


def test_rbs_is_the_delta_turned_round(keep):
    rows = load()
    rows = rows[rows["track"].isin(RETROSPECTIVE)]
    rates = rows.groupby(["model", "correct"])["keep"].mean().unstack()
    delta = (rates[True] - rates[False])[keep["model"]].to_numpy()
    assert keep["RBS"].to_numpy() == pytest.approx(-delta)


def test_few_models_break_a_rule_and_many_are_not_judged(keep):
    broken = keep[keep["broken"] != ""].set_index("model")["broken"].to_dict()
    assert broken == {"DeepSeek R1": "Fp", "Gemini 3.1 Pro": "L", "Qwen 80B Think": "L"}
    assert keep["tier"].value_counts().to_dict() == {"valid": 12, "insufficient data": 8}


def test_refusals_that_are_logged_as_wrong_turn_no_signal_round(keep):
    """DeepSeek R1 kept 71 refusals of T6, which the files log as wrong answers."""
    kept = keep.set_index("model").loc["DeepSeek R1"]
    assert kept["wrong_high"] == 0 and kept["wrong_low"] == 6 and -0.06 < kept["RBS"] < 0 < kept["RBS_upper"]
    assert screen(load(), confidence="keep").set_index("model").at["DeepSeek R1", "RBS_lower"] > 0.7


def test_models_that_break_a_rule_and_those_that_are_not_judged_are_counted(keep):
    assert figures(SimpleNamespace(keep=keep)) == {"n_models": 20, "n_broken": 3, "n_few": 8}
    fine = figures(SimpleNamespace(keep=keep.assign(broken="", tier="valid")))
    assert fine == {"n_models": 20, "n_broken": 0, "n_few": 0}
