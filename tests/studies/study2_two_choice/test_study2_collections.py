"""Study 2's collections on a stub engine and on SmolLM2: every way of asking, repairs, failures, keys."""

import dataclasses
import json
import math

import pytest
from stub_engine import StubEngine

from metacog.collect import jobs
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.engines.base import Generation
from metacog.engines.requests import Choose, Chosen, Generate
from metacog.studies.study import Study
from metacog.studies.study2_two_choice.asking.collections import COLLECTIONS, expected_rating
from metacog.studies.study2_two_choice.replication_asked import asked_by_cell
from metacog.studies.study2_two_choice.replication_ratings import usable
from metacog.studies.study2_two_choice.settings import Settings

STUDY = Study("study2_two_choice", "Two-choice decisions", collections=COLLECTIONS, settings=Settings)
NAMES = [c.name for c in COLLECTIONS]
GOOD = {"confidence": '```json\n{"decision": 1, "confidence": 4}\n```', "warned": '{"decision": 1}'}


class Writing(StubEngine):
    """Writes the same reply each time, another once it was asked again; and remembers its requests."""

    def __init__(self, first, again="Sorry, I cannot.", **options):
        super().__init__(**options)
        self.first, self.again, self.asked = first, again, []

    def reply(self, request, prompt):
        self.asked.append(request)
        return super().reply(request, prompt)

    def generation(self, prompt, seed):
        text = self.again if "not the JSON" in prompt else self.first
        return Generation(text, (), (-0.5, -0.25), 2, -0.75, -0.1, False)


def profile(**settings):
    block = {"n_sentences": 12, "block_items": 5, **settings}
    return dataclasses.replace(load_profile("smoke"), studies={STUDY.name: block})


def asked(collection, engine, tmp_path, dataset="A-sentiment", model="smollm2-135m", **settings):
    """Trials of a run with an engine."""
    chosen = {"collections": [collection], "models": [model], "datasets": [dataset]}
    (target,) = jobs.targets(STUDY, profile(**settings), **chosen, runs=tmp_path)
    for plan in target.plans():
        collect(plan, plan.folder(tmp_path), engine=engine, progress=False)
    return target.read()[0]


@pytest.mark.parametrize("collection", NAMES)
@pytest.mark.parametrize("how", ["choose", "json"])
@pytest.mark.parametrize("scores", [True, False], ids=["scored", "parsed"])
@pytest.mark.parametrize("dataset", ["A-sentiment", "B-origin", "C-origin"])
def test_replies_of_every_kind_give_valid_trials(collection, how, scores, dataset, tmp_path):
    reading = asked(collection, StubEngine(scores=scores), tmp_path, dataset, how=how)
    trials = reading.trials
    assert len(trials) == 12 * (3 if collection == "warned" else 1) and not reading.diverged
    assert set(trials["task"]) == {dataset[0]} and set(trials["dataset"]) == {dataset}
    assert not trials.duplicated(["model", "dataset", "task", "risk", "question_id"]).any()
    given = trials["response"].notna()
    assert (trials["correct"] == (trials["response"] == trials["stimulus"])).all()
    usable = given & (trials["rating"].notna() if collection == "confidence" else True)
    assert (usable == (trials["parse_status"] == "ok")).all()
    assert reading.n_unparsed == int((~usable).sum())
    if how == "choose" and scores:
        assert usable.all() and (trials["p_decision"] > 0).all()
        assert set(trials["form"]) == {"label"}
    if how == "json":
        assert set(trials["form"]) == {"json"} and trials["p_decision"].isna().all() and reading.n_unparsed


@pytest.mark.parametrize("collection", NAMES)
def test_fenced_json_is_read_at_once(collection, tmp_path):
    engine = Writing(GOOD[collection])
    trials = asked(collection, engine, tmp_path, how="json", temperature=0.7).trials
    assert (trials["parse_status"] == "ok").all() and (trials["repairs"] == 0).all()
    assert (trials["response"] == 1).all() and (trials["temperature"] == 0.7).all()
    assert engine.given == len(trials) and (trials["text"] == GOOD[collection]).all()
    assert trials["correct"].mean() == 0.5 and (trials["nlp"] == -0.375).all()
    if collection == "confidence":
        assert (trials["rating"] == 4).all() and (trials["confidence"] == 0.75).all()


@pytest.mark.parametrize("collection", NAMES)
def test_other_replies_are_asked_for_once_more_and_no_more(collection, tmp_path):
    unclear = "It is positive."
    engine = Writing(unclear, GOOD[collection])
    mended = asked(collection, engine, tmp_path / "mended", how="json").trials
    assert (mended["parse_status"] == "ok").all() and (mended["repairs"] == 1).all()
    assert engine.given == 2 * len(mended)
    last = engine.asked[-1].turns
    assert [t["role"] for t in last] == ["system", "user", "assistant", "user"]
    assert last[2]["content"] == unclear
    assert all(field in last[3]["content"] for field in json.loads(GOOD[collection].strip("`json\n")))

    stubborn = Writing(unclear)
    reading = asked(collection, stubborn, tmp_path / "stubborn", how="json")
    kept = reading.trials
    assert stubborn.given == 2 * len(kept) == 2 * reading.n_unparsed
    assert kept["text"].str.startswith("Sorry").all() and kept["refusal"].all()
    assert kept["response"].isna().all() and not kept["correct"].any() and (kept["repairs"] == 1).all()
    assert reading.remarks()[0].startswith(f"{len(kept)} of")

    single = Writing(unclear, GOOD[collection])
    once = asked(collection, single, tmp_path / "once", how="json", repair=False).trials
    assert single.given == len(once) and (once["repairs"] == 0).all() and (once["text"] == unclear).all()


