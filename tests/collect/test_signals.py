"""What confidence is taken from. Oracles: counts by hand, scripted replies, and keys of runs as they were."""

from __future__ import annotations

import dataclasses
import json
import math

import pytest
from scripted_chat import connect, entry
from stub_engine import StubEngine
from test_packs import Silent

from metacog.collect import confidence_signals
from metacog.collect.confidence_signals import AGREEMENT, NLP, P_TRUE, SIGNALS, VERBAL, agreement, elicit
from metacog.collect.confidence_ways import read_percentage, replayed
from metacog.collect.estimate import estimate
from metacog.collect.jobs import known_packs, targets
from metacog.collect.manifest import LEFT_OUT, Manifest
from metacog.collect.models import get_model
from metacog.collect.packs import Pack
from metacog.collect.plan import Loaded, make_plan, with_signal
from metacog.collect.reading import read_replies
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.engines.base import EngineInfo, Generation
from metacog.engines.capabilities import Capabilities
from metacog.engines.requests import Choose, Chosen, Generate, Generated, user
from metacog.studies import get_study

STUDY = get_study("study1_qa")
MARKING = STUDY.marking
ASKED = Generate((user("What do bees make?"),), 8, (0.7, 1.0), seeds=(1, 2))


def said(*texts, nlp=-0.5):
    return Generated(tuple(Generation(t, (), (nlp,), 1 if t else 0, nlp, None, False) for t in texts))


def chose(p):
    return Chosen(("True", "False"), (math.log(p), math.log(1 - p)), (p, 1 - p), "True", "label")


def confidences(signal, *replies, asked=ASKED):
    found = replayed(elicit(signal, "What do bees make?", asked, MARKING.same), replies)
    return [one.confidence for _, one in found], [one.status for _, one in found]


def test_nlp_asks_the_question_alone_and_is_what_it_was():
    values, status = confidences(NLP, said("Honey", ""))
    assert values[0] == math.exp(-0.5) and math.isnan(values[1]) and status == ["ok", "ok"]
    assert next(elicit(NLP, "q", ASKED, MARKING.same)) is ASKED
    assert confidence_signals.depends_on(NLP) is None and confidence_signals.asked_once(NLP)


def test_a_percentage_is_asked_for_once_for_each_different_answer():
    talk = elicit(VERBAL, "q", ASKED, MARKING.same)
    assert next(talk) is ASKED
    (only,) = talk.send(said(" Honey", "Honey "))
    assert [turn["role"] for turn in only.turns] == ["user", "assistant", "user"]
    assert only.turns[1]["content"] == "Honey" and "percentage" in only.turns[2]["content"]
    values, status = confidences(VERBAL, said("Honey", "Wax"), said("about 85"), said("sure"))
    assert values[0] == 0.85 and math.isnan(values[1]) and status == ["ok", "no_probability"]
    assert confidences(VERBAL, said("", "Wax"), said("20%"))[0][1] == 0.2
    assert all(
        math.isnan(one) for one in confidences(VERBAL, said("", " "))[0]
    )  # nothing is asked of nothing


def test_the_probability_of_true_needs_options_scored():
    talk = elicit(P_TRUE, "What do bees make?", ASKED, MARKING.same)
    next(talk)
    (choice, other) = talk.send(said("Honey", "Wax {x}"))
    assert isinstance(choice, Choose) and choice.fallback == "fail" and choice.options == ("True", "False")
    assert "What do bees make?" in choice.turns[0]["content"] and "Wax {x}" in other.turns[0]["content"]
    assert confidences(P_TRUE, said("Honey", "Wax"), chose(0.9), chose(0.25))[0] == pytest.approx([0.9, 0.25])


def test_agreement_is_the_share_of_further_answers_in_the_answer_s_cluster():
    asked, again = next(elicit(AGREEMENT, "q", ASKED, MARKING.same))
    assert asked is ASKED and again.temperatures == ASKED.temperatures and again.n == 10
    more = said(*["Honey"] * 6, *["Wax"] * 3, "", *["honey."] * 10)
    assert confidences(AGREEMENT, said("The honey", "Nectar"), more)[0] == pytest.approx([0.6, 0.0])
    twice = dataclasses.replace(ASKED, temperatures=(1.0,), n=2, seeds=(1, 2))
    more = said(*["Honey"] * 4, *["Wax"] * 6)
    assert confidences(AGREEMENT, said("Wax", "Honey"), more, asked=twice)[0] == pytest.approx([0.6, 0.4])


def test_clusters_are_chains_of_pairs_and_hold_refusals_together():
    near = lambda a, b: abs(len(a) - len(b)) <= 1  # noqa: E731
    assert agreement("a", ["aaa", "aa", "aaaaa", "a"], near) == 0.75  # by aa to aaa, not to aaaaa
    assert agreement("a", ["aa", "a", "aaaaa", "aaa"], near) == 0.75  # in any order
    assert math.isnan(agreement(" ", ["a"], near)) and math.isnan(agreement("a", [], near))
    assert MARKING.same("The answer is Honey", "honey") and not MARKING.same("Honey", "Wax")
    assert MARKING.same("I don't know", "Sorry, no idea") and not MARKING.same("I don't know", "Honey")
    assert not MARKING.same("Honey", "")


