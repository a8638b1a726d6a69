"""Replies in another shape than the API's: read, or refused in the server's own words. Oracle: replies by hand."""

import copy
import json
import math
import random

import httpx2
import pytest
from scripted_server import Script, connect

from metacog.core.errors import MetacogError
from metacog.engines.base import GenerationTask, Sample
from metacog.engines.endpoint.http import BadReply
from metacog.engines.endpoint.reading import MissingLogprobs, read_reply
from metacog.engines.endpoint.replies import to_generation, untold_generation
from metacog.engines.endpoint.told import told_error, words_of
from metacog.engines.requests import Choose, Conversation, Generate, user
from metacog.engines.thinking import Rule


def replaced(change, chat=True):
    """A scripted server's answers, changed."""
    script = Script()

    def fault(number, request):
        body = json.loads(request.content)
        answer = change(script.answer(body)[1], number)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        return httpx2.Response(200, content=data)

    return connect(script, fault, api="chat" if chat else "completions", retries=2, limit_wait=5.0)


class Form:
    """Stands for a prompt."""

    stop, lead, mark = ("\n",), " ", ""

    def render(self, turns, engine):
        return "\n".join(turn["content"] for turn in turns)

    def messages(self, turns):
        return tuple(turns)


def asked_all(engine):
    """What collecting asks: capabilities, answers, a choice and samples."""

    def ask():
        yield Generate((user("Q: 1"),), 4, (0.0, 1.0))
        yield Choose((user("Q: A or B?"),), ("A", "B"), max_tokens=4)

    assert engine.info.capabilities is not None
    talk = Conversation(ask(), Form(), seed=("s", 1))
    engine.serve([talk])
    engine.generate([GenerationTask("Q: 2", (Sample(0.0, 1),), (user("Q: 2"),))], max_tokens=3)
    return talk.replies


# --- errors under status 200

ERRORS = [
    ({"error": {"message": "Provider went away", "code": 502}, "choices": None}, 502),
    ({"error": {"message": "Provider went away", "code": "429"}}, 429),
    ({"error": "Provider went away"}, 500),
    ({"error": {"message": "Provider went away", "type": "rate_limit_exceeded"}}, 429),
    ({"object": "error", "message": "Provider went away", "code": 50001}, 500),
    (
        {
            "choices": [
                {"error": {"message": "Provider went away", "code": 503}, "message": {"content": "Pa"}}
            ]
        },
        503,
    ),
]


@pytest.mark.parametrize(("answer", "status"), ERRORS)
def test_an_error_under_status_200_is_shown_in_the_servers_words(answer, status):
    assert told_error(answer) == (status, "Provider went away")
    with pytest.raises(MetacogError, match="Provider went away"):
        replaced(lambda right, n: answer)


@pytest.mark.parametrize(("answer", "status"), ERRORS)
def test_an_error_under_status_200_that_passes_is_asked_again(answer, status):
    with replaced(lambda right, n: answer if n % 3 == 0 else right) as engine:
        assert asked_all(engine)[0].text


def test_a_request_that_is_refused_under_status_200_is_not_asked_again():
    asked = []

    def refuses(right, n):
        asked.append(n)
        return {"error": {"message": "no such model", "code": 404}}

    with pytest.raises(MetacogError, match="no such model.*check the url"):
        replaced(refuses)
    assert len(asked) == 1
    for fine in ({"error": None, "choices": []}, {"error": {}}, [], "error", None):
        assert told_error(fine) is None


# --- no answer

NONE = {
    "no choices": {"id": "x", "choices": [], "note": "their words"},
    "choices missing": {"detail": "their words"},
    "choices null": {"choices": None, "message": "their words"},
    "message null": {"choices": [{"message": None, "why": "their words"}]},
    "a list": ["their words"],
    "a text": "their words",
    "a page": b"<html><head><style>p {}</style></head><body><p>their words</p></body></html>",
    "plain text": b"their words",
    "cut off": b'{"choices": [{"message": {"content": "their words',
    "a stream": b'data: {"choices": [{"delta": {"content": "their words"}}]}\n\ndata: [DONE]\n\n',
    "a number": {"choices": [{"message": {"content": 7}}], "note": "their words"},
    "a tool": {
        "choices": [{"message": {"content": None, "tool_calls": [{"function": {"name": "their words"}}]}}]
    },
}


