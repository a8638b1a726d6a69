"""Study 3's collections on a stub engine and on SmolLM2: every way, every failure, samples, keys."""

import dataclasses
import math

import pytest
from simulated_confidence import every_collection
from stub_engine import StubEngine

from metacog.collect import jobs
from metacog.collect.confidence import METHODS
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.engines.base import Generation
from metacog.engines.requests import Generate
from metacog.studies.study import Study
from metacog.studies.study3_dmc.asking.collections import COLLECTIONS
from metacog.studies.study3_dmc.asking.items import drawn, items
from metacog.studies.study3_dmc.settings import SETS, Settings

STUDY = Study("study3_dmc", "Ways of asking for confidence", collections=COLLECTIONS, settings=Settings)
NAMES = [one.name for one in COLLECTIONS]
WAYS = {one.name: {way.name for way in one.methods} for one in COLLECTIONS}


def profile(**settings):
    block = {"n_questions": 6, "n_repeated": 4, "n_written": 4, "block_items": 4, **settings}
    return dataclasses.replace(load_profile("smoke"), studies={STUDY.name: block})


def asked(collection, engine, tmp_path, dataset="science", model="smollm2-135m", **settings):
    """Trials of a run with an engine."""
    (target,) = jobs.targets(
        STUDY,
        profile(**settings),
        collections=[collection],
        models=[model],
        datasets=[dataset],
        runs=tmp_path,
    )
    for plan in target.plans():
        collect(plan, plan.folder(tmp_path), engine=engine, progress=False)
    return target.read()[0]


@pytest.mark.parametrize("collection", NAMES)
@pytest.mark.parametrize("scores", [True, False], ids=["scored", "parsed"])
@pytest.mark.parametrize("dataset", list(SETS))
def test_replies_of_every_kind_give_valid_trials(collection, scores, dataset, tmp_path):
    reading = asked(collection, StubEngine(scores=scores), tmp_path, dataset)
    trials = reading.trials
    n = 6 if collection in ("single", "position") else 4
    assert set(trials["method"]) == WAYS[collection] and len(trials) == n * len(WAYS[collection])
    assert not reading.diverged and set(trials["dataset"]) == {dataset}
    ok = trials["parse_status"] == "ok"
    assert (ok == trials["confidence"].notna()).all() and trials.loc[ok, "response"].notna().all()
    assert (trials["correct"] == (trials["response"] == trials["stimulus"])).all()
    assert reading.n_unparsed == int((~ok).sum())
    assert trials.groupby("method")["base_id"].nunique().eq(n).all()
    if scores and collection != "written":
        scored = trials[trials["method"] != "decoding_entropy"]  # what the stub writes may be empty
        assert (scored["parse_status"] == "ok").all() and set(scored["form"]) <= {
            "scored",
            "sampled",
            "letters",
        }
    if collection == "written":
        assert set(trials["form"]) == {"written"} and (~ok).any() and (trials["n_calls"] == 1).all()
    if not scores and collection in ("single", "position"):
        internal = trials["method"].isin(["token_probability", "p_true"])
        assert (trials.loc[internal, "parse_status"] != "ok").all()


def test_what_each_way_costs_is_reported(tmp_path):
    costs = {}
    for name in NAMES:
        trials = asked(name, StubEngine(), tmp_path)
        for (method, form), own in trials.trials.groupby(["method", "form"]):
            (costs[method, form],) = set(own["n_calls"])
    assert costs == {
        ("verbal_vanilla", "scored"): 2,
        ("verbal_cot", "scored"): 3,
        ("verbal_topk", "scored"): 2,
        ("token_probability", "scored"): 1,
        ("p_true", "scored"): 2,
        ("decoding_entropy", "scored"): 6,
        ("consistency_self_random", "sampled"): 10,
        ("consistency_perturbing", "sampled"): 10,
        ("consistency_misleading", "sampled"): 10,
        ("verbal_vanilla", "written"): 1,
        ("verbal_cot", "written"): 1,
        ("verbal_topk", "written"): 1,
        ("token_probability", "letters"): 1,
    }
    assert len(costs) == len(METHODS)


