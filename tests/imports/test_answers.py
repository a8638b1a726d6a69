"""Answers without confidence. Oracles: the stub engine's own scores, shares and marks counted by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from stub_engine import StubEngine

from metacog.collect.confidence_signals import agreement, is_it_right
from metacog.collect.plan import Loaded
from metacog.collect.prompts import load_prompt
from metacog.core.errors import MetacogError
from metacog.engines.capabilities import Capabilities
from metacog.imports.answers import Scoring
from metacog.imports.mapping import Columns
from metacog.imports.own_trials import computed_lines, validation_text
from metacog.imports.report import Request, import_trials, load
from metacog.measures.table import Options
from metacog.studies import first_with
from metacog.trials import read_trials

MODEL = "smollm2-135m"
MARKING = first_with("marking").marking
FEW = Options(n_resamples=100, n_permutations=100)
ROLES = Columns(correct="right", model="llm", question="asked", answer="said")


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "asked": [f"Question {i % 30}?" for i in range(60)],
            "said": [f"answer {i % 30 if i % 3 else i}" for i in range(60)],
            "right": rng.integers(0, 2, 60),
            "gold": [f"answer {i % 45}|other" if i % 2 else f"reply {i}" for i in range(60)],
            "llm": ["alpha"] * 30 + ["beta"] * 30,
        }
    )


class Models(Loaded):
    """Hands out stub engines and counts what they were asked."""

    def __init__(self, **options):
        self.engines = []

        def opener(entry, settings):
            self.engines.append(StubEngine(**options))
            return self.engines[-1]

        super().__init__(opener)


def imported(table, folder, columns, confidence=None, scoring=None, suffix="csv", **request):
    path = folder / f"answers.{suffix}"
    table.to_csv(path, index=False) if suffix == "csv" else table.to_json(path, orient="records", lines=True)
    columns = Columns(**{**columns.named(), **({"confidence": confidence} if confidence else {})})
    return load(path, Request(columns, scoring=scoring or Scoring(), options=FEW, **request))


def by_stub(folder, **options):
    return Scoring(MODEL, runs=folder / "runs", models=Models(**options))


def test_nlp_is_the_models_score_of_the_answer_behind_its_prompt(table, tmp_path):
    scoring = by_stub(tmp_path)
    trials, report = imported(table, tmp_path, ROLES, "nlp", scoring)
    prompt, engine = load_prompt("plain-chat-v1"), StubEngine()
    for row, trial in zip(table.to_dict("records"), trials.to_dict("records"), strict=True):
        rendered = prompt.render(({"role": "user", "content": row["asked"]},), engine)
        expected = StubEngine.scored(rendered, row["said"])
        assert trial["nlp"] == trial["score"] == pytest.approx(expected.nlp)
        assert math.isnan(trial["confidence"])  # the probability of a token is none of being right
        assert trial["n_tokens"] == expected.n_tokens
        assert (trial["text"], trial["model"], trial["correct"]) == (
            row["said"],
            row["llm"],
            bool(row["right"]),
        )
    n_pairs = len(table[["asked", "said"]].drop_duplicates())
    assert n_pairs < 60 and scoring.models.engines[0].given == n_pairs == report.computed["n_pairs"]
    assert report.scale == "logprob" and report.computed["others"] == ["alpha", "beta"]


def test_a_completion_prompt_puts_a_space_before_the_answer(table, tmp_path):
    scoring = Scoring("gemma3-270m", "fewshot", tmp_path / "runs", Models())
    trials, report = imported(table.head(40), tmp_path, ROLES, "nlp", scoring)
    rendered = load_prompt("fewshot-v1").render(({"role": "user", "content": "Question 0?"},), StubEngine())
    assert trials["nlp"].iloc[0] == pytest.approx(StubEngine.scored(rendered, " answer 0").nlp)
    assert report.computed["by"]["prompt"] == "fewshot-v1"


def test_p_true_is_the_probability_of_true(table, tmp_path):
    trials, report = imported(table, tmp_path, ROLES, "p-true", by_stub(tmp_path))
    request = is_it_right("Question 3?", "answer 3")
    assert "Question 3?" in request.turns[0]["content"] and "answer 3" in request.turns[0]["content"]
    expected = StubEngine().reply(request, request.turns[0]["content"])
    assert trials["confidence"].iloc[3] == pytest.approx(expected.probability("True"))
    assert report.scale == "probability"


def test_a_model_that_was_asked_is_not_asked_again(table, tmp_path):
    first, again = by_stub(tmp_path), by_stub(tmp_path)
    trials, _ = imported(table, tmp_path, ROLES, "nlp", first)
    same, _ = imported(table, tmp_path, ROLES, "nlp", again)
    assert not again.models.engines
    pd.testing.assert_frame_equal(trials, same)


def test_what_was_asked_before_a_break_is_kept(tmp_path):
    rows = {"asked": [f"Question {i}?" for i in range(120)], "said": "Paris", "right": [0, 1] * 60}
    broken = by_stub(tmp_path, fail_after=1, error=MetacogError("the machine stopped"))
    roles = Columns(correct="right", question="asked", answer="said")
    with pytest.raises(MetacogError, match="the machine stopped"):
        imported(pd.DataFrame(rows), tmp_path, roles, "nlp", broken)
    asked = broken.models.engines[0].given
    rest = by_stub(tmp_path)
    trials, _ = imported(pd.DataFrame(rows), tmp_path, roles, "nlp", rest)
    assert 0 < asked < 120 and rest.models.engines[0].given == 120 - asked and len(trials) == 120


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
    assert report.computed["by"] == {} and len(trials) == 80


def test_answers_are_marked_against_the_key(table, tmp_path):
    roles = Columns(key="gold", model="llm", question="asked", answer="said", confidence="sure")
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
    said = [["Paris", "lyon", "Rome"][i % 3] for i in range(60)]
    listed = table.assign(said=said, gold=[["Paris", "Lyon"]] * 60)
    roles = Columns(key="gold", model="llm", question="asked", answer="said")
    trials, _ = imported(listed, tmp_path, roles, "nlp", by_stub(tmp_path), suffix="jsonl")
    assert trials["correct"].tolist() == [text != "Rome" for text in said]


def test_empty_answers_and_questions_are_dropped_and_counted(table, tmp_path):
    holes = table.copy()
    holes.loc[[0, 1], "said"] = ["", None]
    holes.loc[2, "asked"] = "  "
    trials, report = imported(holes, tmp_path, ROLES, "nlp", by_stub(tmp_path))
    assert len(trials) == 57 and report.n_read == 60
    assert report.dropped == {"the answer is empty": 2, "the question is empty": 1}


def test_columns_that_are_called_like_ours_are_no_trouble(table, tmp_path):
    renamed = table.rename(columns={"asked": "text", "said": "match", "right": "answer", "llm": "key"})
    roles = Columns(correct="answer", model="key", question="text", answer="match")
    trials, report = imported(renamed, tmp_path, roles, "nlp", by_stub(tmp_path))
    assert trials["text"].tolist() == table["said"].tolist() and (trials["match"] == "given").all()
    assert report.mapping == {
        "correct": "answer",
        "model": "key",
        "question_id": "text",
        "question": "text",
        "answer": "match",
    }


@pytest.mark.parametrize(
    ("roles", "confidence", "model", "words"),
    [
        (dict(question=None), "nlp", MODEL, "--question is needed"),
        (dict(question="prompt"), "nlp", MODEL, "no column 'prompt' for --question"),
        (dict(answer=None), "p-true", MODEL, "--answer is needed"),
        (dict(), "nlp", "no-such-model", "there is no model 'no-such-model'"),
        (dict(), "agreement", MODEL, "Agreement is counted in the file and needs no model"),
        (dict(), None, MODEL, "needs --confidence nlp or --confidence p-true"),
        (dict(), "nlp", None, "no column 'nlp'.*--score-with MODEL"),
        (dict(key="gold"), "nlp", MODEL, "--correct and --key exclude each other"),
        (
            dict(correct=None, key="right", answer="empty"),
            "nlp",
            MODEL,
            "column 'empty' is empty in all 60 rows",
        ),
        (dict(correct=None, key="empty"), "nlp", MODEL, "no key to mark against"),
        (dict(correct="gold"), "nlp", MODEL, "column 'gold' is not binary"),
        (dict(model=None), "nlp", MODEL, "holds 2 models, but --model was not given"),
        (dict(question_id="each", correct="right"), "agreement", None, "no question has several answers"),
    ],
)
def test_errors_are_short_and_come_before_the_model(table, tmp_path, roles, confidence, model, words):
    named = {k: v for k, v in {**ROLES.named(), **roles}.items() if v is not None}
    given = table.assign(empty="", each=range(60), model=table["llm"])
    scoring = by_stub(tmp_path) if model == MODEL else Scoring(model, runs=tmp_path / "runs")
    with pytest.raises(MetacogError, match=words) as error:
        imported(given, tmp_path, Columns(**named), confidence, scoring)
    assert len(str(error.value)) < 600
    assert model != MODEL or not scoring.models.engines


def test_a_column_of_a_signals_name_is_still_a_column(table, tmp_path):
    given = table.assign(agreement=np.linspace(0, 1, 60))
    roles = Columns(correct="right", model="llm", question_id="asked")
    trials, report = imported(given, tmp_path, roles, "agreement")
    assert trials["confidence"].tolist() == given["agreement"].tolist() and report.computed is None


def test_a_scale_is_not_named_for_a_signal(table, tmp_path):
    with pytest.raises(MetacogError, match="leave --confidence-scale out"):
        imported(table, tmp_path, ROLES, "nlp", by_stub(tmp_path), scale="percent")


@pytest.mark.parametrize(
    ("models", "own", "others", "words"),
    [
        (["SmolLM2-135M-Instruct"], ["SmolLM2-135M-Instruct"], [], "this is its own view"),
        (["SMOLLM2-135m", "gpt"], ["SMOLLM2-135m"], ["gpt"], "own view; for gpt it shows how well"),
        (
            ["gpt", "claude"],
            [],
            ["claude", "gpt"],
            "answers are by claude and gpt: what follows shows how well",
        ),
        (None, [], [], "does not say which model gave the answers"),
    ],
)
def test_the_page_says_whose_view_it_is(table, tmp_path, models, own, others, words):
    given, roles = table.drop(columns="llm"), Columns(correct="right", question="asked", answer="said")
    if models:
        given = given.assign(by=[models[i % len(models)] for i in range(60)])
        roles = Columns(**{**roles.named(), "model": "by"})
    _, report = imported(given, tmp_path, roles, "nlp", by_stub(tmp_path), repeats="keep")
    assert (report.computed["own"], report.computed["others"]) == (own, others)
    lines = computed_lines(report.computed)
    assert "NLP" in lines[0] and "plain-chat-v1" in lines[0]
    assert words in lines[1] and words in "\n".join(report.lines())
    facts = {
        "name": "x",
        "validation": report.__dict__,
        "options": {"clustered": True, "n_resamples": 100, "seed": 1},
    }
    warned = ":::{admonition} Another model's view" in validation_text(facts)
    assert warned is not (bool(own) and not others)


def test_a_log_whose_answers_are_scored(tmp_path):
    records = [
        {
            "doc_id": i,
            "arguments": {"gen_args_0": {"arg_0": f"Question {i}?"}},
            "resps": [[f"Long answer {i}"]],
            "filtered_resps": [f"answer {i}"],
            "filter": "strict",
            "exact_match": float(i % 3 == 0),
        }
        for i in range(40)
    ]
    path = tmp_path / "samples_gsm8k_2024-05-01T10-00-00.000000.jsonl"
    path.write_text("\n".join(json.dumps(r) for r in records))
    columns = Columns(confidence="nlp")
    trials, report = load(path, Request(columns, scoring=by_stub(tmp_path), filter_name="strict"))
    assert report.kind == "harness" and trials["text"].tolist()[:2] == ["answer 0", "answer 1"]
    assert trials["correct"].sum() == 14 and trials["domain"].unique().tolist() == ["gsm8k"]
    with pytest.raises(MetacogError, match="have a model score the answers"):
        load(path, Request())


def test_an_import_keeps_what_was_computed(table, tmp_path):
    path = tmp_path / "answers.csv"
    table.to_csv(path, index=False)
    columns = Columns(**{**ROLES.named(), "confidence": "nlp"})
    made = import_trials(
        path, tmp_path / "out", Request(columns, scoring=by_stub(tmp_path), options=FEW), page=False
    )
    facts = json.loads((tmp_path / "out" / "import.json").read_text())
    assert facts["validation"]["computed"]["by"]["model"] == MODEL and facts["options"]["clustered"]
    assert "one model" in facts["self_knowledge"]["why_not"]
    assert len(read_trials(tmp_path / "out" / "trials.parquet")) == 60 == len(made.trials)


def test_an_engine_that_cannot_score_texts_is_refused(table, tmp_path):
    class Chat(StubEngine):
        @property
        def info(self):
            return replace(super().info, capabilities=Capabilities(score_text=False))

    scoring = Scoring(MODEL, runs=tmp_path / "runs", models=Loaded(lambda entry, settings: Chat()))
    with pytest.raises(MetacogError, match="cannot score given texts"):
        imported(table, tmp_path, ROLES, "nlp", scoring)