@pytest.mark.parametrize("answer", NONE.values(), ids=NONE)
@pytest.mark.parametrize("after", [0, 12])
def test_a_reply_without_an_answer_ends_in_a_short_line_with_the_servers_words(answer, after):
    with pytest.raises(MetacogError, match="their words") as found:
        asked_all(replaced(lambda right, n: right if n < after else answer))
    assert len(str(found.value)) < 900 and "<p>" not in str(found.value)


def test_words_of_a_server_are_short_and_stand_on_one_line():
    assert words_of({"error": {"message": "one\n two"}}) == "one two"
    assert (
        words_of({"errors": [{"message": "one"}]})
        == words_of({"detail": [{"loc": 1, "msg": "one"}]})
        == "one"
    )
    assert len(words_of("x" * 10_000)) <= 300 and words_of("a < b") == "a < b"


# --- parts

THINKS = {"type": "thinking", "thinking": [{"type": "text", "text": "Let me see."}]}


@pytest.mark.parametrize(
    ("content", "text", "thoughts"),
    [
        ([THINKS, {"type": "text", "text": "Rome"}], "Rome", "Let me see."),
        ([{"type": "reasoning", "text": "Hm."}, {"type": "output_text", "text": "Ro"}, "me"], "Rome", "Hm."),
        ([{"type": "text", "text": {"value": "Rome"}}], "Rome", ""),
        ({"type": "text", "text": "Rome"}, "Rome", ""),
        ([{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "Rome"}], "Rome", ""),
        ([], "", ""),
    ],
)
def test_content_in_parts_is_text_and_thoughts(content, text, thoughts):
    reply = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
    found = read_reply(reply, told=False)
    assert (found.text, found.reasoning) == (text, thoughts)
    assert untold_generation(reply, (), thinking=Rule.APART).text == text


def test_thoughts_and_refusals_in_fields_of_their_own():
    def message(**fields):
        return read_reply({"choices": [{"message": {"content": None, **fields}}]}, told=False)

    assert message(reasoning_content="Hm.").reasoning == message(reasoning=["Hm."]).reasoning == "Hm."
    assert message(reasoning_details=[{"type": "reasoning.summary", "summary": "Hm."}]).reasoning == "Hm."
    assert message(refusal="I cannot.").text == "I cannot."


def test_a_server_that_answers_in_parts_is_collected_from():
    def parts(right, n):
        message = right["choices"][0]["message"]
        message["content"] = [{"type": "text", "text": message["content"]}]
        return right

    with replaced(parts) as engine:
        assert engine.info.capabilities.own_logprobs and asked_all(engine)[0].text


# --- log-probabilities


def told(tokens, text, finish="stop", **more):
    rows = [{"token": t, "logprob": -0.5, "bytes": None} for t in tokens]
    return {
        "choices": [
            {"message": {"content": text}, "logprobs": {"content": rows}, "finish_reason": finish, **more}
        ]
    }


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["New", "ĠYork"], "New York"),
        (["▁New", "▁York"], "New York"),
        (["ĠParis"], "Paris"),
        (["New", "<0x20>", "York"], "New York"),
        (["Some", " other", " words"], "New York"),
        (["New"], "New York City"),
    ],
)
def test_log_probabilities_whose_tokens_do_not_spell_the_text_count_as_untold(tokens, text):
    reply = read_reply(told(tokens, text))
    made = to_generation(reply, ())
    assert "do not spell its text" in reply.untold and reply.pieces == ()
    assert made.text == text and math.isnan(made.nlp) and made.token_logprobs == ()


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ([" New", " York"], "New York"),  # blanks at the ends
        (["New", " York", "<|im_end|>"], "New York"),
        (["<s>", "New", " York"], "New York"),
        (["caf", "\ufffd", "\ufffd", " au"], "café au"),  # halves of a character
        (["a", "", ""], "aé"),
        (["New", " York", ".\n", "Q"], "New York."),
    ],
)
def test_tokens_that_spell_the_text_are_told(tokens, text):
    assert read_reply(told(tokens, text)).logprobs == (-0.5,) * len(tokens)


