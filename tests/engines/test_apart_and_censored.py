"""Replies whose log-probabilities are censored, and thoughts in a field of their own. Oracles: replies by hand."""

import json
import math

import httpx2
import pytest
from scripted_server import URL, Script, connect

from metacog.core.errors import MetacogError
from metacog.engines.base import GenerationTask, Sample, Served, Spent
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.endpoint.chat import with_switches
from metacog.engines.endpoint.reading import MissingLogprobs, read_reply
from metacog.engines.endpoint.replies import to_generation, untold_generation
from metacog.engines.endpoint.scored import single_token_logprobs
from metacog.engines.endpoint.told import read_served, read_usage
from metacog.engines.thinking import Rule

LOWEST = -3.4028234663852886e38  # the lowest float of 32 bits, as one server writes it


def chat(pieces, text, values=None, *, finish="stop", usage=None, tops=(), **message):
    values = [-0.5] * len(pieces) if values is None else values
    rows = [
        {"token": p, "logprob": v, "bytes": list(p.encode()), "top_logprobs": list(tops)}
        for p, v in zip(pieces, values, strict=True)
    ]
    choice = {
        "message": {"content": text, **message},
        "logprobs": {"content": rows} if rows else None,
        "finish_reason": finish,
    }
    return {"choices": [choice], **({"usage": usage} if usage else {})}


def used(read=None, written=None, hidden=None, **more):
    """A server's count of tokens."""
    counts = {"prompt_tokens": read, "completion_tokens": written} | more
    details = {"completion_tokens_details": {"reasoning_tokens": hidden}} if hidden else {}
    return {name: n for name, n in counts.items() if n is not None} | details


# --- censoring


@pytest.mark.parametrize("sentinel", [-9999.0, LOWEST, None])
def test_a_censored_token_is_missing_and_counted_and_so_is_the_answers_nlp(sentinel):
    made = to_generation(
        read_reply(chat([" Paris", " it", "\n"], " Paris it", [-0.1, sentinel, -0.2])), ("\n",)
    )
    assert made.token_logprobs[0] == -0.1 and math.isnan(made.token_logprobs[1])
    assert (made.n_tokens, made.n_censored) == (2, 1)
    assert math.isnan(made.nlp) and math.isnan(made.sum_logprob) and made.stop_logprob == -0.2
    whole = to_generation(read_reply(chat([" Paris", "\n"], " Paris", [-0.1, sentinel])), ("\n",))
    assert whole.n_censored == 0 and whole.nlp == -0.1 and whole.stop_logprob is None


def test_an_answer_of_one_improbable_token_is_censored_and_one_of_nulls_alone_was_dropped():
    assert to_generation(read_reply(chat(["Rome"], "Rome", [-9999.0])), ()).n_censored == 1
    with pytest.raises(MissingLogprobs):
        read_reply(chat(["Ro", "me"], "Rome", [None, None]))
    with pytest.raises(MissingLogprobs):
        read_reply(chat([], "Rome"))


def test_alternatives_that_are_not_told_are_no_options():
    tops = [
        {"token": "A", "logprob": -0.1},
        {"token": "B", "logprob": -9999.0},
        {"token": "C", "logprob": None},
    ]
    reply = read_reply(chat(["A"], "A", [-0.1], tops=tops))
    assert reply.tops == ({"A": -0.1},)
    with pytest.raises(MetacogError, match="'B' is not among the 1 most probable"):
        single_token_logprobs(reply, ["A", "B"], "nothing else is told")


# --- thoughts in a field of their own


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize(
    ("pieces", "text", "n_thought", "n_tokens"),
    [
        (["Rome", "<|im_end|>"], "Rome", 4, 1),  # the answer's tokens alone; four words of thoughts
        (["<think>", "It", " is", " Rome", "</think>", "\n\n", "Rome"], "Rome", 6, 1),
        (["It", " is", " Rome", "Rome", " it", " is"], "Rome it is", 3, 3),  # marks left out by the server
    ],
)
def test_only_the_answers_tokens_are_counted(field, pieces, text, n_thought, n_tokens):
    values = [-1.0 - i for i in range(len(pieces))]
    payload = chat(pieces, text, values, **{field: "It is Rome indeed"})
    made = to_generation(read_reply(payload), (), thinking=Rule.APART)
    first = pieces.index("Rome")
    assert (made.text, made.n_thought, made.n_tokens) == (text, n_thought, n_tokens)
    assert made.token_logprobs == tuple(values[first : first + n_tokens]) and not made.unanswered


def test_the_servers_own_count_of_reasoning_goes_before_all_others():
    usage = used(9, 41, 40)
    made = to_generation(read_reply(chat(["Rome"], "Rome", usage=usage)), (), thinking=Rule.APART)
    assert (made.text, made.n_thought, made.n_tokens) == ("Rome", 40, 1)
    with pytest.raises(
        MetacogError, match="counts thoughts apart"
    ):  # hidden reasoning is thinking, text or not
        to_generation(read_reply(chat(["Rome"], "Rome", usage=usage)), (), thinking=Rule.STRIP)


def test_a_reply_that_ends_while_the_model_thinks_is_unanswered():
    thoughts = chat(["It", " is"], "", finish="length", reasoning_content="It is")
    hidden = chat([], "", finish="length", usage=used(9, 16, 16))
    for payload, n_thought in ((thoughts, 2), (hidden, 16)):
        made = to_generation(read_reply(payload), (), thinking=Rule.APART)
        assert made.unanswered and made.truncated and (made.text, made.n_thought) == ("", n_thought)