class Counting(StubEngine):
    """Counts calls, each request as often as it is sampled."""

    n = 0

    def reply(self, request, prompt):
        self.n += getattr(request, "n_samples", 1)
        return super().reply(request, prompt)


def test_ways_of_one_conversation_share_the_plain_answer(tmp_path):
    engine = Counting()
    trials = asked("single", engine, tmp_path).trials
    alone = trials["n_calls"].sum()
    after_answer = sum(one.after_answer for one in METHODS if one.form == "scored")
    assert engine.n == alone - 6 * (after_answer - 1)
    shared = trials[trials["method"].isin(["token_probability", "p_true", "verbal_vanilla"])]
    assert shared.groupby("question_id")["response"].nunique().eq(1).all()


class Saying(StubEngine):
    """Writes the same reply each time."""

    def __init__(self, text):
        super().__init__()
        self.text = text

    def generation(self, prompt, seed):
        return Generation(self.text, (), (-0.5,), 1, -0.5, -0.1, False)


@pytest.mark.parametrize(
    ("text", "status", "confidence", "percent"),
    [
        ("A, 0.7", "ok", 0.7, False),
        ("A, 70%", "ok", 0.7, True),
        ("A, 70", "out_of_range", math.nan, False),
        ("A, -0.7", "out_of_range", math.nan, False),
        ("A, quite", "no_probability", math.nan, False),
        ("A, 0.7 or 0.8", "several", math.nan, False),
        ("I don't know", "no_answer", math.nan, False),
        ("", "no_answer", math.nan, False),
    ],
)
def test_written_replies_and_their_failures(tmp_path, text, status, confidence, percent):
    reading = asked("written", Saying(text), tmp_path)
    own = reading.trials[reading.trials["method"] == "verbal_vanilla"]
    assert set(own["parse_status"]) == {status} and set(own["percent"]) == {percent}
    assert (own["confidence"].eq(confidence) | own["confidence"].isna() & math.isnan(confidence)).all()
    assert (own["text"] == text).all() and own["refusal"].all() == text.startswith("I don't")
    if status == "ok":
        assert own["correct"].mean() == 0.5  # A is right in every other question


def test_the_ways_meet_on_the_same_questions():
    settings = Settings(n_questions=12, n_repeated=5, n_written=3).by_set()
    for name in SETS:
        first = [items(settings[name], n) for n in (12, 5, 3)]
        assert first[0][:5] == first[1] and first[0][:3] == first[2] and len(first[0]) == 12
        assert [one.stimulus for one in first[0]] == [0, 1] * 6 or name == "boolean"
    other = dataclasses.replace(settings["science"], seed=43)
    assert {o.base for o in items(other, 12)} != {o.base for o in items(settings["science"], 12)}


def test_every_pairing_in_both_orders():
    settings = Settings(orders="both", n_pairings=None).by_set()
    made = items(settings["date"], 5)
    assert len(made) == 5 * 2 * 3 and len({one.base for one in made}) == 5
    boolean = items(settings["boolean"], 5)  # used as it is: twice the questions
    assert len(boolean) == len({one.base for one in boolean}) == 10
    assert {one.options for one in boolean} == {("True", "False")}
    swapped = items(Settings(orders="every").by_set()["boolean"], 5)  # the same questions, each twice
    assert len(swapped) == 10 and len({one.base for one in swapped}) == 5


def test_a_whole_set_is_taken_where_no_number_is_named():
    made = items(Settings().by_set()["science"], None)
    assert len({one.base for one in made}) == len(made) == 326


