"""The same turns by file and over chat. Oracle: the file's own chat template, with one sequence decoded at a time."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from real_servers import python_server

from metacog.collect.models import ModelEntry, get_model, locate
from metacog.collect.plan import collection_of, make_plan, settings_of
from metacog.collect.prompts import CHAT
from metacog.commands._adding import PROMPTS
from metacog.core.config import Profile
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.llama import LlamaEngine
from metacog.engines.requests import Chosen, Generated, request_digest
from metacog.studies import get_study

#: Share of answers to the same turns that are to be equal by file and over chat.
WANTED_EQUAL = 0.95
#: Room for the longest prompt of the studies, in tokens.
N_CTX = 2048
#: Questions of study 1 and items of the others that are asked here.
QUESTIONS, ITEMS = 60, 10

#: Prompts of two ways of asking: turns, and turns with the examples in one.
FORMS = {
    "turns": CHAT,
    "one turn": {**CHAT, "fewshot": PROMPTS["base"]["fewshot"]},
}


def studies_asked(questions, items=20):
    """A collection of each study with settings at temperature 0: questions of study 1, about so many items of others.

    Study 5 is asked for letters, which are read alike by file and over chat; options that are longer are scored by file
    and written out over chat.
    """
    bank = {"datasets": {"bank": {"limit": questions}}, "temperatures": [0.0], "max_tokens": 24}
    science = {"sets": {"science": "bank:Science"}, "n_questions": items, "temperature": 0.0}
    probe = {"items_per_task": items // 5, "resampled": [], "draws": 0, "examples": True}
    return {
        "study1_qa": ("open", bank),
        "study2_two_choice": ("confidence", {"n_sentences": items // 2, "temperature": 0.0}),
        "study3_dmc": ("position", science),
        "study4_probe": ("probe", probe),
        "study5_battery": ("battery", {"limit": 6 * (items // 5), "answers": "letters"}),
    }


class Said(NamedTuple):
    """An answer: the digest of what was asked, how it was read, and the text written first or the option taken."""

    asked: str
    form: str
    text: str

    @classmethod
    def of(cls, made):
        """Of a request and its reply."""
        reply, asked = made.reply, request_digest(made.request)
        assert isinstance(reply, Generated | Chosen)
        if isinstance(reply, Generated):
            return cls(asked, "written", reply.text)
        return cls(asked, reply.form, reply.chosen)


def put(engine, prompts, study, collection, settings):
    """Ask a study's items in one form: each answer by set, item, step and place."""
    entry = ModelEntry("asked", "Asked", "instruct", {"path": "asked.gguf"}, "0" * 64, prompts)
    profile, asked = Profile("check", (entry.name,), {study: settings}, {}), get_study(study)
    answers = {}
    for name in collection_of(asked, collection).sets(settings_of(asked, profile)):
        plan = make_plan(asked, collection, profile, entry, name)
        talks = [plan.conversation(number) for number in range(len(plan.items))]
        engine.serve(talks)
        for item, talk in zip(plan.items, talks, strict=True):
            for made in talk.exchanges:
                answers[name, item.id, made.step, made.index] = Said.of(made)
    return answers


def shared(one, other):
    """For each answer to the same turns that was read alike, whether both are equal.

    What follows another answer is other turns; choices may be scored by file and written out over chat.
    """
    both = [(one[place], answer) for place, answer in other.items() if place in one]
    return [a.text == b.text for a, b in both if a.asked == b.asked and a.form == b.form]


@pytest.fixture(scope="module")
def both():
    """A file, and the server of llama-cpp-python that has loaded it."""
    path, _ = locate(get_model("smollm2-135m"))
    with (
        python_server(path, N_CTX) as url,
        EndpointEngine(url, "smollm2", api="chat", concurrency=1) as server,
        LlamaEngine(path, n_ctx=N_CTX, width=1, n_seq=1, flash_attn=False) as file,
    ):
        yield file, server


@pytest.mark.real
@pytest.mark.timeout(1500)
def test_the_same_turns_get_the_same_answers_by_file_and_over_chat(both):
    equal = {}
    for study, asked in studies_asked(QUESTIONS, ITEMS).items():
        by_file, by_chat = (put(engine, FORMS["turns"], study, *asked) for engine in both)
        equal[study] = shared(by_file, by_chat)
        assert len(equal[study]) >= ITEMS
    assert len(equal) == 5 and len(equal["study1_qa"]) == QUESTIONS
    assert sum(equal["study1_qa"]) >= WANTED_EQUAL * QUESTIONS
    together = [one for study in equal.values() for one in study]
    assert sum(together) >= WANTED_EQUAL * len(together), {s: sum(e) / len(e) for s, e in equal.items()}


@pytest.mark.real
def test_examples_in_one_turn_get_other_answers(both):
    """The comparison tells two forms apart: the text with its examples in one turn, as a server was once asked."""
    file, server = both
    study, asked = "study1_qa", studies_asked(12)["study1_qa"]
    turns, flat = put(file, FORMS["turns"], study, *asked), put(server, FORMS["one turn"], study, *asked)
    assert len(shared(turns, flat)) == 12 and sum(shared(turns, flat)) <= 2
