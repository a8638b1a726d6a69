"""Answers that go on into another question; the counts are those of an attack on the book with code of its own."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from stub_engine import StubEngine

from metacog.collect import jobs
from metacog.collect.plan import make_plan
from metacog.collect.questions import Question
from metacog.collect.reading import read_replies
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.core.paths import project_root
from metacog.engines import thinking
from metacog.engines.base import Generation
from metacog.studies import get_study
from metacog.studies.study1_qa import validation
from metacog.studies.study1_qa.asking.collections import RepeatedDraws, wrong_answers
from metacog.studies.study1_qa.asking.marking import MARKING

QA, QWEN = get_study("study1_qa"), "qwen2.5-coder-1.5b"


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Trials of the reference run's pack."""
    runs = tmp_path_factory.mktemp("runs")

    def one(collection, model=QWEN):
        reading, _ = jobs.Target(
            QA, collection, load_profile("reference"), model, "bank", runs=runs, packed=True
        ).read()
        return reading

    return one


@pytest.fixture(scope="module")
def answers(read):
    trials = read("open").trials
    return trials[trials["temperature"] == 1]


def whole(row):
    return MARKING.mark(row.text + row.ran_on, [row.matched_alias]).correct


def test_answers_of_the_reference_run_are_cut_before_they_are_marked(answers):
    cut = answers[answers["ran_on"] != ""]
    assert len(cut) == 67 and len(answers) == 1304
    assert not cut["text"].str.contains("Q:").any() and cut["ran_on"].str.startswith("Q:").all()
    wrong_whole = int((~answers["right_whole"]).sum())
    keys = cut[(cut["match"] == "exact") & ~cut["right_whole"]]
    assert (wrong_whole, len(keys)) == (598, 36), (
        "the 37th key is right by its similarity with the mark behind it"
    )
    assert (cut["match"] == "exact").sum() == 37
    assert all(whole(row) == row.right_whole for row in cut[cut["correct"]].itertuples())


def test_log_probabilities_end_at_the_mark_without_the_models_file(answers):
    cut = answers[answers["ran_on"] != ""]
    assert np.isfinite(cut["nlp"]).all() and (cut["n_tokens"] > 0).all()
    berlin = cut[cut["text"].str.strip() == "Berlin"].iloc[0]
    assert berlin["n_tokens"] == 1 and berlin["nlp"] == berlin["sum_logprob"] > -0.1


def test_further_draws_are_cut_too(read):
    draws = read("draws").trials
    assert (draws["ran_on"] != "").sum() == 84 and len(draws) == 1600
    assert (~draws["right_whole"]).sum() == 729 and (draws["correct"] & ~draws["right_whole"]).sum() == 57


def test_forced_decoding_leaves_out_answers_that_read_otherwise_now(read, answers):
    reading = read("forced")
    ran_on = set(answers.loc[answers["ran_on"] != "", "question_id"])
    right = set(answers.loc[answers["correct"], "question_id"])
    assert not ran_on & set(reading.trials["question_id"]), "their scores are those of the whole text"
    assert not right & set(reading.trials["question_id"])
    assert set(reading.diverged) <= ran_on and reading.unasked == ()
    assert len(reading.trials) + len(reading.diverged) == reading.n_items < 300


def test_the_wrong_answers_drawn_are_those_drawn_when_answers_were_marked_whole():
    rows = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(40)],
            "question_index": range(40),
            "temperature": 1.0,
            "text": " x",
            "answer": "x",
            "n_tokens": 1,
            "refusal": False,
            "correct": False,
            "right_whole": False,
            "ran_on": "",
        }
    )
    before = wrong_answers(rows, 20, seed=1)
    rows.loc[:9, ["ran_on", "correct"]] = "Q: who", True
    after = wrong_answers(rows, 20, seed=1)
    assert list(after["question_id"]) == [q for q in before["question_id"] if int(q[1:]) > 9]
    rows.loc[:9, ["correct", "right_whole"]] = True
    assert len(wrong_answers(rows, 20, seed=1)) == 20, "what was right is not drawn from"