def test_questions_that_cannot_be_asked_are_left_out_and_counted(monkeypatch):
    from metacog.collect.choices import MultipleChoice
    from metacog.studies.study3_dmc.asking import items as module

    pool = [
        MultipleChoice("a", "Which?", ("x", "y"), 0),
        MultipleChoice("b", "Which?", ("x", "x"), 0),
        MultipleChoice("c", "Which?", ("x",), 0),
    ]
    monkeypatch.setattr(module, "load_choices", lambda *_, **__: pool)
    drawn.cache_clear()
    kept, faults = drawn("bank", 1, None)
    assert [one.id for one in kept] == ["a"]
    assert len(faults) == 2 and set(faults.values()) == {1}
    drawn.cache_clear()
    monkeypatch.setattr(module, "load_choices", lambda *_, **__: pool[1:])
    with pytest.raises(MetacogError, match="no question with two different options"):
        drawn("bank", 1, None)
    drawn.cache_clear()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"sets": {}}, "at least one set"),
        ({"sets": {"x": "sentiment"}}, "'x' is to be 'sentiment', which is no multiple-choice set"),
        ({"n_questions": 0}, "at least 1"),
        ({"orders": "any"}, "orders must be both, one or every"),
        ({"misleading": "lie"}, "misleading must be frame or hint"),
    ],
)
def test_settings_are_checked(wrong, words):
    with pytest.raises(MetacogError, match=words):
        Settings(**wrong)


def test_a_set_is_named_in_the_profile_alone(tmp_path):
    with pytest.raises(MetacogError, match="there is no set 'bank:Geo'; there are: science"):
        asked("single", StubEngine(), tmp_path, "bank:Geo", n_questions=3)


def test_what_changes_a_run_changes_its_key():
    def key(collection="single", dataset="science", **settings):
        (target,) = jobs.targets(
            STUDY, profile(**settings), collections=[collection], datasets=[dataset], models=["smollm2-135m"]
        )
        return target.key()

    same = key()
    assert key() == same
    others = [
        key(seed=43),
        key(temperature=0.2),
        key(dataset="history"),
        key("repeated"),
        key("written"),
        key("repeated", misleading="hint"),
        key("repeated", n_runs=5),
        key(n_questions=7),
        key(orders="both"),
        key("written", max_tokens=9),
        key(n_samples=4),
        key(max_reasoning=9),
        key(answer="label"),
        key("position"),
    ]
    assert len({same, *others}) == 15


def test_limits_of_written_replies_are_the_settings(tmp_path):
    class Seeing(StubEngine):
        asked: tuple = ()

        def reply(self, request, prompt):
            self.asked += (request,)
            return super().reply(request, prompt)

    engine = Seeing()
    asked("written", engine, tmp_path, max_tokens=11, max_reasoning=13)
    assert {r.max_tokens for r in engine.asked if isinstance(r, Generate)} == {11, 24}


def test_simulated_trials_are_of_the_collections_form():
    for name, trials in every_collection(n_questions=4).items():
        assert set(trials["method"]) == WAYS[name] and set(trials["model"]) == {"smollm2-135m", "gemma3-270m"}


@pytest.fixture(scope="module")
def smollm2():
    from metacog.collect.models import get_model
    from metacog.collect.plan import open_engine

    engine = open_engine(get_model("smollm2-135m"))
    yield engine
    engine.close()


def test_a_small_model_gives_every_scored_signal(smollm2, tmp_path):
    single = asked("single", smollm2, tmp_path, n_questions=2).trials
    assert (single["parse_status"] == "ok").all() and set(single["form"]) == {"scored"}
    assert single["confidence"].between(0, 1, inclusive="neither").all()
    assert single.groupby("method")["confidence"].nunique().eq(2).all()


def test_a_small_model_chooses_letters(smollm2, tmp_path):
    trials = asked("position", smollm2, tmp_path, n_questions=2).trials
    assert (trials["parse_status"] == "ok").all() and set(trials["form"]) == {"letters"}


def test_a_small_models_runs_are_counted(smollm2, tmp_path):
    repeated = asked("repeated", smollm2, tmp_path, n_repeated=1).trials
    assert (repeated["parse_status"] == "ok").all() and (repeated["n_read"] == 10).all()
    assert repeated["confidence"].between(0.5, 1).all()


@pytest.mark.parametrize("name", ["smoke", "default", "paper"])
def test_the_profiles_blocks_are_settings(name):
    settings = Settings(**load_profile(name).studies["study3_dmc"])
    assert len(settings.by_set()) == {"smoke": 2, "default": 2, "paper": 8}[name]
    if name == "paper":  # no cap, every wrong option, both orders
        assert settings.n_questions is settings.n_repeated is settings.n_written is None
        assert settings.n_pairings is None and settings.orders == "every" and settings.answer == "label"
