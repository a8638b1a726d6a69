"""What thinking changes, on one scale. Oracle: tables made by hand."""

import numpy as np
import pandas as pd
import pytest

from metacog.measures.two_conditions import COLUMNS, in_hundred
from metacog.studies.shared import thinking
from metacog.studies.study import Result


def effects(of, signal, **pairs):
    known = pd.DataFrame({"auroc2": pairs.values()})
    known = known.assign(auroc2_lower=known["auroc2"] - 0.01, auroc2_upper=known["auroc2"] + 0.01)
    return in_hundred(known, list(pairs), of=of, signal=signal)


def compared(**sets):
    inputs = type("Inputs", (), {"across": lambda self: {name: Result(one) for name, one in sets.items()}})()
    return thinking.thinking_compared.function(inputs)


def test_a_change_is_told_in_pairs_of_a_hundred_and_what_is_missing_is_missing():
    made = effects("set", "signal", one=0.25)
    assert list(made) == list(COLUMNS) and made.loc[0, ["pairs", "pairs_upper"]].tolist() == [25, 26]
    assert made[["equal", "beyond", "right"]].isna().all(axis=None)


def test_models_that_two_sets_asked_stand_together_and_means_have_their_names():
    words, _, number, _ = thinking.SIGNALS
    first = effects("a", words, **{"Qwen3-8B": -0.2, "else": -0.1})
    second = effects("b", number, **{"Qwen3-8B": 0.1})
    means = pd.DataFrame(
        [{"signal": words, "n": 2, "pairs": -15.0, "pairs_lower": -16.0, "pairs_upper": -14.0}]
    )
    found = Result(compared(x={"effects": first, "means": means}, y={"effects": second}))
    assert found.twice["set"].tolist() == ["a", "b"]
    told = thinking.numbers(found)
    assert (told["words_n"], told["words_fell"], told["stated_rose"]) == (2, 2, 1)
    assert (told["eight_words"], told["eight_stated"], told["words_auroc2"]) == pytest.approx(
        (-20, 10, -0.15)
    )
    assert np.isnan(told["next_keeps"]) and np.isnan(told["stated_pairs"])


def test_a_run_of_no_study_has_numbers_that_are_missing():
    told = thinking.numbers(Result(compared()))
    assert told["words_n"] == 0 and np.isnan(told["deep_keeps_lower"])