@pytest.mark.parametrize("chat", [True, False])
def test_a_server_with_raw_tokens_of_its_vocabulary_is_found_out_and_said(chat):
    def raw(right, n):
        logprobs = right["choices"][0]["logprobs"]
        for row in logprobs.get("content", ()):
            row["token"], row["bytes"] = row["token"].replace(" ", "Ġ"), None
        if "tokens" in logprobs:
            logprobs["tokens"] = [token.replace(" ", "Ġ") for token in logprobs["tokens"]]
        return right

    with replaced(raw, chat) as engine:
        can = engine.info.capabilities
        made = engine.generate([GenerationTask("Q: 2", (Sample(0.0, 1),))], max_tokens=4)[0][0]
    assert not can.own_logprobs and "tokens do not spell its text" in can.why["own_logprobs"]
    assert made.text and math.isnan(made.nlp)


@pytest.mark.parametrize("value", ["x", [], {}, "nan"])
def test_log_probabilities_that_are_no_numbers_are_missing(value):
    reply = told(["a"], "a")
    reply["choices"][0]["logprobs"]["content"][0]["logprob"] = value
    if value == "nan":
        assert math.isnan(to_generation(read_reply(reply), ()).nlp)
        return
    with pytest.raises(MissingLogprobs, match="cannot be read"):
        read_reply(reply)
    assert read_reply(reply, told=False).text == "a"


# --- a right reply, changed at every place

WRONG = (None, 7, -1.5, 10**400, "x", "", [], ["x"], {}, {"x": 1}, True, math.nan, math.inf, "\ud800")


def places(value, path=()):
    """Paths of all values within a JSON value."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield from places(one, (*path, name))


def changed(value, path, how):
    """A copy with one value replaced, or taken out."""
    if not path:
        return None if how == "out" else how
    made = copy.deepcopy(value)
    place = made
    for name in path[:-1]:
        place = place[name]
    if how == "out":
        del place[path[-1]]
    else:
        place[path[-1]] = how
    return made


def right_replies():
    body = {"max_tokens": 2, "temperature": 0.0, "seed": 1}
    yield Script().answer({**body, "messages": [user("Q: 1")], "top_logprobs": 2})[1]
    yield Script().answer({**body, "prompt": "Q: 1", "logprobs": 2})[1]
    reply = Script(reasoning=True).answer({**body, "messages": [user("Q: 1")], "top_logprobs": 1})[1]
    parts = [THINKS, {"type": "text", "text": reply["choices"][0]["message"]["content"]}]
    yield changed(reply, ("choices", 0, "message", "content"), parts)


def test_a_reply_changed_at_any_place_is_read_or_a_bad_reply():
    n = read = 0
    for right in right_replies():
        for path in places(right):
            for how in ("out", *WRONG):
                broken = changed(right, path, how)
                for expects in (True, False):
                    n += 1
                    try:
                        told_error(broken)
                        words_of(broken)
                        reply = read_reply(broken, told=expects)
                        made = to_generation(reply, ("\n",), thinking=Rule.APART)
                        json.dumps([made.text, reply.reasoning, list(reply.ids)]).encode()
                        assert isinstance(made.text, str) and all(
                            isinstance(v, float) for v in reply.logprobs
                        )
                        read += 1
                    except (BadReply, MetacogError):
                        pass
    assert n > 3000 and read > n / 2


@pytest.mark.parametrize("chat", [True, False], ids=["chat", "completions"])
def test_a_server_that_errs_at_any_place_is_read_or_refused_in_one_line(chat):
    """The examination too, and what is asked after it: no other error comes out."""
    rng = random.Random(3)
    first = next(iter(right_replies())) if chat else list(right_replies())[1]
    outcomes = []
    for path in places(first):
        for how in rng.sample(("out", *WRONG[:3], *WRONG[4:-1]), 4):
            after = rng.choice((0, 0, 14))

            def change(right, n, path=path, how=how, after=after):
                try:
                    return right if n < after else changed(right, path, how)
                except (LookupError, TypeError):
                    return right

            try:
                with replaced(change, chat) as engine:
                    asked_all(engine)
                outcomes.append("read")
            except MetacogError as error:
                assert len(str(error)) < 1200
                outcomes.append("refused")
    assert len(outcomes) > 80 and set(outcomes) == {"read", "refused"}
