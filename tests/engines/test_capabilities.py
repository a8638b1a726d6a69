"""What an engine can do. Oracles: scripted servers whose faults are switches, and the local engine's template."""

from __future__ import annotations

import json
import math
import re

import httpx2
import pytest
from scripted_chat import ChatApi, connect
from scripted_server import Script
from scripted_server import connect as scripted
from test_endpoint import tasks

from metacog.collect.prompts import Prompt
from metacog.core.errors import MetacogError
from metacog.engines.base import EngineInfo
from metacog.engines.capabilities import WORDS, Capabilities
from metacog.engines.endpoint.held import ASK, CANNOT, Way, held, ways
from metacog.engines.endpoint.replies import untold_generation
from metacog.engines.engine import parsed
from metacog.engines.requests import Choose, Conversation, Generate, user
from metacog.engines.thinking import Rule

FORM = Prompt("p", "chat", "{question}", ())
TEMPERED = "after the temperature|0 as the log-probability"
UNTOLD = {"own_logprobs", "score_text", "score_options"}


def test_what_is_lacking_comes_with_its_reason():
    can = Capabilities(own_logprobs=False, score_text=False, why={"own_logprobs": "it is not told"})
    assert can.lacking(("own_logprobs", "seeds")) == {"own_logprobs": "it is not told"}
    assert can.lacking(("score_text",)) == {"score_text": "its engine cannot score given texts"}
    assert Capabilities().lacking(name for name in WORDS if name != "thinking") == {}
    assert EngineInfo("e", "m", None).capabilities == Capabilities()


def test_a_sound_server_of_completions_can_do_everything():
    with scripted(Script()) as engine:
        assert engine.info.capabilities == Capabilities()


@pytest.mark.parametrize(
    ("api", "switches", "lacks", "reason"),
    [
        ("completions", {"echo": False}, {"score_text"}, "does not echo"),
        ("completions", {"echo_shift": 1}, {"score_text"}, "own tokens"),
        ("completions", {"echo": False, "refuses": ("seed",)}, {"score_text", "seeds"}, "does not echo"),
        ("chat", {}, {"score_text"}, "chat API cannot score"),
        ("chat", {"system": False}, {"score_text", "system_turns"}, "chat API cannot score"),
        *((api, {"tempered": True}, UNTOLD, TEMPERED) for api in ("chat", "completions")),
        *((api, {"tempered": True, "tops": False}, UNTOLD, TEMPERED) for api in ("chat", "completions")),
        *((api, {"logprobs": False}, UNTOLD, "returns no token log-prob") for api in ("chat", "completions")),
        *((api, {"shift": 1}, UNTOLD, "own tokens") for api in ("chat", "completions")),
        ("completions", {"shift": 1, "tops": False}, UNTOLD, "one place off|disagree"),
    ],
)
def test_the_probe_finds_out_what_a_server_cannot_do_and_why(api, switches, lacks, reason):
    with scripted(Script(**switches), api=api) as engine:
        can = engine.info.capabilities
        made = [one for row in engine.generate(tasks(2), max_tokens=3) for one in row]
    if "own_logprobs" in lacks:
        assert all(one.token_logprobs == () and math.isnan(one.sum_logprob) for one in made)
    found = {name for name in WORDS if name != "thinking" and not getattr(can, name)}
    assert found == lacks | {"hold_options"} == set(can.why)
    assert re.search(reason, can.why[sorted(lacks)[0]])
    assert "follows no grammar" in can.why["hold_options"]


@pytest.mark.parametrize("refuses", [False, True], ids=["passed over", "refused"])
def test_a_chat_api_without_log_probabilities_answers_all_the_same(refuses):
    def ask():
        told = yield Generate((user("Q: What do bees make?"),), 8, (0.7,), n=2)
        yield Choose((*told.turns(), user("Keep it? Reply KEEP or WITHDRAW.")), ("KEEP", "WITHDRAW"))

    api = ChatApi(refuses=refuses)
    with connect(api) as engine:
        made, chosen = engine.serve([Conversation(ask(), FORM)])[0]
        with pytest.raises(MetacogError, match="log-probabilities"):
            engine.score("Q: x", [" y"])
        settings = engine.info.settings
    one = made.samples[0]
    assert one.text and one.token_logprobs == () and math.isnan(one.nlp) and one.n_tokens > 1
    assert (chosen.form, chosen.chosen) == ("parsed", chosen.text) and math.isnan(chosen.probabilities[0])
    assert not any("logprobs" in body or "top_logprobs" in body for body in api.bodies[-3:])
    assert settings["logprob_shift_over_temperatures"] is None
    assert json.loads(json.dumps(settings)) == settings


def choosing(options, **more):
    """A conversation that chooses once."""

    def ask():
        yield Choose((user("Say whatever you like."),), options, **more)

    return Conversation(ask(), FORM)


#: Options that plain parsing confuses: one within another, quotes, a line's end, letters beyond ASCII.
AWKWARD = ("yes", "yes, but not now", 'say "no"', "no\\n", "Zürich")