class HalfRight(Writing):
    """Breaks the form where the risk falls on S2."""

    def generation(self, prompt, seed):
        broken = 'answering "negative" wrongly is not' in prompt
        self.first = "no JSON" if broken else '{"decision": 0}'
        return super().generation(prompt, seed)


def test_a_repair_is_read_for_the_risk_configuration_it_belongs_to(tmp_path):
    trials = asked("warned", HalfRight("", '{"decision": 1}'), tmp_path, how="json").trials
    by_risk = trials.groupby("risk")[["response", "repairs"]].agg(["min", "max"])
    assert (by_risk.loc["S2"] == 1).all() and (by_risk.loc[["None", "S1"]] == 0).all(axis=None)


def test_a_model_that_is_still_thinking_is_not_asked_again(tmp_path):
    class Thinking(Writing):
        def generation(self, prompt, seed):
            return Generation("", (), (), 0, 0.0, None, True, 24)

    engine = Thinking("")
    reading = asked("confidence", engine, tmp_path, how="json")
    assert engine.given == len(reading.trials) == reading.n_unparsed
    assert (reading.trials["match"] == "unanswered").all() and reading.trials["nlp"].isna().all()


def test_one_sentence_a_call_and_no_history(tmp_path):
    engine = Writing("")
    asked("warned", engine, tmp_path)
    assert len(engine.asked) == 36 and all(isinstance(r, Choose) and len(r.turns) == 18 for r in engine.asked)
    assert all(r.turns[-1]["content"].count("Sentence: ") == 1 for r in engine.asked)
    shown = {tuple(t["content"] for t in r.turns[1:-1]) for r in engine.asked}
    assert len(shown) == 1  # the same examples for every sentence
    assert len({r.seed for r in engine.asked}) == 36
    warned = ["punished" in r.turns[0]["content"] for r in engine.asked]
    assert sum(warned) == 24


def test_a_rating_follows_the_decision_it_is_about(tmp_path):
    engine = Writing("")
    trials = asked("confidence", engine, tmp_path).trials
    ratings = [r for r in engine.asked if len(r.options) == 5]
    assert len(ratings) == 12
    reported = {(r.turns[-3]["content"], r.turns[-2]["content"]) for r in ratings}
    assert {answer for _, answer in reported} == set(trials["answer"])
    assert (trials["text"].str.split("\n").str[1].astype(int) == trials["rating"]).all()


def test_the_finer_confidence_is_the_mean_over_the_digits():
    options, p = ("1", "2", "3", "4", "5"), (0.1, 0.2, 0.3, 0.4, 0.0)
    assert math.isclose(expected_rating(Chosen(options, p, p, "4", "label")), 3.0)
    nothing = (math.nan,) * 5
    assert math.isnan(expected_rating(Chosen(options, nothing, nothing, "4", "parsed")))


def test_unknown_settings_are_refused_by_name():
    with pytest.raises(MetacogError, match="there is no setting n_sentence; there are: tasks, risks"):
        jobs.targets(STUDY, profile(n_sentence=5))


def test_fewer_sentences_may_be_asked_under_risk():
    settings = Settings(n_sentences=None, n_warned=20).of("B", "origin")
    rated, warned = ({one.id for one in c.items(settings, {})} for c in COLLECTIONS)
    assert (len(rated), len(warned)) == (410, 20) and warned < rated
    same = Settings(n_sentences=30).of("A", "sentiment")
    assert COLLECTIONS[1].items(same, {}) == COLLECTIONS[0].items(same, {})


def test_what_is_asked_decides_the_key():
    def key(collection="confidence", dataset="A-sentiment", **settings):
        chosen = {"collections": [collection], "datasets": [dataset], "models": ["smollm2-135m"]}
        (target,) = jobs.targets(STUDY, profile(**settings), **chosen)
        return target.key()

    same = key()
    assert key() == same
    other_settings = (
        {"seed": 43},
        {"how": "json"},
        {"temperature": 0.0},
        {"n_sentences": 14},
        {"examples": 4},
    )
    others = {key(**one) for one in other_settings} | {key("warned"), key("warned", risks=["S1"])}
    assert len({same, key(dataset="B-origin"), key(dataset="C-origin"), *others}) == 10


def test_both_embedded_models_have_the_prompt(tmp_path):
    for model in ("smollm2-135m", "gemma3-270m"):
        trials = asked("confidence", StubEngine(), tmp_path, model=model).trials
        assert set(trials["prompt_id"]) == {{"s": "plain-chat-v1", "g": "plain-base-v1"}[model[0]]}


