"""Models that think before they answer. Oracles: replies written by hand, token by token."""

from __future__ import annotations

import inspect
import json
import math
import random
from dataclasses import dataclass, field

import httpx2
import jsonschema
import pytest

from metacog.collect.models import ModelEntry
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.engines.base import GenerationTask, Sample
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.endpoint.reading import Reply
from metacog.engines.endpoint.replies import to_generation
from metacog.engines.llama import LlamaEngine, templates
from metacog.engines.llama.ending import Draft, StopRule
from metacog.engines.requests import Generate, Generated, from_record, to_record
from metacog.engines.thinking import MARKS, Rule, answer_of, check_prompt, find_block, opens, rule_of
from metacog.studies.study1_qa.asking.marking import MARKING

THINKING = ("<think>", "\n", "It", " is", " Paris", ".", "\n", "</think>", "\n\n")
ANSWER = (" Paris", " it", " is")
END = "<eos>"


def values(n):
    return tuple(-0.1 * (i + 1) for i in range(n))


@dataclass
class FakeModel:
    """Tokens are indices into a list of pieces."""

    pieces: list[str]
    template: str | None = None
    bos: int = -1
    eos: int = -1
    add_bos: bool = False
    asked: list = field(default_factory=list)

    def is_eog(self, token):
        return self.pieces[token] == END

    def piece(self, token):
        return self.pieces[token].encode()

    def chat_template(self):
        return self.template

    def control_text(self, token):
        return ""


def local(pieces, rule, *, max_tokens=50, stop=(), opened=False, count_stop_token=False):
    """A reply drawn token by token, as the local engine does."""
    model = FakeModel(list(pieces))
    stop_rule = StopRule(max_tokens, tuple(s.encode() for s in stop), count_stop_token, Rule(rule), opened)
    made = Draft()
    for token, value in enumerate(values(len(pieces))):
        done = made.add(token, value, stop_rule, model)
        if done is not None:
            return done
    return None


def served(pieces, rule, *, finish="stop", stop=(), opened=False, text=None):
    """The same reply as a server gives it."""
    reply = Reply(
        "".join(p for p in pieces if p != END) if text is None else text,
        tuple(p.encode() for p in pieces),
        values(len(pieces)),
        ({},) * len(pieces),
        (),
        finish,
    )
    return to_generation(reply, stop, thinking=Rule(rule), opened=opened)


WAYS = [
    lambda p, r, **o: local(p, r, **o),
    lambda p, r, **o: served(p, r, **o),
]


@pytest.mark.parametrize("way", WAYS)
def test_only_the_answers_tokens_are_text_and_nlp(way):
    made = way((*THINKING, *ANSWER, END), "strip")
    n = len(THINKING)
    assert made.text == " Paris it is" and made.n_thought == n
    assert made.token_logprobs == pytest.approx(values(99)[n : n + 3]) and made.n_tokens == 3
    assert made.nlp == pytest.approx(sum(values(99)[n : n + 3]) / 3)
    assert not made.truncated and not made.unanswered
    assert MARKING.mark_reply(made, ["Paris it is"]).match == "exact"


@pytest.mark.parametrize("way", WAYS)
def test_a_block_is_refused_where_no_rule_takes_it_off(way):
    with pytest.raises(MetacogError, match="thinks before it answers.*chat_template_kwargs.*thinking: strip"):
        way((*THINKING, *ANSWER, END), "refuse")


@pytest.mark.parametrize("way", WAYS)
def test_plain_answers_are_left_as_they_are(way):
    for rule in ("refuse", "strip"):
        made = way((*ANSWER, END), rule)
        assert made.text == " Paris it is" and made.n_tokens == 3 and made.n_thought == 0


def test_an_unclosed_block_is_a_reply_without_an_answer():
    cut = local(THINKING[:6], "strip", max_tokens=6)
    remote = served(THINKING[:6], "strip", finish="length")
    for made in (cut, remote):
        assert (made.text, made.n_tokens, made.n_thought) == ("", 0, 6)
        assert made.truncated and made.unanswered and math.isnan(made.nlp)
        mark = MARKING.mark_reply(made, ["Paris"])
        assert (mark.match, mark.correct, mark.answer) == ("unanswered", False, "")
    closed = local(THINKING, "strip", max_tokens=len(THINKING))
    assert closed.unanswered and closed.truncated  # the limit came before the answer's first token


def test_a_stop_text_inside_the_block_ends_no_answer():
    """The newline that ends an answer stands in the thoughts and behind them."""
    made = local((*THINKING, *ANSWER, "\n", " more"), "strip", stop=("\n",))
    assert made.text == " Paris it is" and made.n_tokens == 3 and not made.truncated
    assert made.stop_logprob == pytest.approx(values(99)[len(THINKING) + 3])
    counted = local((*THINKING, *ANSWER, "\n"), "strip", stop=("\n",), count_stop_token=True)
    assert counted.n_tokens == 4


