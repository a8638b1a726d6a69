"""What every study's collections promise, asked of a stub engine that refuses and talks rubbish."""

import dataclasses

import pytest
from stub_engine import StubEngine
from toy_study import STUDY as TOY

from metacog.collect import jobs
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.studies import studies

ALL = [*studies(), TOY]
CASES = [(study, collection.name) for study in ALL for collection in study.collections]
IDS = [f"{study.name}-{name}" for study, name in CASES]


def target_of(study, collection, runs, **more):
    profile = load_profile("smoke")
    blocks = {**profile.studies, TOY.name: {}}
    profile = dataclasses.replace(profile, studies=blocks, **more)
    return jobs.targets(study, profile, collections=[collection], runs=runs)[0]


def collected(target, engine):
    needs = next(c for c in target.study.collections if c.name == target.collection).needs
    for name in needs:
        collected(dataclasses.replace(target, collection=name), engine)
    for plan in target.plans():
        collect(plan, plan.folder(target.runs), engine=engine, progress=False)
    return target.read()


@pytest.mark.parametrize(("study", "collection"), CASES, ids=IDS)
@pytest.mark.parametrize("scores", [True, False], ids=["scored", "parsed"])
def test_replies_of_every_kind_give_valid_trials(study, collection, scores, tmp_path):
    target = target_of(study, collection, tmp_path)
    reading, _ = collected(target, StubEngine(scores=scores))  # reading checks core schema, block and key
    assert len(reading.trials) > 0 and not reading.diverged and not reading.unasked
    assert set(reading.trials["dataset"]) == {target.dataset}


class StillThinking(StubEngine):
    """Every other reply ends before the model has come to an answer."""

    @staticmethod
    def generation(prompt, seed):
        made = StubEngine.generation(prompt, seed)
        return (
            dataclasses.replace(
                made, text="", token_logprobs=(), n_tokens=0, sum_logprob=0.0, truncated=True, n_thought=24
            )
            if seed % 2
            else made
        )


def test_a_reply_without_an_answer_is_recorded_as_such_and_has_no_nlp(tmp_path):
    study = next(s for s in studies() if s.name == "study1_qa")
    target = target_of(study, study.collections[0].name, tmp_path)
    trials = collected(target, StillThinking())[0].trials
    lost = trials["match"] == "unanswered"
    assert 0 < lost.sum() < len(trials)
    assert trials.loc[lost, "nlp"].isna().all() and trials.loc[lost, "confidence"].isna().all()
    assert not trials.loc[lost, "correct"].any() and (trials.loc[lost, "n_tokens"] == 0).all()
    assert (trials.loc[~lost, "match"] != "unanswered").all()


@pytest.mark.parametrize(("study", "collection"), CASES, ids=IDS)
def test_the_same_settings_give_the_same_items_and_requests(study, collection, tmp_path):
    target = target_of(study, collection, tmp_path)
    collected(target, StubEngine())
    (one,), (other,) = target.plans(), target.plans()
    assert one.config_hash == other.config_hash
    assert [i.id for i in one.items] == [i.id for i in other.items]


@pytest.mark.parametrize(("study", "collection"), CASES, ids=IDS)
def test_every_item_has_trials_of_its_own_and_seeds_differ_between_samples(study, collection, tmp_path):
    target = target_of(study, collection, tmp_path)
    reading, _ = collected(target, StubEngine())
    (plan,) = target.plans()
    assert set(reading.trials["question_id"]) == {item.id for item in plan.items}
    for number in range(min(5, len(plan.items))):
        for request in plan.conversation(number).pending.values():
            seeds = getattr(request, "seeds", None) or (getattr(request, "seed", 0),)
            assert len(set(seeds)) == len(seeds)