def test_percentages_are_read_by_one_rule():
    right = {"85%": 0.85, "About 85 percent.": 0.85, "85": 0.85, "0": 0.0, "1": 0.01, "0.85": 0.85}
    for text, value in (right | {"99.5": 0.995, "0.5%": 0.005}).items():
        found = read_percentage(text)
        assert found.status == "ok" and found.probability == pytest.approx(value), text
    wrong = {"120": "out_of_range", "-5": "out_of_range", "80 or 90": "several"}
    for text, status in (wrong | {"3/4": "no_probability", "very": "no_probability"}).items():
        found = read_percentage(text)
        assert found.status == status and math.isnan(found.probability), text


def test_the_best_signal_is_proposed_and_an_impossible_one_refused():
    nothing = Capabilities(own_logprobs=False, score_options=False, why={"own_logprobs": "none are told"})
    best_of, refusal_of = confidence_signals.best_of, confidence_signals.refusal_of
    assert (best_of(Capabilities()), best_of(nothing)) == (NLP, AGREEMENT)
    assert all(refusal_of(name, Capabilities()) == "" for name in SIGNALS)
    assert refusal_of(VERBAL, nothing) == refusal_of(AGREEMENT, nothing) == ""
    assert "none are told" in refusal_of(NLP, nothing)
    assert "verbal or agreement" in refusal_of(P_TRUE, nothing)
    with pytest.raises(MetacogError, match="must be one of nlp, verbal, p-true, agreement"):
        confidence_signals.check_signal("gut")


# --- whose signal it is, and what it is part of


def planned(confidence="", model="smollm2-135m", collection="open", profile="smoke"):
    found = load_profile(profile)
    if confidence:
        found = with_signal(found, [STUDY], confidence)
    return make_plan(STUDY, collection, found, model, "bank")


def test_profile_goes_before_the_model_s_entry_and_names_all_models_or_one():
    one = entry(confidence="verbal")
    assert planned(model=one).settings.signal == "verbal"
    assert planned("agreement", one).settings.signal == "agreement"
    named = {"served": "p-true", "other": "nlp"}
    found = load_profile("smoke")
    block = {**found.studies["study1_qa"], "confidence": named}
    found = dataclasses.replace(found, studies={**found.studies, "study1_qa": block})
    assert make_plan(STUDY, "open", found, one, "bank").settings.signal == "p-true"
    assert make_plan(STUDY, "open", found, "smollm2-135m", "bank").settings.signal == "nlp"
    with pytest.raises(MetacogError, match="must be one of"):
        planned("gut")
    with pytest.raises(MetacogError, match="none of the studies"):
        with_signal(found, [get_study("study2_two_choice")], "verbal")


def test_a_signal_is_part_of_a_run_s_key_and_nlp_changes_none():
    """Oracle: the configuration of the committed packs, which were made before there was a choice."""
    hashes = {name: planned(name).config_hash for name in SIGNALS}
    assert len(set(hashes.values())) == 4 and hashes[NLP] == planned().config_hash
    assert "later" not in planned().config and planned().collection.asked_once(planned().settings)
    stored = {run.folder: run.manifest for path in known_packs() for run in Pack(path).runs}
    asked = [one for one in targets(STUDY, load_profile("reference")) if one.collection != "forced"]
    plans = {plan.place: plan.config_hash for target in asked for plan in target.plans()}
    same = set(plans) & set(stored)
    assert any(place.startswith("study1_qa/open/") for place in same)
    assert all(plans[place] == stored[place]["config_hash"] for place in same)


class Untold(StubEngine):
    """Tells no log-probabilities, scores nothing, and states percentages."""

    @property
    def info(self):
        reasons = {"own_logprobs": "it is not told", "score_text": "it is not told", "score_options": "-"}
        can = Capabilities(False, False, False, why=reasons)
        return EngineInfo("untold", "m", None, capabilities=can)

    def reply(self, request, prompt):
        made = super().reply(request, prompt)
        if not isinstance(made, Generated):
            raise AssertionError("an option or a text was to be scored")
        asked = request.turns[-1]["content"]
        texts = [f"{40 + len(s.text)}%" if "percentage" in asked else s.text for s in made.samples]
        plain = [
            dataclasses.replace(s, text=t, token_logprobs=(), sum_logprob=math.nan)
            for s, t in zip(made.samples, texts, strict=True)
        ]
        return Generated(tuple(plain), request.turns)


