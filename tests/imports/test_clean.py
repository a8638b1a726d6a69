"""Rows become trials or are dropped with a reason. Oracle: hand-made tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation, check_pooled, clean
from metacog.imports.mapping import Columns
from metacog.measures.given import Given
from metacog.trials import validate

ROLES = Columns(correct="ok", confidence="sure", model="llm", question_id="q")


def table(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {"ok": rng.integers(0, 2, n), "sure": rng.random(n).round(3), "llm": "m", "q": np.arange(n)}
    )


def cleaned(frame: pd.DataFrame, columns: Columns = ROLES, **options) -> tuple[pd.DataFrame, Validation]:
    report = Validation("test.csv", "table")
    return clean(frame, columns, report, **options), report


def test_trials_fit_the_house_schema():
    trials, report = cleaned(table())
    validate(trials)
    assert report.n_read == report.n_used == len(trials) == 60
    assert trials["study"].unique().tolist() == ["import"]
    np.testing.assert_array_equal(trials["confidence"], table()["sure"])
    np.testing.assert_array_equal(trials["correct"], table()["ok"] == 1)


def test_drops_are_counted_by_reason():
    frame = table().astype({"ok": object})
    frame.loc[0, "ok"] = None
    frame.loc[1, "sure"] = np.nan
    frame.loc[2, "sure"] = np.inf
    frame.loc[3, "llm"] = " "
    trials, report = cleaned(frame)
    assert report.dropped == {
        "no correctness": 1,
        "confidence is missing, infinite or not a number": 2,
        "no model": 1,
    }
    assert len(trials) == 56
    assert not {"0", "1", "2", "3"} & set(trials["question_id"])


@pytest.mark.parametrize(
    "values",
    [
        [1, 0],
        [True, False],
        ["yes", "No"],
        ["C", "I"],
        ["correct", "incorrect"],
        ["1.0", "0.0"],
        ["PASS", "fail"],
        ["Correct", "Error"],
    ],
)
def test_spellings_of_correct(values):
    assert Given().correctness(pd.Series(values, name="x")).tolist() == [True, False]


def test_an_error_beside_a_word_for_wrong_is_not_taken_for_one():
    with pytest.raises(MetacogError, match="hold error"):
        Given().correctness(pd.Series(["correct", "incorrect", "error"], name="x"))


def test_scores_need_a_threshold():
    scores = pd.Series([0.2, 0.7, np.nan], name="f1")
    with pytest.raises(MetacogError, match="not binary.*--correct-threshold"):
        Given().correctness(scores)
    assert Given().correctness(scores, 0.5).tolist() == [False, True, pd.NA]
    with pytest.raises(MetacogError, match="recode it as 0 and 1"):
        Given().correctness(pd.Series(["partly", "yes"], name="x"))
    with pytest.raises(MetacogError, match="needs numbers"):
        Given().correctness(pd.Series(["partly", "yes"], name="x"), 0.5)


@pytest.mark.parametrize(
    ("values", "scale", "expected", "probability"),
    [
        ([0.0, 0.5, 1.0], "auto", "probability", [0.0, 0.5, 1.0]),
        ([-2.0, -0.5, 0.0], "auto", "logprob", np.exp([-2.0, -0.5, 0.0])),
        ([1, 4, 7], "auto", "score", [np.nan] * 3),
        ([0, 50, 100], "auto", "score", [np.nan] * 3),
        ([0, 50, 100], "percent", "percent", [0.0, 0.5, 1.0]),
        (["0%", "50 %", "100%"], "auto", "percent", [0.0, 0.5, 1.0]),
        ([0.2, 0.5, 0.7], "score", "score", [np.nan] * 3),
    ],
)
def test_scale_of_confidence(values, scale, expected, probability):
    made = Given(scale=scale).confidence(pd.Series(values, name="sure"))
    assert made.scale == expected
    np.testing.assert_allclose(made.probability, probability)


@pytest.mark.parametrize(
    ("values", "scale", "words"),
    [
        (["high", "low"], "auto", "is no confidence"),
        ([np.nan, np.inf], "auto", "no finite number"),
        ([0.5, 1.5], "probability", "no probability"),
        ([-1.0, 0.5], "logprob", "no logprob"),
        ([None, None], "auto", "is empty"),
    ],
)
def test_what_is_no_confidence(values, scale, words):
    with pytest.raises(MetacogError, match=words):
        Given(scale=scale).confidence(pd.Series(values, name="sure"))


def test_named_errors_of_whole_files():
    with pytest.raises(MetacogError, match="10 usable trials of 10 rows: at least 30"):
        cleaned(table(10))
    with pytest.raises(MetacogError, match="confidence is 0.9 in all 60 trials"):
        cleaned(table().assign(sure=0.9))
    mixed = table().assign(llm=["a", "b"] * 30)
    with pytest.raises(MetacogError, match="'llm' holds 2 models, but --model was not given"):
        check_pooled(mixed, Columns(correct="ok", confidence="sure"), pool=False)
    check_pooled(mixed, Columns(correct="ok", confidence="sure"), pool=True)


def test_repeats_of_a_question_get_their_own_seed():
    trials, _ = cleaned(pd.concat([table(), table()], ignore_index=True))
    assert trials.groupby("question_id")["seed"].apply(sorted).tolist() == [[0, 1]] * 60


def test_bad_temperature_is_dropped():
    frame = table().assign(t=0.7)
    frame.loc[:2, "t"] = [-1.0, np.nan, np.inf]
    roles = Columns(correct="ok", confidence="sure", temperature="t", question_id="q")
    trials, report = cleaned(frame.drop(columns="llm"), roles)
    assert list(report.dropped.values()) == [3] and "temperature" in next(iter(report.dropped))
    assert trials["temperature"].unique().tolist() == [0.7]