def test_answers_whose_tokens_cannot_be_told_from_thoughts_have_no_nlp():
    payload = chat(["thoughts", " in", " other", " words"], "Rome it is", reasoning_content="Shortened.")
    made = to_generation(read_reply(payload), (), thinking=Rule.APART)
    assert made.text == "Rome it is" and made.n_tokens == 3 and math.isnan(made.nlp)


def test_a_server_that_gives_thoughts_twice_has_them_taken_off_once():
    pieces = ["<think>", "It", " is", "</think>", "\n", "Rome"]
    payload = chat(pieces, "<think>It is</think>\nRome", reasoning_content="It is")
    for rule in (Rule.APART, Rule.STRIP):
        made = to_generation(read_reply(payload), (), thinking=rule)
        assert (made.text, made.n_thought, made.n_tokens) == ("Rome", 5, 1)


@pytest.mark.parametrize("rule", [Rule.REFUSE, Rule.STRIP, Rule.STRIP_OPENED])
def test_no_other_rule_takes_a_field_of_thoughts(rule):
    with pytest.raises(MetacogError, match="thinks before it answers.*apart from the answer"):
        to_generation(read_reply(chat(["Rome"], "Rome", reasoning_content="Hm.")), (), thinking=rule)


def test_an_engine_under_the_rule_asks_without_stop_texts_and_counts():
    script = Script(reasoning=True)
    with connect(script, api="chat", thinking="apart", reasoning_effort="low") as engine:
        task = GenerationTask("Q: 1", (Sample(0.0, 3),))
        ((made,),) = engine.generate([task], max_tokens=24, stop=("\n",))
        assert engine.info.settings["thinking"] == "apart"
        assert engine.info.settings["extra_body"] == {"reasoning_effort": "low"}
    with connect(Script(), api="chat") as engine:
        ((plain,),) = engine.generate([task], max_tokens=24, stop=("\n",))
    assert made.token_logprobs == plain.token_logprobs and made.text == plain.text
    assert made.n_thought == 3 and plain.n_thought == 0  # "Let me think."
    assert "stop" not in script.bodies[-1] and script.bodies[-1]["reasoning_effort"] == "low"


def test_effort_is_for_the_chat_api_and_given_once():
    assert with_switches(None, None, "chat", "high") == {"reasoning_effort": "high"}
    with pytest.raises(MetacogError, match="reasoning_effort is for `api: chat`"):
        with_switches(None, None, "completions", "low")
    with pytest.raises(MetacogError, match="give it once"):
        with_switches({"reasoning_effort": "low"}, None, "chat", "low")


# --- what an answer took, and who made it


@pytest.mark.parametrize(
    ("usage", "spent"),
    [
        (used(7, 3), Spent(7, 3, 0)),
        (used(7, 3) | {"completion_tokens_details": None}, Spent(7, 3, 0)),
        (used(7, 30, 20, total_tokens=37), Spent(7, 30, 20)),
        (used(7, 3, 20, total_tokens=30), Spent(7, 23, 20)),  # counted next to the answer, not in it
        (used(7), None),
        (used(True, 1), None),
        ([], None),
        (None, None),
    ],
)
def test_usage(usage, spent):
    assert read_usage(usage) == spent


def test_who_answered_without_paths_of_their_machine():
    made = {"model": "/srv/models/some-7b.gguf", "provider": "Somebody", "system_fingerprint": "b1"}
    assert read_served(made) == Served("some-7b.gguf", "Somebody", "b1")
    assert read_served({"model": "owner/name"}) == Served("owner/name")
    assert read_served({"choices": []}) is None and read_served([]) is None


def test_another_models_answer_is_not_taken():
    def other(number, request):
        if number != 40:
            return None
        _, data = script.answer(json.loads(request.content))
        return httpx2.Response(200, json=data | {"model": "cheaper"})

    script = Script()
    tasks = [GenerationTask(f"Q: {i}", (Sample(0.0, i),)) for i in range(40)]
    with connect(script, other) as engine:
        made = engine.generate(tasks, max_tokens=3)
        assert engine._client.wire.retried == 1
        assert engine.info.settings["served_model"] == "scripted"
    with connect(Script()) as engine:
        assert engine.generate(tasks, max_tokens=3) == made


def test_a_server_that_tells_no_log_probabilities_and_thinks_apart():
    """By its own count of reasoning, or the words of its thoughts; under another rule it is refused at once."""
    usage = used(9, 44, 40)
    hidden = untold_generation(chat([], "Rome it is", usage=usage), ("\n",), thinking=Rule.APART)
    assert (hidden.text, hidden.n_thought, hidden.n_tokens) == ("Rome it is", 40, 4)
    spoken = untold_generation(chat([], "Rome", reasoning_content="It is Rome."), (), thinking=Rule.APART)
    assert (spoken.n_thought, spoken.n_tokens) == (3, 1) and math.isnan(spoken.nlp)
    cut = untold_generation(chat([], "", finish="length", reasoning="It"), (), thinking=Rule.APART)
    assert cut.unanswered and cut.truncated

    def server(request):
        body = json.loads(request.content)
        cut = body["max_tokens"] < 9
        made = chat(
            [], "" if cut else "Rome", finish="length" if cut else "stop", reasoning_content="It is Rome."
        )
        return httpx2.Response(200, json=made)

    options = {"transport": httpx2.MockTransport(server)}
    with EndpointEngine(URL, "m", api="chat", thinking="apart", **options) as engine:
        ((made,),) = engine.generate([GenerationTask("Q", (Sample(0.0, 1),))], max_tokens=24)
        assert made.text == "Rome" and made.n_thought == 3 and not engine.info.capabilities.own_logprobs
    with pytest.raises(MetacogError, match="thinks before it answers"):
        EndpointEngine(URL, "m", api="chat", **options)