def test_a_server_keeps_no_stop_text_where_blocks_are_taken_off():
    made = served((*THINKING, *ANSWER, "\n", " more"), "strip", stop=("\n",), finish="length")
    assert made.text == " Paris it is" and made.n_tokens == 3 and not made.truncated


@pytest.mark.parametrize("way", WAYS)
def test_a_block_that_the_template_opened_ends_at_its_closing_mark(way):
    inside = THINKING[2:]
    made = way((*inside, *ANSWER, END), "strip", opened=True)
    assert made.text == " Paris it is" and made.n_thought == len(inside)
    assert way((*inside, *ANSWER, END), "strip-opened").text == " Paris it is"
    assert way((*inside, *ANSWER, END), "strip").text == " Paris it is"  # a closing mark alone tells too
    lost = way((*inside[:3], END), "strip-opened")
    assert lost.unanswered and lost.text == ""
    assert way((*inside[:3], END), "strip").text == "It is Paris"  # nothing shows that these were thoughts


def test_marks_that_a_server_leaves_out_of_the_text_are_found_among_its_tokens():
    pieces = ("[THINK]", "Hm", "[/THINK]", "Rome", "</s>")
    made = served(pieces, "strip", text="HmRome")
    assert made.text == "Rome" and made.n_thought == 3 and made.n_tokens == 1


@pytest.mark.parametrize("marks", MARKS, ids=lambda m: m.opening.decode())
def test_every_family_is_found(marks):
    data = b" " + marks.opening + "denke…".encode() + marks.closing + b"\nRom"
    block = find_block(data)
    assert block.thought and data[block.start :] == b"Rom"
    assert find_block(marks.opening + b"and on").start is None
    assert opens("user: x\nassistant: " + marks.opening.decode() + "\n")


def test_blocks_that_follow_each_other_and_what_only_looks_like_one():
    twice = b"<think>a</think>\n<think>b</think>\nRome"
    assert twice[find_block(twice).start :] == b"Rome"
    assert not find_block(b"I think <think is no mark").thought
    assert not find_block(b"Rome, said in <think> marks").thought
    assert answer_of(b"Rome", [4], Rule.REFUSE).start == 0


def test_a_token_over_the_edge_belongs_to_the_answer():
    data = b"<think>a</think>\nRome wins"
    ends = [7, 8, 21, 26]  # "</think>\nRome" is one token
    answer = answer_of(data, ends, Rule.STRIP)
    assert (data[answer.start :], answer.first_token) == (b"Rome wins", 2)


def test_prompts_that_end_inside_a_block():
    prompt = "<|user|>Q<|assistant|><think>\n"
    check_prompt(prompt, Rule.STRIP, scored=False)
    check_prompt(prompt + "\n</think>\n\n", Rule.REFUSE, scored=True)  # switched off by the template
    with pytest.raises(MetacogError, match="ends the prompt with"):
        check_prompt(prompt, Rule.REFUSE, scored=False)
    with pytest.raises(MetacogError, match="among its thoughts"):
        check_prompt(prompt, Rule.STRIP, scored=True)
    with pytest.raises(MetacogError, match="refuse, strip, strip-opened"):
        rule_of("drop")


SWITCHED = (
    "{% for m in messages %}[{{ m.content }}]{% endfor %}"
    "{% if enable_thinking is defined and not enable_thinking %}<think></think>{% endif %}"
)


def test_the_templates_switch_is_passed_on_for_local_files():
    turns = [{"role": "user", "content": "Hi"}]
    model = FakeModel([], SWITCHED)
    assert templates.render(model, turns) == "[Hi]"
    assert templates.render(model, turns, switches={"enable_thinking": False}) == "[Hi]<think></think>"
    with pytest.raises(MetacogError, match="no switch think_hard"):
        templates.check_switches(SWITCHED, {"think_hard": False})


class ThinkingServer:
    """A chat server whose model thinks unless its template is told not to."""

    def __init__(self, switched=True):
        self.bodies, self.switched = [], switched

    def __call__(self, request):
        body = json.loads(request.content)
        self.bodies.append(body)
        off = self.switched and body.get("chat_template_kwargs") == {"enable_thinking": False}
        pieces = list(ANSWER if off else (*THINKING, *ANSWER))
        limit = body.get("max_tokens", 99)
        kept = pieces[:limit]
        for i, piece in enumerate(kept):
            if body.get("stop") and any(s in piece for s in body["stop"]):
                kept = kept[:i]  # a server stops inside the block too
                break
        content = [
            {
                "token": p,
                "logprob": v,
                "bytes": list(p.encode()),
                "top_logprobs": [{"token": p, "logprob": v}, {"token": "~", "logprob": -30.0}],
            }
            for p, v in zip(kept, [-1.0 - i for i in range(len(kept))], strict=True)
        ]
        finish = "length" if len(pieces) > limit else "stop"
        choice = {
            "message": {"content": "".join(kept)},
            "logprobs": {"content": content},
            "finish_reason": finish,
        }
        return httpx2.Response(200, json={"choices": [choice]})


