"""Answers that go on into another question; the counts are those of an attack on the book with code of its own."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, mannwhitneyu
from stub_engine import StubEngine

from metacog.collect import jobs
from metacog.collect.plan import make_plan
from metacog.collect.questions import Question, load_questions
from metacog.collect.reading import read_replies
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.core.paths import project_root
from metacog.engines import next_question
from metacog.engines.base import Generation
from metacog.studies import get_study
from metacog.studies.study1_qa import marks_by_eye
from metacog.studies.study1_qa.asking.collections import RepeatedDraws, wrong_answers
from metacog.studies.study1_qa.asking.marking import PAPER
from metacog.trials import loosely_right, scored

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
    return PAPER.mark(row.text + row.ran_on, [row.matched_alias]).correct


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
    uncut = answers[answers["ran_on"] == ""]
    assert (uncut["right_whole"] == loosely_right(uncut)).all() and (uncut["match"] == "near").sum() == 6


def test_log_probabilities_end_at_the_mark_without_the_models_file(answers):
    cut = answers[answers["ran_on"] != ""]
    assert np.isfinite(cut["nlp"]).all() and (cut["n_tokens"] > 0).all()
    berlin = cut[cut["text"].str.strip() == "Berlin"].iloc[0]
    assert berlin["n_tokens"] == 1 and berlin["nlp"] == berlin["sum_logprob"] > -0.1


def test_further_draws_are_cut_too(read):
    draws = read("draws").trials
    assert (draws["ran_on"] != "").sum() == 84 and len(draws) == 1600
    assert (~draws["right_whole"]).sum() == 729 and (loosely_right(draws) & ~draws["right_whole"]).sum() == 57


def test_forced_decoding_leaves_out_answers_that_read_otherwise_now(read, answers):
    reading = read("forced")
    ran_on = set(answers.loc[answers["ran_on"] != "", "question_id"])
    right = set(answers.loc[answers["correct"], "question_id"])
    assert not ran_on & set(reading.trials["question_id"]), "their scores are those of the whole text"
    assert not right & set(reading.trials["question_id"])
    assert set(reading.diverged) <= ran_on and reading.unasked == ()
    assert len(reading.trials) + len(reading.diverged) == reading.n_items < 300


def test_the_wrong_answers_drawn_are_those_drawn_when_answers_were_marked_whole():
    about = {"temperature": 1.0, "text": " x", "answer": "x", "n_tokens": 1, "match": "none", "ran_on": ""}
    rows = pd.DataFrame({"question_id": [f"q{i}" for i in range(40)], "question_index": range(40)})
    rows = rows.assign(**about, **dict.fromkeys(("refusal", "correct", "right_whole"), False))
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


@pytest.fixture(scope="module")
def everyone(read):
    """Open answers of every model of the reference run."""
    models = load_profile("reference").models
    return pd.concat([read("open", model).trials for model in models], ignore_index=True)


def drawn(trials):
    """Answers at T = 1 to be read, 60 of each model and mark by the paper's rule, or all if there are fewer."""
    at_one = trials[trials["temperature"] == 1].sort_values(["model", "question_id"])
    found = []
    for _, own in at_one.groupby([at_one["model"], loosely_right(at_one)]):
        picked = np.random.default_rng(42).choice(len(own), min(60, len(own)), replace=False)
        found.append(own.iloc[np.sort(picked)])
    return pd.concat(found, ignore_index=True)


def committed(name):
    return pd.read_csv(project_root() / name, keep_default_na=False)


def test_the_answers_that_were_read_are_those_drawn_of_each_model(everyone):
    picked, file = drawn(everyone), committed(marks_by_eye.FILE)
    assert set(file["model"]) == set(load_profile("reference").models)
    assert len(file) == 480 and set(file["judged"]) == {"right", "wrong"} and (file["reason"] != "").all()
    key = ["model", "question_id"]
    both = file.merge(picked, on=key, suffixes=("", "_drawn"), validate="one_to_one")
    assert len(both) == 480 and (both["answer"] == both["text"].str.strip()).all()
    assert (both["marked"] == np.where(loosely_right(both), "right", "wrong")).all()