@pytest.mark.parametrize("signal", [VERBAL, AGREEMENT])
@pytest.mark.parametrize("collection", ["open", "draws"])
def test_open_answers_are_collected_without_nlp(signal, collection, tmp_path):
    plan = planned(signal, collection=collection)
    folder = plan.folder(tmp_path)
    report = collect(plan, folder, engine=Untold(), progress=False)
    assert report.n_new == len(plan.items) and not report.left_out
    assert Manifest.stored(folder)["engine"]["capabilities"]["why"]["own_logprobs"] == "it is not told"
    trials = read_replies([(plan, folder)]).trials
    assert (trials["signal"] == signal).all() and trials["nlp"].isna().all()
    filled = trials["answer"].str.strip() != ""
    assert (
        trials.loc[filled, "confidence"].between(0, 1).all()
        and trials.loc[~filled, "confidence"].isna().all()
    )
    assert collect(plan, folder, engine=Silent(), progress=False).n_new == 0  # replayed, not asked again


@pytest.mark.parametrize("signal", [NLP, P_TRUE])
def test_a_signal_that_cannot_be_had_is_a_short_error_that_says_what_to_do(signal, tmp_path):
    plan = planned(signal)
    with pytest.raises(MetacogError, match="confidence: agreement"):
        collect(plan, plan.folder(tmp_path), engine=Untold(), progress=False)


def test_p_true_is_collected_where_options_are_scored(tmp_path):
    plan = planned(P_TRUE)
    collect(plan, plan.folder(tmp_path), engine=StubEngine(), progress=False)
    trials = read_replies([(plan, plan.folder(tmp_path))]).trials
    answered = trials["answer"].str.strip() != ""
    assert (
        trials.loc[answered, "confidence"].between(0, 1).all() and trials.loc[answered, "nlp"].notna().all()
    )


def test_forced_decoding_is_left_out_by_name_with_the_reason(tmp_path):
    profile = with_signal(load_profile("smoke"), [STUDY], VERBAL)
    for name in ("open", "forced"):
        (target,) = targets(STUDY, profile, collections=[name], runs=tmp_path)
        (plan,) = target.plans()
        report = collect(plan, plan.folder(tmp_path), engine=Untold(), progress=False)
    assert report.left_out == "it is not told" and report.n_new == 0
    stored = Manifest.stored(plan.folder(tmp_path))
    assert stored["status"] == LEFT_OUT and stored["left_out"] == "it is not told"
    reading = target.write(tmp_path / "forced.parquet")
    assert reading.trials.empty and reading.remarks() == ["left out: it is not told"]
    would = estimate(plan, plan.folder(tmp_path), opener=lambda entry, settings: Untold())
    assert would.text().endswith("left out (it is not told)")
    # a server that can is asked after all
    again = collect(plan, plan.folder(tmp_path), engine=StubEngine(), progress=False)
    assert again.n_new == len(plan.items) and Manifest.stored(plan.folder(tmp_path))["status"] == "complete"
    assert "left_out" not in Manifest.stored(plan.folder(tmp_path))


def test_a_model_whose_replies_are_all_here_needs_no_server(tmp_path):
    """Neither to collect again nor to say what is left to do; whoever opens one is refused."""
    profile = with_signal(load_profile("smoke"), [STUDY], VERBAL)
    plans = {}
    for name in ("open", "forced"):
        (target,) = targets(STUDY, profile, collections=[name], runs=tmp_path)
        (plans[name],) = target.plans()
        collect(plans[name], plans[name].folder(tmp_path), engine=Untold(), progress=False)

    def gone(entry, settings):
        raise MetacogError("nobody answers")

    for name, plan in plans.items():
        folder = plan.folder(tmp_path)
        before = (folder / "manifest.json").read_bytes()
        report = collect(plan, folder, models=Loaded(gone), progress=False)
        assert report.n_new == 0 and report.left_out == ("it is not told" if name == "forced" else "")
        assert json.loads(before) == Manifest.stored(folder)
        said = estimate(plan, folder, opener=gone).text()
        assert said.endswith("left out (it is not told)" if name == "forced" else "all done already")
    damaged = next((plans["open"].folder(tmp_path) / "parts").glob("*.parquet"))
    damaged.unlink()
    with pytest.raises(MetacogError, match="nobody answers"):
        collect(plans["open"], plans["open"].folder(tmp_path), models=Loaded(gone), progress=False)


def test_what_was_collected_is_not_hidden_by_a_server_that_lost_a_capability(tmp_path, monkeypatch):
    plan = planned(VERBAL)
    monkeypatch.setattr(type(plan.collection), "requires", ("score_text",))
    with pytest.raises(RuntimeError):
        collect(plan, plan.folder(tmp_path), engine=StubEngine(fail_after=1), progress=False)
    with pytest.raises(MetacogError, match="a part of it was collected"):
        collect(plan, plan.folder(tmp_path), engine=Untold(), progress=False)
    assert len(Manifest.stored(plan.folder(tmp_path))["parts"]) == 1


def test_the_embedded_models_have_no_signal_of_their_own():
    assert get_model("smollm2-135m").confidence == ""
    with connect() as engine:
        assert confidence_signals.best_of(engine.info.capabilities) == AGREEMENT