def test_limits_of_a_written_reply_are_the_settings(tmp_path):
    engine = Writing(GOOD["confidence"])
    asked("confidence", engine, tmp_path, how="json", max_tokens=30, temperature=1.0)
    assert {(r.max_tokens, r.temperatures) for r in engine.asked if isinstance(r, Generate)} == {(30, (1.0,))}


class Mixed(Writing):
    """A reply by the seed: good, fenced, another text, or nothing; asked again, half come right."""

    def generation(self, prompt, seed):
        self.first = (GOOD["confidence"], '{"decision": 0, "confidence": 1}', "I don't know", "")[seed % 4]
        self.again = GOOD["confidence"] if seed % 2 else "Sorry, no."
        return super().generation(prompt, seed)


def test_every_trial_of_a_cell_is_counted(tmp_path):
    trials = asked("confidence", Mixed(""), tmp_path, how="json", n_sentences=60).trials
    (cell,) = asked_by_cell(trials).to_dict("records")
    ok = trials["response"].notna() & trials["rating"].notna()
    assert (cell["asked"], cell["usable"], cell["unparsed"]) == (60, ok.sum(), 60 - ok.sum())
    assert cell["unparsed"] > 0 and cell["repaired"] > 0
    kept = usable(trials)
    assert len(kept) == cell["usable"]
    assert kept["rating"].dtype == kept["response"].dtype == "int64"
    none = asked_by_cell(asked("warned", Writing("no"), tmp_path, how="json").trials)
    assert list(none["risk"]) == ["None", "S1", "S2"]
    assert (none["usable"] == 0).all()


@pytest.fixture(scope="module")
def smollm2():
    from metacog.collect.models import get_model
    from metacog.collect.plan import open_engine

    engine = open_engine(get_model("smollm2-135m"))
    yield engine
    engine.close()


def test_a_small_model_answers_every_closed_choice(smollm2, tmp_path):
    trials = asked("confidence", smollm2, tmp_path, n_sentences=4).trials
    assert (trials["parse_status"] == "ok").all() and set(trials["form"]) == {"label"}
    assert trials["p_decision"].between(0, 1, inclusive="neither").all()
    assert trials["expected_confidence"].between(1, 5, inclusive="neither").all()
    assert trials["expected_confidence"].nunique() == 4 and trials["p_decision"].nunique() == 4


def test_a_small_model_decides_under_each_risk(smollm2, tmp_path):
    trials = asked("warned", smollm2, tmp_path, "C-origin", n_sentences=2).trials
    assert len(trials) == 6 and (trials["parse_status"] == "ok").all()
    assert trials.groupby("question_id")["p_decision"].nunique().eq(3).all()  # the warning was read


def test_a_small_models_json_is_kept_whatever_it_is(smollm2, tmp_path):
    reading = asked("confidence", smollm2, tmp_path, n_sentences=2, how="json", max_tokens=24)
    assert len(reading.trials) == 2 and (reading.trials["n_tokens"] > 0).all()
    assert reading.n_unparsed == int(reading.trials["response"].isna().sum())


@pytest.mark.parametrize("scale", [2, 9])
@pytest.mark.parametrize("how", ["choose", "choose_both"])
def test_another_scale_and_one_choice_of_both(scale, how, tmp_path):
    engine = Writing("")
    trials = asked("confidence", engine, tmp_path, how=how, scale=scale).trials
    assert engine.given == len(trials) * (2 if how == "choose" else 1)
    assert (trials["parse_status"] == "ok").all() and trials["rating"].between(1, scale).all()
    assert trials["confidence"].between(0, 1).all() and trials["p_decision"].between(0, 1).all()
    assert trials["expected_confidence"].between(1, scale).all()
    assert set(trials["answer"]) <= {"negative", "positive"}
    told = {
        turn["content"]
        for r in engine.asked
        for turn in r.turns
        if f"to {scale} (virtually" in turn["content"]
    }
    assert told


def test_sentences_of_a_batch_follow_one_another_and_are_trials_of_their_own(tmp_path):
    engine = Writing("")
    trials = asked("confidence", engine, tmp_path, batch=4).trials
    alone = asked("confidence", Writing(""), tmp_path / "alone").trials
    assert set(trials["question_id"]) == set(alone["question_id"]) and len(trials) == 12
    assert trials["question_index"].tolist() == list(range(12))
    sentences = [sum("Sentence: " in turn["content"] for turn in r.turns) - 8 for r in engine.asked]
    assert sorted(sentences) == sorted([1, 2, 3, 4] * 3 * 2)
    text = asked(
        "confidence", Writing("no", GOOD["confidence"]), tmp_path / "json", how="json", batch=5
    ).trials
    assert len(text) == 12 and text["repairs"].sum() == 3 and (text["rating"] == 4).all()


def test_a_scale_out_of_range_is_refused():
    with pytest.raises(MetacogError, match="scale must lie between 2 and 9"):
        Settings(scale=10)