def test_every_answer_that_similarity_makes_right_was_read(everyone):
    """The 216 are those that an attack on the book counted; PAPER marks the stored texts again here."""
    accepted = {q.id: q.accepted for q in load_questions("bank")}
    marks = [PAPER.mark(r.text, accepted[r.question_id]).match for r in everyone.itertuples()]
    alike = everyone[np.array(marks) == "similar"].assign(answer=lambda t: t["text"].str.strip())
    assert set(alike["match"]) == {"similar", "near"} and len(alike) == 216
    file = committed(marks_by_eye.SIMILAR)
    both = alike.merge(file, on=["model", "question_id", "answer"], validate="many_to_one", how="outer")
    assert len(both) == 216 and both[["judged", "reason", "text"]].notna().all(axis=None)
    assert both["judged"].value_counts().to_dict() == {"right": 151, "wrong": 57, "unclear": 8}
    assert set(file["marked"]) == {"right"} and (file["reason"] != "").all()
    drawn = committed(marks_by_eye.FILE).merge(file, on=["model", "question_id", "answer"])
    assert len(drawn) == 8 and (drawn["judged_x"] == drawn["judged_y"]).all(), "read twice, judged alike"


def test_the_books_rule_lets_fewer_wrong_answers_pass_than_the_papers(everyone):
    """Oracle: counts by hand, of the committed judgements and of marks made again."""
    table = marks_by_eye.rules_compared(everyone).set_index(["read", "rule"])
    paper, book = (
        table.loc[marks_by_eye.BY_SIMILARITY, rule] for rule in (marks_by_eye.PAPERS, marks_by_eye.BOOKS)
    )
    assert (paper["let_pass"], paper["lost"], paper["n"], paper["unclear"]) == (57, 0, 208, 8)
    assert (book["let_pass"], book["lost"]) == (19, 10)
    assert paper["right_of_passed"] == pytest.approx(151 / 208) and paper["passed_of_right"] == 1
    assert book["right_of_passed"] == pytest.approx(141 / 160) and book["passed_of_right"] == pytest.approx(
        141 / 151
    )
    paper, book = (
        table.loc[marks_by_eye.BY_SEED, rule] for rule in (marks_by_eye.PAPERS, marks_by_eye.BOOKS)
    )
    assert (paper["let_pass"], paper["lost"], book["let_pass"], book["lost"], book["n"]) == (1, 6, 0, 7, 480)
    one = everyone[everyone["temperature"] == 1]
    right = one[loosely_right(one)].groupby("model").size()
    wrong_of_right = right["qwen2.5-coder-0.5b"] / 60 / right.sum()
    assert paper["right_of_passed"] == pytest.approx(1 - wrong_of_right) and book["right_of_passed"] == 1
    none = marks_by_eye.rules_compared(everyone.assign(text="another answer", match="exact"))
    assert (none["n"] == 0).all() and none[["right_of_passed", "passed_of_right"]].isna().all(axis=None)


def test_what_the_books_rule_changes_is_counted_beside_the_papers(everyone):
    table = marks_by_eye.changes(scored(everyone)).set_index("model")
    names = ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "smollm2-135m", "gemma3-270m"]
    assert table["n_changed"].to_dict() == dict(zip(names, (6, 3, 0, 3), strict=True))
    for model, own in everyone[(everyone["temperature"] == 1) & everyone["nlp"].notna()].groupby("model"):
        row = table.loc[model]
        for which, right in (("", own["correct"]), ("_paper", loosely_right(own))):
            assert row[f"accuracy{which}"] == pytest.approx(right.mean())
            above = mannwhitneyu(own["nlp"][right], own["nlp"][~right]).statistic
            assert row[f"auroc2{which}"] == pytest.approx(above / (right.sum() * (~right).sum()))
    same = table.loc["smollm2-135m"]
    assert (
        same["m_ratio"] == same["m_ratio_paper"] and (table["m_ratio"] != table["m_ratio_paper"]).sum() == 3
    )


def test_marks_are_held_against_what_the_reader_judged(read):
    """Of 60 answers right by the paper's rule, the book's marks one wrong: a stray letter behind it."""
    trials = read("open").trials
    table = marks_by_eye.mismarked(trials).set_index("marked")
    assert table["n"].to_dict() == {"right": 59, "wrong": 61}
    assert table["mismarked"].to_dict() == {"right": 0, "wrong": 4}
    assert ((table["lower"] <= table["share"]) & (table["share"] <= table["upper"])).all()
    low, high = binomtest(4, 61).proportion_ci(method="wilson")
    assert table.loc["wrong", ["lower", "upper"]].tolist() == pytest.approx([low, high])
    other = marks_by_eye.mismarked(trials.assign(text="another answer"))
    assert other.empty


def test_a_token_that_the_table_lacks_is_not_guessed():
    plan = make_plan(QA, "open", load_profile("reference"), QWEN, "bank", limit=1)
    known = next_question.pieces_of(plan.entry.sha256)
    assert known([19846]) is not None and known([19846, 10**9]) is None
    assert next_question.pieces_of(None)([1]) is None
