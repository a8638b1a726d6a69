"""One column an option. Oracle: argmax and softmax in numpy."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, load

N, LETTERS = 80, "ABCD"
RNG = np.random.default_rng(11)
PROBS = np.round(RNG.dirichlet([0.7] * 4, N), 6)
KEY = RNG.integers(0, 4, N)
LOGPROBS = np.log(PROBS + 1e-4)
RIGHT = PROBS.argmax(axis=1) == KEY


def softmax_max(values):
    parts = np.exp(values - values.max(axis=1, keepdims=True))
    return (parts / parts.sum(axis=1, keepdims=True)).max(axis=1)


def columns_of(values, name="prob_{}", options=LETTERS):
    return {name.format(option): values[:, i] for i, option in enumerate(options)}


def imported(tmp_path, table, confidence, form="csv", **roles):
    path = tmp_path / f"t.{form}"
    if form == "csv":
        table.to_csv(path, index=False)
    elif form == "parquet":
        table.to_parquet(path)
    else:
        path.write_text(json.dumps(table.to_dict("records")))
    return load(path, Request(Columns(confidence=confidence, **roles)))


FORMS = {
    "columns": (columns_of(PROBS), "prob_*"),
    "columns with an ending": (columns_of(PROBS, "p({})"), "p(*)"),
    "nested": ({"probs": [dict(zip(LETTERS, row, strict=True)) for row in PROBS.tolist()]}, "probs.*"),
    "lists": ({"out": [{"probs": row} for row in PROBS.tolist()]}, "out.probs.*"),
}
KEYS = {
    "letters": [LETTERS[k] for k in KEY],
    "small letters": [LETTERS[k].lower() for k in KEY],
    "from 0": KEY,
    "from 1": KEY + 1,
    "lists": [[LETTERS[k]] for k in KEY],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("key", KEYS)
def test_confidence_is_the_greatest_and_correctness_whether_it_is_the_key(tmp_path, form, key):
    made, name = FORMS[form]
    table = pd.DataFrame({**made, "gold": KEYS[key]})
    trials, report = imported(tmp_path, table, name, "json", key="gold")
    np.testing.assert_allclose(trials["confidence"], PROBS.max(axis=1))
    assert trials["correct"].tolist() == RIGHT.tolist()
    assert "4 options (" in report.notes[0]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tables_of_other_forms(tmp_path, form):
    table = pd.DataFrame({**columns_of(PROBS), "gold": KEYS["letters"]})
    np.testing.assert_allclose(
        imported(tmp_path, table, "prob_*", form, key="gold")[0]["confidence"], PROBS.max(axis=1)
    )
    if form == "parquet":
        lists = pd.DataFrame({"probs": PROBS.tolist(), "gold": KEY})
        trials, _ = imported(tmp_path, lists, "probs.*", form, key="gold")
        assert trials["correct"].tolist() == RIGHT.tolist()


@pytest.mark.parametrize(
    ("write", "named"), [*product((json.dumps, str), (True, False)), (lambda row: str(np.array(row)), False)]
)
def test_lists_and_objects_that_are_text_in_a_cell(tmp_path, write, named):
    """As a data frame writes them to a CSV."""
    rows = [dict(zip(LETTERS, row, strict=True)) if named else row for row in PROBS.tolist()]
    table = pd.DataFrame({"probs": [write(row) for row in rows], "gold": KEYS["letters"]})
    trials, _ = imported(tmp_path, table, "probs.*", key="gold")
    np.testing.assert_allclose(trials["confidence"], PROBS.max(axis=1), rtol=1e-6)
    assert trials["correct"].tolist() == RIGHT.tolist()


def test_log_probabilities_become_shares(tmp_path):
    table = pd.DataFrame({**columns_of(LOGPROBS, "lp.{}"), "gold": KEYS["letters"]})
    trials, report = imported(tmp_path, table, "lp.*", key="gold")
    np.testing.assert_allclose(trials["confidence"], softmax_max(LOGPROBS))
    assert trials["correct"].tolist() == RIGHT.tolist() and "softmax" in report.notes[0]


def test_the_answer_that_was_given_has_its_own_number(tmp_path):
    said = RNG.integers(0, 4, N)
    table = pd.DataFrame({**columns_of(PROBS), "said": [LETTERS[s] for s in said], "gold": KEYS["letters"]})
    table.loc[:4, "said"] = "none"
    trials, report = imported(tmp_path, table, "prob_*", answer="said", key="gold")
    np.testing.assert_allclose(trials["confidence"], PROBS[np.arange(5, N), said[5:]])
    assert trials["correct"].tolist() == (said == KEY)[5:].tolist()
    assert list(report.dropped.values()) == [5]


def test_correctness_that_is_in_the_file_stays(tmp_path):
    table = pd.DataFrame({**columns_of(PROBS), "right": KEY % 2})
    assert (
        imported(tmp_path, table, "prob_*", correct="right")[0]["correct"].tolist() == (KEY % 2 == 1).tolist()
    )


def test_questions_of_fewer_options(tmp_path):
    """Options that a question does not have are empty, as in MMLU-Pro's three to ten."""
    rows = [
        {"p": dict(zip(LETTERS[: 2 + i % 3], PROBS[i], strict=False)), "gold": "AB"[i % 2]} for i in range(N)
    ]
    best = np.array([PROBS[i][: 2 + i % 3].argmax() for i in range(N)])
    trials, _ = imported(tmp_path, pd.DataFrame(rows), "p.*", "json", key="gold")
    np.testing.assert_allclose(trials["confidence"], [PROBS[i][best[i]] for i in range(N)])
    assert trials["correct"].tolist() == (best == np.arange(N) % 2).tolist()


def test_equal_options_are_counted(tmp_path):
    flat = np.tile([0.25, 0.25, 0.3, 0.2], (N, 1))
    flat[:9] = [0.4, 0.4, 0.1, 0.1]
    table = pd.DataFrame({**columns_of(flat), "gold": KEYS["letters"]})
    _, report = imported(tmp_path, table, "prob_*", key="gold")
    assert "in 9 rows two have the greatest" in report.notes[0]


@pytest.mark.parametrize(
    ("table", "name", "words"),
    [
        ({"gold": ["Paris"] * N}, "prob_*", "'paris', which is none of the options A, B, C, D"),
        ({"gold": [1, 2] * (N // 2)}, "prob_*", "does not show whether the first is 0 or 1"),
        ({"gold": KEY}, "chance_*", "fits none of the columns.*prob_A, prob_B"),
        ({"probs": PROBS.tolist(), "gold": KEY}, "probs", r"holds 4 values a row: .*'probs\.\*'"),
    ],
)
def test_what_does_not_fit_is_told(tmp_path, table, name, words):
    with pytest.raises(MetacogError, match=words):
        imported(tmp_path, pd.DataFrame(columns_of(PROBS) | table), name, "json", key="gold")


def test_the_mean_of_a_list_of_token_log_probabilities(tmp_path):
    tokens = [list(-RNG.random(1 + i % 7)) for i in range(N)]
    table = pd.DataFrame({"tokens": tokens, "right": KEY % 2})
    trials, _ = imported(tmp_path, table, "tokens.mean", "json", correct="right")
    np.testing.assert_allclose(trials["nlp"], [np.mean(one) for one in tokens])
