"""The probe's collection. Oracles: the paper's plan, the drawing rule, and a model asked twice."""

import dataclasses

import pytest
from stub_engine import StubEngine

from metacog.collect import jobs
from metacog.collect.manifest import Manifest
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study
from metacog.studies.study4_probe.asking.items import VERSION, load_items
from metacog.studies.study4_probe.asking.wordings import load_wordings
from metacog.studies.study4_probe.paper import ITEMS
from metacog.studies.study4_probe.range_score import drawn
from metacog.studies.study4_probe.settings import Settings

STUDY = get_study("study4_probe")


def target(tmp_path, profile="smoke", **settings):
    known = load_profile(profile)
    block = {**known.studies[STUDY.name], **settings}
    changed = dataclasses.replace(known, shards=1, studies={STUDY.name: block})
    return jobs.targets(STUDY, changed, models=["smollm2-135m"], runs=tmp_path)[0]


def asked(tmp_path, engine=None, profile="smoke", **settings):
    one = target(tmp_path, profile, **settings)
    for plan in one.plans():
        collect(plan, plan.folder(tmp_path), engine=engine or StubEngine(), progress=False)
    return one.read()[0]


def test_the_default_profile_asks_all_items_and_two_tasks_eight_times_more(tmp_path):
    trials = asked(tmp_path, profile="default").trials
    assert trials["question_id"].nunique() == 78
    per_item = trials.groupby("task")["question_id"].value_counts().groupby("task").unique()
    assert {task: list(n) for task, n in per_item.items()} == {
        task: [9] if task in ("T1_CC", "T4_CR") else [1] for task in ITEMS
    }
    first = trials["sample"] == 0
    assert (trials.loc[first, "temperature"] == 0).all()
    assert (trials.loc[~first, "temperature"] == 0.7).all()


def test_the_paper_profile_asks_every_task_eight_times_more_without_examples(tmp_path):
    engine = Remembering()
    trials = asked(tmp_path, engine, profile="paper").trials
    assert len(trials) == 78 * 9
    assert {len(turns) for turns in engine.turns} == {2}


class Remembering(StubEngine):
    """Keeps the requests and turns it is shown."""

    def __init__(self):
        super().__init__()
        self.turns, self.requests = [], []

    def reply(self, request, prompt):
        self.turns.append(request.turns)
        self.requests.append(request)
        return super().reply(request, prompt)


def test_the_answer_line_is_drawn_at_temperature_1_where_a_reply_has_one(tmp_path):
    engine = Remembering()
    trials = asked(tmp_path, engine, draws=3).trials
    lines = [r for r in engine.requests if r.stop == ("\n",)]
    assert {r.temperatures for r in lines} == {(1.0,)} and {r.n for r in lines} == {3}
    first = trials[trials["sample"] == 0].set_index("task")
    assert len(lines) == 4 and (first.loc[["T1_CC", "T4_CR"], "entropy_asked"] == 3).all()
    assert (first.drop(index=["T1_CC", "T4_CR"])["entropy_asked"] == 0).all()
    assert (trials.loc[trials["sample"] > 0, "entropy_asked"] == 0).all()


def test_without_draws_nothing_more_is_asked_and_the_scored_replies_are_the_same(tmp_path):
    engine = Remembering()
    without = asked(tmp_path / "a", engine, draws=0).trials
    assert all(r.stop != ("\n",) for r in engine.requests) and (without["entropy_asked"] == 0).all()
    assert without["text"].tolist() == asked(tmp_path / "b", draws=3).trials["text"].tolist()


def test_thresholds_stand_in_the_manifest_and_in_no_prompt(tmp_path):
    """They are there before anything is asked: an engine that fails at once leaves them there."""
    one = target(tmp_path)
    (plan,) = one.plans()
    wanted = drawn(VERSION, "smoke")
    with pytest.raises(RuntimeError):
        collect(plan, plan.folder(tmp_path), engine=StubEngine(fail_after=0), progress=False)
    settings = Manifest.stored(plan.folder(tmp_path))["config"]["declared"]
    assert (settings["sigma_t"], settings["range_t"]) == (wanted.sigma_t, wanted.range_t)
    engine = Remembering()
    trials = asked(tmp_path, engine).trials
    assert set(trials["sigma_t"]) == {wanted.sigma_t} and set(trials["range_t"]) == {wanted.range_t}
    reported = " ".join(turn["content"] for turns in engine.turns for turn in turns).lower()
    assert "penalt" not in reported and "sigma" not in reported and "threshold" not in reported


def test_replies_without_a_form_are_kept_and_counted(tmp_path):
    reading = asked(tmp_path, profile="default", k=0)
    trials = reading.trials
    assert len(trials) == 78 and reading.n_unparsed == int((trials["unread"] != "").sum()) > 60
    assert not trials.loc[trials["stated"].isna(), "confidence"].notna().any()


def test_examples_stand_before_the_item_and_hold_the_form():
    reported = load_wordings()
    for item in load_items():
        turns = reported.turns(item.task, item.prompt, examples=True)
        assert [t["role"] for t in turns] == ["system"] + ["user", "assistant"] * 2 + ["user"]
        assert turns[-1]["content"].startswith(reported.marker) and item.prompt in turns[-1]["content"]


def test_the_same_model_asked_twice_gives_the_same_bytes(tmp_path):
    """Retest on the embedded model: a greedy reply and two resamples, in two runs of their own."""
    found = []
    for name in ("one", "two"):
        one = dataclasses.replace(target(tmp_path / name, k=2, examples=False), limit=1)
        for plan in one.plans():
            collect(plan, plan.folder(one.runs), progress=False)
        found.append(one.read()[0].trials)
    first, second = found
    assert first["text"].tolist() == second["text"].tolist() and len(first) == 3
    assert first["sum_logprob"].tolist() == second["sum_logprob"].tolist()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"resampled": ["T9"]}, "no task T9"),
        ({"panel": ""}, "name the panel"),
        ({"k": -1}, "must not be negative"),
        ({"draws": -1}, "must not be negative"),
        ({"temperature": 0}, "above 0"),
        ({"block_items": 0}, "at least 1"),
        ({"items_per_task": 1}, "at least two items"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(MetacogError, match=message):
        Settings(**settings)