def connect(server, **options):
    options = {"api": "chat", "trust_logprobs": True, **options}
    return EndpointEngine(
        "http://127.0.0.1:9/v1", "m", transport=httpx2.MockTransport(server), rng=random.Random(1), **options
    )


def ask(engine, **options):
    return engine.generate([GenerationTask("Capital?", (Sample(0.0, 1),))], **{"max_tokens": 50, **options})[
        0
    ][0]


def test_an_endpoint_that_thinks_is_refused_before_any_trial():
    with pytest.raises(MetacogError, match="thinks before it answers"):
        connect(ThinkingServer())


def test_an_endpoints_block_is_taken_off_and_no_stop_is_sent():
    server = ThinkingServer()
    with connect(server, thinking="strip") as engine:
        made = ask(engine, stop=("\n",))
        assert engine.info.settings["thinking"] == "strip"
    assert made.text == " Paris it is"
    n = len(THINKING)
    assert made.token_logprobs == tuple(-1.0 - i for i in range(n, n + 3))
    assert "stop" not in server.bodies[-1]


def test_room_for_thoughts_comes_on_top_of_an_answers_tokens():
    server = ThinkingServer()
    with connect(server, thinking="strip") as engine:
        cut = ask(engine, max_tokens=4)
    assert cut.unanswered and server.bodies[-1]["max_tokens"] == 4
    with connect(server, thinking="strip", thought_tokens=len(THINKING)) as engine:
        made = ask(engine, max_tokens=4)
        assert server.bodies[-1]["max_tokens"] == 4 + len(THINKING)
        assert engine.info.settings["thought_tokens"] == len(THINKING)
    assert made.text == " Paris it is"
    with pytest.raises(MetacogError, match="thought_tokens is room for thoughts"):
        connect(server, thought_tokens=9)
    with pytest.raises(MetacogError, match="must not be negative"):
        connect(server, thinking="strip", thought_tokens=-1)


def test_the_templates_switch_is_passed_on_to_endpoints():
    server = ThinkingServer()
    with connect(server, chat_template_kwargs={"enable_thinking": False}) as engine:
        made = ask(engine, stop=("\n",))
        assert engine.info.settings["extra_body"] == {"chat_template_kwargs": {"enable_thinking": False}}
    assert made.text == " Paris it is" and made.n_thought == 0
    assert all(body["chat_template_kwargs"] == {"enable_thinking": False} for body in server.bodies)
    with pytest.raises(MetacogError, match="completions API applies no chat template"):
        connect(server, api="completions", chat_template_kwargs={"enable_thinking": False})
    with pytest.raises(MetacogError, match="give it once"):
        connect(server, chat_template_kwargs={"a": 1}, extra_body={"chat_template_kwargs": {"a": 0}})


def test_the_registry_declares_both(monkeypatch):
    given = {}
    monkeypatch.setattr(EndpointEngine, "__init__", lambda self, *a, **options: given.update(options))
    monkeypatch.setattr(EndpointEngine, "__del__", lambda self: None, raising=False)
    settings = {"thinking": "strip", "thought_tokens": 99, "chat_template_kwargs": {"enable_thinking": False}}
    source = {"endpoint": {"url": "http://127.0.0.1:9/v1", "model": "m", "api": "chat"}}
    EndpointEngine.from_entry(ModelEntry("m", "M", "instruct", source, None, {}), **settings)
    assert {k: given[k] for k in settings} == settings
    known = inspect.signature(LlamaEngine).parameters
    assert set(settings) <= set(known)  # open_engine passes a file's settings by these names
    schema = json.loads((project_root() / "config" / "schema" / "model.json").read_text(encoding="utf-8"))
    entry = {"label": "M", "kind": "instruct", "source": {"path": "m.gguf"}, "sha256": None, "prompts": {}}
    jsonschema.validate({**entry, "settings": settings}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**entry, "settings": {"thinking": "drop"}}, schema)


def test_replies_written_before_there_was_a_block_are_read_as_before():
    request = Generate(turns=(), max_tokens=5, seeds=(1,))
    plain = Generated((local((*ANSWER, END), "refuse"),))
    thought = Generated((local((*THINKING, *ANSWER, END), "strip"),))
    assert "n_thought" not in to_record(plain)["samples"][0]
    for made in (plain, thought):
        assert from_record(request, json.loads(json.dumps(to_record(made)))).samples == made.samples
