"""Answers without confidence. Oracles: shares and marks counted by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from metacog.collect.confidence_signals import agreement
from metacog.core.errors import MetacogError
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, import_trials, load
from metacog.measures.table import Options
from metacog.studies import first_with
from metacog.trials import read_trials

MARKING = first_with("marking").marking
FEW = Options(n_resamples=100, n_permutations=100)
ROLES = Columns(correct="right", model="llm", question_id="asked", answer="said")


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "asked": [f"Question {i % 30}?" for i in range(60)],
            "said": [f"answer {i % 30 if i % 3 else i}" for i in range(60)],
            "right": rng.integers(0, 2, 60),
            "gold": [f"answer {i % 45}|other" if i % 2 else f"reply {i}" for i in range(60)],
            "llm": [["alpha", "beta"][i % 30 // 15] for i in range(60)],
        }
    )


def imported(table, folder, columns, confidence=None, suffix="csv", **request):
    path = folder / f"answers.{suffix}"
    table.to_csv(path, index=False) if suffix == "csv" else table.to_json(path, orient="records", lines=True)
    columns = Columns(**{**columns.named(), **({"confidence": confidence} if confidence else {})})
    return load(path, Request(columns, options=FEW, **request))


@pytest.mark.parametrize(
    ("answer", "others", "share"),
    [
        ("Paris", ["paris", "The answer is Paris", "Rome", "Lyon"], 0.5),
        ("Rome", ["Paris", "Lyon"], 0.0),
        ("Shakespeare", ["Shakespear", "Shakspear", "Marlowe"], 2 / 3),
        ("I don't know", ["Sorry, no idea.", "Paris"], 0.5),
        ("", ["", "Paris"], math.nan),
        ("Paris", [], math.nan),
    ],
)
def test_agreement_by_the_marking_rule(answer, others, share):
    found = agreement(answer, others, MARKING.same)
    assert found == pytest.approx(share, nan_ok=True)


def test_agreement_goes_by_chains_whatever_their_order():
    links = {("a", "b"), ("b", "c"), ("d", "e")}

    def same(one, other):
        return (one, other) in links or (other, one) in links

    for others in (["b", "c", "d"], ["c", "b", "d"], ["d", "c", "b"]):
        assert agreement("a", others, same) == pytest.approx(2 / 3)
    assert agreement("a", ["c", "d"], same) == 0  # nothing links them here


def test_confidence_is_the_share_of_the_models_other_answers(tmp_path):
    said = {"a": ["Paris", "paris", "Rome", "Paris"], "b": ["Rome", "Oslo", "Lyon", "Bern"]}
    rows = [
        {"llm": model, "item": item, "said": text, "right": int(text.lower() == "paris")}
        for item in range(10)
        for model, texts in said.items()
        for text in texts
    ]
    rows.append({"llm": "a", "item": 99, "said": "Paris", "right": 1})
    rows.append({"llm": "b", "item": 0, "said": "", "right": 0})
    roles = Columns(correct="right", model="llm", question_id="item", answer="said")
    trials, report = imported(pd.DataFrame(rows), tmp_path, roles, "agreement")
    shares = trials[trials["model"] == "a"].groupby("text")["confidence"].unique().map(list).to_dict()
    assert shares == {"Paris": [pytest.approx(2 / 3)], "paris": [pytest.approx(2 / 3)], "Rome": [0.0]}
    assert (trials.loc[trials["model"] == "b", "confidence"] == 0).all()
    assert sorted(report.dropped.values()) == [1, 1]
    assert (report.computed["fewest"], report.computed["most"]) == (3, 4)
    assert len(trials) == 80


def test_answers_are_marked_against_the_key(table, tmp_path):
    roles = Columns(key="gold", model="llm", answer="said", confidence="sure")
    marked = table.assign(sure=np.linspace(0, 1, 60), right=0)
    marked.loc[[4, 5], "said"] = ["I don't know", ""]
    marked.loc[6, "gold"] = None
    trials, report = imported(marked, tmp_path, roles)
    assert report.dropped == {"no correctness": 1} and len(trials) == 59
    expected = [
        MARKING.mark(row["said"], str(row["gold"]).split("|"))
        for row in marked.drop(index=6).to_dict("records")
    ]
    assert trials["correct"].tolist() == [mark.correct for mark in expected]
    assert trials["match"].tolist() == [mark.match for mark in expected]
    assert report.computed["marks"]["refusal"] == 1 and report.computed["marks"]["empty"] == 1
    assert sum(report.computed["marks"].values()) == 59 and report.computed["signal"] == ""


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_numbers_and_words_that_look_like_nothing_are_answers(tmp_path, suffix):
    rows = pd.DataFrame(
        {
            "item": range(40),
            "said": [
                ["42", "None", "NA", "7.5"][i % 4] if suffix == "csv" else [42.0, 7.5][i % 2]
                for i in range(40)
            ],
            "gold": [
                ["42", "none", "Na", "7"][i % 4] if suffix == "csv" else [42, 7][i % 2] for i in range(40)
            ],
            "sure": np.linspace(0, 1, 40),
        }
    )
    roles = Columns(key="gold", answer="said", question_id="item", confidence="sure")
    trials, _ = imported(rows, tmp_path, roles, suffix=suffix)
    right = [True, True, True, False] if suffix == "csv" else [True, False, True, False]
    assert trials["correct"].tolist() == right * 10
    assert trials["text"].unique().tolist() == (
        ["42", "None", "NA", "7.5"] if suffix == "csv" else ["42", "7.5"]
    )


def test_a_choice_that_is_called_like_an_article_is_marked_too(tmp_path):
    made = pd.DataFrame(
        {"item": range(60), "said": ["A", "B", " a "] * 20, "gold": ["A", "A", "A", "B", "B", "B"] * 10}
    )
    made.assign(sure=np.arange(60) / 60).to_csv(tmp_path / "letters.csv", index=False)
    roles = Columns(key="gold", answer="said", question_id="item", confidence="sure")
    trials, _ = load(tmp_path / "letters.csv", Request(roles, options=FEW))
    assert trials["correct"].tolist() == [True, False, True, False, True, False] * 10


def test_a_key_may_be_a_list(table, tmp_path):
    said = [["Paris", "lyon", "Rome"][i // 11 % 3] for i in range(60)]
    listed = table.assign(said=said, gold=[["Paris", "Lyon"]] * 60)
    roles = Columns(key="gold", model="llm", question_id="asked", answer="said")
    trials, _ = imported(listed, tmp_path, roles, "agreement", suffix="jsonl")
    assert trials["correct"].tolist() == [text != "Rome" for text in said]


def test_columns_that_are_called_like_ours_are_no_trouble(table, tmp_path):
    renamed = table.rename(columns={"asked": "text", "said": "match", "right": "answer", "llm": "key"})
    roles = Columns(correct="answer", model="key", question_id="text", answer="match")
    plain, _ = imported(table, tmp_path, ROLES, "agreement")
    trials, report = imported(renamed, tmp_path, roles, "agreement")
    assert trials["confidence"].tolist() == plain["confidence"].tolist()
    assert trials["text"].tolist() == table["said"].tolist() and (trials["match"] == "given").all()
    assert report.mapping == {"correct": "answer", "model": "key", "question_id": "text", "answer": "match"}


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        (dict(question_id=None), "--question-id is needed"),
        (dict(question_id="prompt"), "no column 'prompt' for --question-id"),
        (dict(correct=None, answer=None), "--correct is needed"),
        (dict(key="gold"), "--correct and --key exclude each other"),
        (dict(answer="empty"), "column 'empty' is empty in all 60 rows"),
        (dict(correct=None, key="empty"), "no key to mark against"),
        (dict(correct="gold"), "column 'gold' is not binary"),
        (dict(model=None), "holds 2 models, but --model was not given"),
        (dict(question_id="each"), "no question has several answers"),
    ],
)
def test_errors_are_short(table, tmp_path, roles, words):
    named = {k: v for k, v in {**ROLES.named(), **roles}.items() if v is not None}
    given = table.assign(empty="", each=range(60), model=table["llm"])
    with pytest.raises(MetacogError, match=words) as error:
        imported(given, tmp_path, Columns(**named), "agreement")
    assert len(str(error.value)) < 600


def test_a_column_of_a_signals_name_is_still_a_column(table, tmp_path):
    given = table.assign(agreement=np.linspace(0, 1, 60))
    roles = Columns(correct="right", model="llm", question_id="asked")
    trials, report = imported(given, tmp_path, roles, "agreement", repeats="keep")
    assert trials["confidence"].tolist() == given["agreement"].tolist() and report.computed is None


def test_a_scale_is_not_named_for_a_signal(table, tmp_path):
    with pytest.raises(MetacogError, match="leave --confidence-scale out"):
        imported(table, tmp_path, ROLES, "agreement", scale="percent")


def test_an_import_keeps_what_was_computed(table, tmp_path):
    path = tmp_path / "answers.csv"
    table.to_csv(path, index=False)
    columns = Columns(**{**ROLES.named(), "confidence": "agreement"})
    made = import_trials(path, tmp_path / "out", Request(columns, options=FEW), page=False)
    facts = json.loads((tmp_path / "out" / "import.json").read_text())
    assert facts["validation"]["computed"]["signal"] == "agreement" and facts["options"]["clustered"]
    assert len(read_trials(tmp_path / "out" / "trials.parquet")) == 60 == len(made.trials)
