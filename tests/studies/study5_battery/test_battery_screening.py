"""The validity screen of KEEP and BET. Oracles: the deltas of the study, and counts of the published table."""

from types import SimpleNamespace

import pytest

from metacog.measures.screen import screen
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE
from metacog.studies.study5_battery.screening import screening
from metacog.studies.study5_battery.screening_shown import VIEWS


@pytest.fixture(scope="module")
def result():
    return screening(SimpleNamespace())


def test_every_model_is_screened_on_the_items_that_cannot_be_declined(result):
    for rows in (result.keep, result.bet):
        assert (
            set(rows["model"]) == set(MODELS.values())
            and (rows["n"] == 452).all()
            and (rows["left_out"] == 0).all()
        )


def test_rbs_is_the_delta_turned_round(result):
    rows = load()
    rows = rows[rows["track"].isin(RETROSPECTIVE)]
    for probe, made in (("keep", result.keep), ("bet", result.bet)):
        rates = rows.groupby(["model", "correct"])[probe].mean().unstack()
        delta = (rates[True] - rates[False])[made["model"]].to_numpy()
        assert made["RBS"].to_numpy() == pytest.approx(-delta)


def test_few_models_break_a_rule_by_each_probe_and_many_are_not_judged(result):
    broken = result.keep[result.keep["broken"] != ""].set_index("model")["broken"].to_dict()
    kept = {"DeepSeek R1": "Fp", "Gemini 3.1 Pro": "L", "Qwen 80B Think": "L"}
    assert broken == kept
    assert result.keep["tier"].value_counts().to_dict() == {"valid": 12, "insufficient data": 8}
    bets = result.bet[result.bet["broken"] != ""].set_index("model")["broken"].to_dict()
    others = {"GPT-5.4 nano": "Fp", "Gemini 2.5 Flash": "L", "Gemma 3 12B": "Fp", "Qwen 80B Think": "L"}
    assert bets == {"DeepSeek R1": "Fp, RBS", **others}


def test_refusals_that_are_logged_as_wrong_turn_no_signal_round(result):
    """DeepSeek R1 kept 71 refusals of T6, which the files log as wrong answers."""
    kept = result.keep.set_index("model").loc["DeepSeek R1"]
    assert kept["wrong_high"] == 0 and kept["wrong_low"] == 6 and -0.06 < kept["RBS"] < 0 < kept["RBS_upper"]
    assert screen(load(), confidence="keep").set_index("model").at["DeepSeek R1", "RBS_lower"] > 0.7


def test_models_that_break_a_rule_and_those_that_are_not_judged_are_counted(result):
    def told(rows):
        return VIEWS[0].sentences["keep_said"](SimpleNamespace(keep=rows))

    assert "3 break a" in told(result.keep) and "8 have" in told(result.keep)
    fine = result.keep.assign(broken="", tier="valid")
    assert "none break a" in told(fine) and "none have" in told(fine)