class RunsOn(StubEngine):
    """Writes an answer and goes on with a question."""

    written = " Vitamin Q: the film Q: Who is it?"

    def generation(self, prompt, seed):
        words = self.written.split(" ")[1:]
        ends, logprobs = [], [-0.25] * len(words)
        for word in words:
            ends.append((ends[-1] if ends else 0) + 1 + len(word))
        return Generation(
            self.written, (), tuple(logprobs), len(words), sum(logprobs), -0.1, False, 0, tuple(ends)
        )


@pytest.mark.parametrize(
    ("key", "text", "correct"),
    [("Vitamin Q: the film", " Vitamin Q: the film ", True), ("Vitamin", " Vitamin ", True)],
)
def test_a_key_that_holds_the_mark_is_not_cut(tmp_path, key, text, correct):
    plan = make_plan(QA, "draws", load_profile("reference"), "smollm2-135m", "bank", limit=4)
    items = tuple(dataclasses.replace(item, accepted=(key,)) for item in plan.items)
    assert isinstance(items[0], Question) and isinstance(plan.collection, RepeatedDraws)
    plan = dataclasses.replace(plan, items=items)
    collect(plan, tmp_path, engine=RunsOn(), progress=False)
    trials = read_replies([(plan, tmp_path)]).trials
    assert set(trials["text"]) == {text} and trials["correct"].all() == correct
    assert set(trials["n_tokens"]) == {len(text.split())} and np.allclose(trials["nlp"], -0.25)
    stored = pd.concat(pd.read_parquet(part) for part in tmp_path.glob("parts/*.parquet"))
    kept = [sample["text"] for reply in stored["reply"] for sample in json.loads(reply)["samples"]]
    assert set(kept) == {RunsOn.written}, "replies are stored whole"


def test_the_answers_that_were_read_are_those_drawn(read):
    models = ("smollm2-135m", "gemma3-270m", QWEN)
    trials = pd.concat([read("open", model).trials for model in models], ignore_index=True)
    picked = validation.drawn(trials)
    file = pd.read_csv(project_root() / validation.FILE, keep_default_na=False)
    assert len(file) == 360 and set(file["judged"]) == {"right", "wrong"} and (file["reason"] != "").all()
    key = ["model", "question_id"]
    both = file.merge(picked, on=key, suffixes=("", "_drawn"), validate="one_to_one")
    assert len(both) == 360 and (both["answer"] == both["text"].str.strip()).all()
    assert (both["marked"] == np.where(both["correct"], "right", "wrong")).all()


def test_marks_are_held_against_what_the_reader_judged(read):
    trials = read("open").trials
    table = validation.mismarked(trials).set_index("marked")
    assert table["n"].to_dict() == {"right": 60, "wrong": 60}
    turned = validation.mismarked(trials.assign(correct=~trials["correct"])).set_index("marked")
    assert (turned["mismarked"].to_numpy() == 60 - table["mismarked"].to_numpy()[::-1]).all()
    assert ((table["lower"] <= table["share"]) & (table["share"] <= table["upper"])).all()
    low, high = binomtest(int(table.loc["wrong", "mismarked"]), 60).proportion_ci(method="wilson")
    assert table.loc["wrong", ["lower", "upper"]].tolist() == pytest.approx([low, high])
    other = validation.mismarked(trials.assign(text="another answer"))
    assert other.empty


def test_a_token_that_the_table_lacks_is_not_guessed():
    plan = make_plan(QA, "open", load_profile("reference"), QWEN, "bank", limit=1)
    known = thinking.pieces_of(plan.entry.sha256)
    assert known([19846]) is not None and known([19846, 10**9]) is None
    assert thinking.pieces_of(None)([1]) is None
