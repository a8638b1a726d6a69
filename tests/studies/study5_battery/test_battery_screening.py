"""The validity screen of KEEP and BET. Oracles: the deltas of the study, and counts of the published table."""

from types import SimpleNamespace

import pytest

from metacog.studies.study5_battery.ledger.published import MODELS
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.screening.analysis import screening
from metacog.studies.study5_battery.screening.shown import VIEWS


@pytest.fixture(scope="module")
def result():
    return screening(SimpleNamespace())


def test_every_model_is_screened_on_all_items(result):
    for rows in (result.keep, result.bet):
        assert (
            set(rows["model"]) == set(MODELS.values())
            and (rows["n"] == 524).all()
            and (rows["left_out"] == 0).all()
        )


def test_rbs_is_the_delta_turned_round(result):
    rows = load()
    for probe, made in (("keep", result.keep), ("bet", result.bet)):
        rates = rows.groupby(["model", "correct"])[probe].mean().unstack()
        delta = (rates[True] - rates[False])[made["model"]].to_numpy()
        assert made["RBS"].to_numpy() == pytest.approx(-delta)


def test_three_models_break_a_rule_by_each_probe_and_seven_are_not_judged(result):
    broken = result.keep[result.keep["broken"] != ""].set_index("model")["broken"].to_dict()
    assert broken == {"DeepSeek R1": "Fp, RBS", "Gemini 3.1 Pro": "L", "Qwen 80B Think": "L"}
    assert result.keep["tier"].value_counts().to_dict() == {
        "valid": 11,
        "insufficient data": 7,
        "invalid": 1,
        "indeterminate": 1,
    }
    bets = result.bet[result.bet["broken"] != ""].set_index("model")["broken"].to_dict()
    assert bets == {"DeepSeek R1": "L, Fp, RBS", "GPT-5.4 nano": "Fp", "Gemma 3 12B": "Fp"}


def test_sentences_come_from_the_tables(result):
    for views in VIEWS:
        text = views.sentences["keep_found"](result)
        assert "Of 20 signals, 3 break" in text and "does not judge 7" in text
        assert "524 answers" in views.sentences["level"](result)
