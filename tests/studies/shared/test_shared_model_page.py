"""The page of one model. Oracle: parts whose order is known because they were simulated so."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.collect.models import ModelEntry, get_model, load_models
from metacog.collect.prompts import CHAT
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study, results
from metacog.studies.shared import model_page
from metacog.studies.shared.model_headlines import LEFT_OUT, NOT_RUN, UNUSABLE, why_absent
from metacog.studies.shared.model_page import (
    VIEWS,
    Answers,
    about,
    answers_of,
    at_temperature,
    prompts_of,
    reliability,
    served_runs,
)
from metacog.studies.study import Result


def trials(slopes: dict[str, float], n: int = 600) -> pd.DataFrame:
    """One model whose confidence tells right from wrong better in some domains, at two temperatures."""
    rng = np.random.default_rng(4)
    frames = []
    for temperature in (0.5, 1.0):
        for i, (domain, slope) in enumerate(slopes.items()):
            correct = rng.random(n) < 0.5
            frames.append(
                pd.DataFrame(
                    {
                        "model": "m",
                        "domain": domain,
                        "temperature": temperature,
                        "correct": correct,
                        "question_id": [f"{i}-{k}" for k in range(n)],
                        "nlp": -np.exp(rng.normal(size=n) - slope * correct),
                    }
                )
            )
    made = pd.concat(frames, ignore_index=True)
    return made.assign(confidence=np.exp(made["nlp"]), match=np.where(made["correct"], "exact", "none"))


def test_the_page_says_what_became_of_thoughts():
    given = trials({"a": 1.5})
    cut = given.index[(given["temperature"] == 1.0)][:7]
    given.loc[cut, ["nlp", "confidence"]] = np.nan
    given.loc[cut[:5], "match"], given.loc[cut[5:], "match"] = "unanswered", "empty"
    nearest, at, n_empty, n_unanswered = at_temperature(given, "m", 0.9)
    assert nearest == 1 and len(at) == 593 and at["nlp"].notna().all()
    told = {"n_empty": n_empty, "n_unanswered": n_unanswered, "answers": Answers(temperature=1.0, **ANSWERS)}
    words = VIEWS.sentences["opening"](SimpleNamespace(**told))
    assert "7 without" in words and "In 5" in words
    source = {"endpoint": {"url": "http://h/v1", "model": "m", "api": "chat"}}
    settings = {"thinking": "apart", "thought_tokens": 2000, "reasoning_effort": "low"}
    entry = ModelEntry("m", "M", "instruct", source, None, {}, settings=settings)
    rows = dict(about(entry, []).itertuples(index=False, name=None))
    assert (
        "rule apart" in rows["Thinking"] and "2,000" in rows["Thinking"] and "effort low" in rows["Thinking"]
    )
    switched = ModelEntry(
        "m", "M", "instruct", source, None, {}, settings={"chat_template_kwargs": {"enable_thinking": False}}
    )
    rows = dict(about(switched, []).itertuples(index=False, name=None))
    assert "enable_thinking: false" in rows["Thinking"]
    assert "Thinking" not in about(get_model("smollm2-135m"), [])[""].tolist()


def test_where_every_model_of_the_registry_comes_from_is_said_in_words():
    for entry in load_models().values():
        rows = dict(about(entry, []).itertuples(index=False, name=None))
        assert rows["Where it comes from"] not in entry.source, entry.name


ANSWERS = {"n": 40, "right": 13, "empty": 0, "read": 40, "levels": 40, "alike": 2, "commonest": "Denmark"}


def page_of(area: tuple[float, float, float] = (0.81, 0.7, 0.9), **changes) -> SimpleNamespace:
    """The page of a model with such answers, and with such an AUROC2."""
    answers = Answers(temperature=1.0, **ANSWERS | changes)
    overall = pd.DataFrame([dict(zip(("auroc2", "auroc2_lower", "auroc2_upper"), area, strict=True))])
    return SimpleNamespace(answers=answers, overall=overall, n_empty=0, n_unanswered=0, label="M")


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (page_of(), "In 81 of 100 pairs of a right and a wrong answer, M is surer of the right one."),
        (
            page_of((0.3, 0.2, 0.4)),
            "M is surer of its wrong answers: of 100 pairs with a right one, only 30 are",
        ),
        (
            page_of((0.6, 0.4, 0.8)),
            "Whether M is surer of its right answers than of its wrong ones cannot be",
        ),
        (page_of((0.6, np.nan, np.nan)), "cannot be told from 40 answers."),
        (page_of(right=0), "None of the 40 answers of M was right"),
        (page_of(right=40), "All 40 answers of M were right"),
        (page_of(empty=40, right=0, read=0, alike=0), "All 40 answers of M are empty"),
        (page_of(read=0, levels=0), "No confidence could be read in the 40 answers of M"),
        (page_of(levels=1), "M is equally sure of all 40 answers"),
    ],
)
def test_the_page_leads_with_what_its_answers_allow(page, words):
    head = VIEWS.sentences["answer"](page)
    assert words in head and faults(head) == []


def test_a_model_that_repeats_an_answer_is_told_so():
    told = VIEWS.sentences["opening"](page_of(alike=35))
    assert told.startswith("32 %") and "35 of" in told and "Denmark" in told
    assert "Denmark" not in VIEWS.sentences["opening"](page_of(alike=20))


def test_reliability_counts_answers_in_bins_at_two_temperatures():
    given = trials({"a": 1.5}, n=50)
    bins = reliability(given, 1.0)
    assert set(bins["sampling"]) == {"temperature 0.5", "temperature 1"} and bins["n"].sum() == 100
    hot, low = given[given["temperature"] == 1], bins[bins["sampling"] == "temperature 1"].iloc[0]
    first = hot[hot["confidence"] < 0.1]
    assert (low["n"], low["right"]) == (len(first), pytest.approx(first["correct"].mean()))
    assert low["right_lower"] <= low["right"] <= low["right_upper"]


def test_answers_are_counted_at_one_temperature():
    given = trials({"a": 1.5}, n=10).assign(text="Denmark ", correct=False)
    cold = given["temperature"] == 0.5
    given.loc[cold, "correct"] = True
    hot = given.index[~cold]
    given.loc[hot[:3], ["text", "nlp", "confidence"]] = [" ", np.nan, np.nan]
    given.loc[hot[3], "text"] = "Peru"
    assert answers_of(given, "m", 0.9) == Answers(1.0, 10, 0, 3, 7, 7, 6, "Denmark")
    assert answers_of(given, "m", 0.1).right == 10
    with pytest.raises(MetacogError, match="no trials of 'other'"):
        answers_of(given, "other", 1.0)


def test_a_model_that_was_not_asked_is_told_from_one_whose_replies_are_of_no_use():
    default, battery = load_profile("default"), get_study("study5_battery")
    assert "gemma3-270m" in default.studies[battery.name]["without"]
    assert why_absent(battery, default, "gemma3-270m") == LEFT_OUT
    assert why_absent(battery, default, "smollm2-135m") == UNUSABLE
    assert why_absent(get_study("study1_qa"), default, "gemma3-270m") == UNUSABLE
    assert why_absent(get_study("study1_qa"), load_profile("battery"), "gemma3-270m") == NOT_RUN
    study = get_study("shared")
    analysis = study.analysis("model_page")
    open_ = {**default.studies["study1_qa"], "without": ["gemma3-270m"]}
    left = dataclasses.replace(default, studies={**default.studies, "study1_qa": open_})
    for profile, why in ((load_profile("battery"), NOT_RUN), (left, LEFT_OUT)):
        inputs = results.Inputs(study, profile, analysis, {"model": "gemma3-270m"})
        record = Result(analysis(inputs, model="gemma3-270m"))
        assert VIEWS.sentences["answer"](record).endswith(f"were {why}.")
        assert faults(VIEWS.sentences["answer"](record)) == [] and record.domains.empty


CHAT_TURNS = "in turns of a chat, by the template of its server"


def test_the_page_says_in_which_form_a_model_was_asked():
    source = {"endpoint": {"url": "http://h/v1", "model": "m", "api": "chat"}}
    old = {**CHAT, "fewshot": "fewshot-v1"}
    for prompts, words in ((CHAT, CHAT_TURNS), (old, "one turn of a")):
        entry = ModelEntry("m", "M", "instruct", source, None, prompts)
        rows = dict(
            about(entry, prompts_of(entry, load_profile("default"))).itertuples(index=False, name=None)
        )
        first, second = rows["Asked"].split("; ")
        assert first.startswith(f"{prompts['fewshot']}: ") and words in first
        assert second.startswith("plain-chat-v1: ") and CHAT_TURNS in second


SERVED = "m-1 / Somebody / f"


def test_runs_of_an_endpoint_are_on_its_page_and_those_of_a_file_are_not(monkeypatch):
    profile = load_profile("smoke")
    assert served_runs(get_model("smollm2-135m"), profile).empty
    manifest = {
        "config": {"model": "api", "dataset": "bank", "prompt": {"id": "p"}},
        "parts": {"0": {"seconds": 2.0, "rows": 4, "served": [[*SERVED.split(" / "), 4]], "censored": 1}},
        "sessions": [],
        "damaged": [],
        "engine": {"engine": "endpoint"},
        "spent": {"requests": 20, "hidden": 3, "cost": 0.5},
        "twice": {"share": 0.1, "items": 1, "same": 1, "compared": 0},
    }

    def manifests(study, profile, collection, *, models):
        return [manifest] if (study.name, collection, models) == ("study1_qa", "open", ["api"]) else []

    monkeypatch.setattr(model_page, "manifests", manifests)
    entry = ModelEntry("api", "API", "instruct", {"endpoint": {"url": "u", "model": "m"}}, None, {})
    (row,) = served_runs(entry, profile).to_dict("records")
    assert (row["collection"], row["served"], row["requests"]) == ("open", SERVED, 20)
    assert (row["censored"], row["twice_items"], row["cost"]) == (1, 1, 0.5)