@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("strict", [False, True], ids=["passes over", "refuses"])
def test_a_written_choice_is_held_to_its_options_where_the_server_can(way, strict):
    api = ChatApi(holds=way.value, strict=strict)
    with connect(api) as engine:
        info = engine.info
        assert info.capabilities.hold_options and not info.capabilities.score_options
        assert info.settings["choices_held_by"] == way.value
        examined = len(api.bodies)
        talks = [choosing(AWKWARD, seed=seed, temperature=1.0) for seed in range(20)]
        made = [replies[0] for replies in engine.serve(talks)]
    assert len(api.bodies) == examined + 20 and all(way.value in body for body in api.bodies[examined:])
    assert {one.form for one in made} == {"parsed"} and {one.chosen for one in made} == set(AWKWARD)
    most = max(len(json.dumps(option, ensure_ascii=False).encode()) for option in AWKWARD)
    assert all(body["max_tokens"] >= most for body in api.bodies[examined:])


@pytest.mark.parametrize("strict", [False, True], ids=["passes over", "refuses"])
def test_a_choice_is_parsed_where_the_server_holds_to_nothing(strict):
    api = ChatApi(strict=strict)
    with connect(api) as engine:
        (made,), *others = engine.serve([choosing(("A", "B")) for _ in range(5)])
        info = engine.info
    assert made.form == "parsed" and made.chosen in ("A", "B") and "choices_held_by" not in info.settings
    assert len(others) == 4 and sum(body["messages"][-1]["content"] == ASK for body in api.bodies) == len(Way)
    assert info.capabilities.lacking(["hold_options"]) == {"hold_options": CANNOT}
    asked = [body for body in api.bodies if body["messages"][-1]["content"] == "Say whatever you like."]
    assert len(asked) == 5 and not any(set(body) & {way.value for way in Way} for body in asked)


def test_an_answer_that_is_cut_short_of_its_option_is_read_as_plain_text():
    request = Choose((user("?"),), ("KEEP", "WITHDRAW"))
    assert held(Way.GRAMMAR, " KEEP", request) == "KEEP" == held(Way.SCHEMA, '{"choice": "KEEP"}', request)
    for text in ("WITH", '{"choice": "WITH', '{"choice": 3}', "[]", ""):
        assert held(Way.SCHEMA, text, request) == "" == held(Way.GRAMMAR, text, request)
    assert parsed(request, '{"choice": "KEEP", "wh').chosen == "KEEP"


def test_where_the_model_thinks_first_no_answer_is_held():
    api = ChatApi(holds="grammar")
    with connect(api, thinking="strip") as engine:
        ((made,),) = engine.serve([choosing(("A", "B"))])
        why = engine.info.capabilities.why["hold_options"]
    assert made.form == "parsed" and "thoughts" in why
    assert not any("grammar" in body for body in api.bodies)


def test_the_server_of_completions_is_asked_for_no_object():
    assert Way.SCHEMA in ways(True) and set(ways(True)) - set(ways(False)) == {Way.SCHEMA}


def reply(text, finish="stop", usage=None):
    return {"choices": [{"message": {"content": text}, "finish_reason": finish}], "usage": usage}


@pytest.mark.parametrize(
    ("payload", "stop", "text", "n", "truncated"),
    [
        (reply("Rome", usage={"completion_tokens": 5}), (), "Rome", 5, False),
        (reply("Rome it is"), (), "Rome it is", 3, False),
        (reply("Rome\nQ: more", "length"), ("\n",), "Rome", 3, False),
        (reply("Rome and", "length"), (), "Rome and", 2, True),
        (reply(""), (), "", 0, False),
        (reply(None), (), "", 0, False),
    ],
)
def test_an_answer_without_log_probabilities(payload, stop, text, n, truncated):
    made = untold_generation(payload, stop)
    assert (made.text, made.n_tokens, made.truncated) == (text, n, truncated)
    assert math.isnan(made.sum_logprob) and math.isnan(made.nlp) and made.stop_logprob is None


def test_think_blocks_are_refused_or_taken_off_without_tokens_too():
    thought = reply("<think>hmm, well</think>\n\nRome", usage={"completion_tokens": 9})
    with pytest.raises(MetacogError, match="thinks before it answers"):
        untold_generation(thought, ())
    made = untold_generation(thought, ("\n",), thinking=Rule.STRIP)
    assert (made.text, made.n_tokens + made.n_thought) == ("Rome", 9) and made.n_thought > made.n_tokens
    cut = untold_generation(reply("<think>hmm", "length"), (), thinking=Rule.STRIP)
    assert cut.unanswered and cut.truncated and cut.text == ""
    opened = untold_generation(reply("hmm</think>Rome"), (), thinking=Rule.STRIP, opened=True)
    assert opened.text == "Rome"


def test_a_server_that_refuses_a_plain_request_is_still_refused():
    def no(request):
        return httpx2.Response(400, json={"error": {"message": "model not found"}})

    with pytest.raises(MetacogError, match="refused the request"):
        connect(no)
