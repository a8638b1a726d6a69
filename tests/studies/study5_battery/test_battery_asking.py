"""The battery as it is administered. Oracles: conversations written by hand; closed counts."""

import math
from dataclasses import replace

import pandas as pd
import pytest

from metacog.collect.jobs import targets
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.engines.requests import Chosen
from metacog.studies import get_study
from metacog.studies.study5_battery import replication_trials
from metacog.studies.study5_battery.asking.collection import Battery
from metacog.studies.study5_battery.asking.items import battery
from metacog.studies.study5_battery.settings import Settings

ONE = Battery()


def talk(item, *reported, scored=True, answers="texts"):
    """Drive a conversation with the replies given, an answer by its letter; requests and the trial."""
    settings = Settings(form=1, answers=answers)
    asking, asked, replies = ONE.ask(item, settings), [], []
    try:
        request = next(asking)
        for choice in reported:
            asked.append(request)
            n = len(request.options)
            if request.options == item.options and choice:
                choice = item.options["ABCD".index(choice)]
            p = tuple(0.7 if o == choice else 0.3 / (n - 1) for o in request.options)
            values = (tuple(map(math.log, p)), p) if scored else [(math.nan,) * n] * 2
            form = "label" if scored else "parsed"
            replies.append(Chosen(request.options, *values, choice, form, asked=request.turns))
            request = asking.send(replies[-1])
        raise AssertionError(f"one more request: {request.turns[-1]}")
    except StopIteration:
        pass
    (row,) = ONE.read(item, replies, settings)
    return asked, row


def item_of(track, item_type=""):
    return next(i for i in battery() if i.track == track and item_type in ("", i.item_type))


@pytest.mark.parametrize("answers", ["texts", "letters"])
def test_an_answer_then_keep_then_bet_each_behind_the_last(answers):
    item = item_of("T3")
    options = {"texts": item.options, "letters": ("A", "B")}[answers]
    asked, row = talk(item, item.key, "WITHDRAW", "BET", answers=answers)
    assert [r.options for r in asked] == [options, ("KEEP", "WITHDRAW"), ("BET", "NO_BET")]
    shown = asked[0].turns[-1]["content"]
    assert item.question in shown and all(o in shown for o in item.options)
    assert ("A) " in shown) == (answers == "letters")
    answered = options["AB".index(item.key)]
    assert [t["content"] for t in asked[2].turns if t["role"] == "assistant"] == [answered, "WITHDRAW"]
    assert row["correct"] and (row["keep_withdraw"], row["bet_nobet"], row["path"]) == ("WITHDRAW", "BET", "")
    assert row["p_key"] == row["p_answer"] == 0.7 and row["p_keep"] == pytest.approx(0.3)
    assert row["p_bet"] == 0.7 and row["logprob_withdraw"] == pytest.approx(math.log(0.7))
    assert math.isnan(row["points"]) and row["bad_reply"] == "" and row["parse_status"] == "ok"


@pytest.mark.parametrize(
    ("path", "right", "points"),
    [
        *[("ANSWER_DIRECTLY", True, 1), ("ANSWER_DIRECTLY", False, 0)],
        *[("REQUEST_HINT", True, 0.5), ("REQUEST_HINT", False, 0.1)],
    ],
)
def test_t6_asks_for_the_path_first_and_gives_the_hint_if_it_is_asked_for(path, right, points):
    item = item_of("T6")
    letter = item.key if right else next(a for a in item.letters if a != item.key)
    asked, row = talk(item, path, letter, "KEEP", "BET")
    assert asked[0].options == ("ANSWER_DIRECTLY", "REQUEST_HINT", "DECLINE")
    first, second = asked[0].turns[-1]["content"], asked[1].turns[-1]["content"]
    assert item.question in first and all(p in first for p in ("1 point", "0.5 points", "0.1", "0.25 points"))
    assert item.hint not in first and (item.hint in second) == (path == "REQUEST_HINT")
    assert row["points"] == points and row["path"] == path and row["correct"] is right


def test_a_declined_item_is_a_trial_without_an_answer():
    asked, row = talk(item_of("T6"), "DECLINE")
    assert len(asked) == 1 and row["answer"] == "" and not row["correct"] and row["points"] == 0.25
    assert row["keep_withdraw"] == row["bet_nobet"] == "" and row["bad_reply"] == ""


def test_a_prospective_item_is_forecast_before_its_options_are_seen():
    item = item_of("T2", "prospective")
    asked, row = talk(item, "NO", item.key, "KEEP", "NO_BET")
    assert [item.options[0] in request.turns[-1]["content"] for request in asked[:2]] == [False, True]
    assert row["forecast"] == "NO" and row["p_forecast"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("track", "reported", "bad"),
    [
        *[("T3", ("",), "answer"), ("T3", ("A", "", "BET"), "keep"), ("T3", ("A", "KEEP", ""), "bet")],
        *[("T6", ("",), "path"), ("T6", ("ANSWER_DIRECTLY", ""), "answer")],
    ],
)
def test_a_reply_that_names_no_option_is_lost_and_nothing_stands_in_its_place(track, reported, bad):
    asked, row = talk(item_of(track), *reported, scored=False)
    assert row["bad_reply"] == bad and row["parse_status"] == "unclear" and row["form"] == "parsed"
    if bad == "keep":
        assert row["keep_withdraw"] == "" and row["bet_nobet"] == "BET" and math.isnan(row["p_keep"])
    frame = pd.DataFrame([{**row, "model": "m", "dataset": "form-1", "question_id": "i"}])
    assert replication_trials.responses(frame).empty
    counted = replication_trials.asked(frame).iloc[0]
    assert (counted["asked"], counted["usable"], counted["requests"]) == (1, 0, len(asked))


def test_settings_are_checked_and_forms_are_sets():
    made = Settings(forms=(1, 2), limit=24)
    assert list(made.sets()) == ["form-1", "form-2"]
    first, second = (ONE.items(s, {}) for s in made.sets().values())
    assert len(first) == len(second) == 24 and {i.track for i in second} == {"T1", "T4", "T5"}
    for wrong, reported in (
        ({"tracks": ("T7",)}, "no track T7"),
        ({"forms": ()}, "each form once"),
        ({"forms": (1, 1)}, "each form once"),
        ({"forms": (0,)}, "whole numbers from 1"),
        ({"limit": 0}, "at least 1"),
        ({"temperature": -1}, "at least 0"),
        ({"answers": "words"}, "answers must be texts or letters, not 'words'"),
    ):
        with pytest.raises(MetacogError, match=reported):
            Settings(**wrong)


def test_profiles_ask_one_model_by_default_and_both_on_two_forms_in_the_profile_battery():
    study, default = get_study("study5_battery"), load_profile("default")

    def asked(profile, **options):
        return {(t.model, t.dataset) for t in targets(study, profile, **options)}

    added = replace(default, models=("smollm2-135m", "gemma3-270m", "llama3-8b-instruct"))
    assert asked(added) == {("smollm2-135m", "form-1"), ("llama3-8b-instruct", "form-1")}
    assert asked(default) == {("smollm2-135m", "form-1")}
    assert sum(len(p.items) for t in targets(study, default) for p in t.plans()) == 80
    both = {(m, f) for m in ("smollm2-135m", "gemma3-270m") for f in ("form-1", "form-2")}
    assert asked(load_profile("battery")) == both
    assert asked(default, models=["gemma3-270m"]) == {("gemma3-270m", "form-1")}
