"""Conversations on streams, with SmolLM2. Oracle: the engine's prompt-level paths, one prompt at a time."""

import itertools

import numpy as np
import pytest

from metacog.collect.models import get_model, locate
from metacog.collect.prompts import Prompt, load_prompt
from metacog.core.errors import MetacogError
from metacog.engines.llama import LlamaEngine, serve
from metacog.engines.llama.streams import option_tokens
from metacog.engines.requests import Choose, Conversation, Generate, Score, user

PATH, _ = locate(get_model("smollm2-135m"))
CHAT, PLAIN = load_prompt("zeroshot-chat-v1"), load_prompt("fewshot-v1")
THINGS = ("Paris", "a cat", "Mars", "the Moon", "Rome", "a dog", "Spain")


@pytest.fixture(scope="module", autouse=True)
def few_streams():
    """Half as many streams as there are, so that half as many requests outnumber them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "N_STREAMS", serve.N_STREAMS // 2)
        yield


@pytest.fixture(scope="module")
def engine():
    with LlamaEngine(str(PATH), n_threads=1) as made:
        yield made


def long_talk(a, b):
    """Every kind of request, several at once, and options of one token, of several, and inside another."""
    first = yield Choose((user(f"Is {a} larger than {b}? Yes or No?"),), ("Yes", "No"))
    sure = yield Choose((*first.turns(), user("How sure, 1 to 10?")), ("1", "10", "Not sure"))
    why = yield Generate((*sure.turns(), user("Why?")), 8, (0.0, 1.0), n=2)
    yield [Choose((*why.turns(i), user("Keep it?")), ("KEEP", "WITHDRAW")) for i in range(4)]
    yield Score((user(f"Name {a}."),), ("Paris is a city", ""))


def talks(form=CHAT, n=6, talk=long_talk):
    pairs = list(itertools.permutations(THINGS, 2))[:n]
    return [Conversation(talk(a, b), form, seed=(1, a, b)) for a, b in pairs]


@pytest.fixture(
    scope="module", params=[CHAT, pytest.param(PLAIN, marks=pytest.mark.real)], ids=["chat", "plain"]
)
def served(engine, request):
    these = talks(request.param)
    return these, engine.serve(these)


@pytest.mark.real
def test_the_same_block_gives_the_same_bits(engine, served):
    these, replies = served
    engine.serve(talks(n=3))  # whatever ran before
    assert engine.serve(talks(these[0].form)) == replies


def test_every_request_is_answered_in_order(served):
    for talk, replies in zip(*served, strict=True):
        assert [type(r).__name__ for r in replies] == ["Chosen", "Chosen", "Generated"] + ["Chosen"] * 4 + [
            "Scored"
        ]
        assert [e.step for e in talk.exchanges] == [0, 1, 2, 3, 3, 3, 3, 4]
        assert len(replies[2].samples) == 4 and replies[2].samples[0] == replies[2].samples[1]  # greedy twice
        assert sum(replies[0].probabilities) == pytest.approx(1)


@pytest.mark.real
def test_log_probabilities_are_those_of_the_prompt_level_paths(engine, served):
    """Another batch and another cache: quantised kernels round otherwise, up to a few tenths."""
    gaps = []
    for talk in served[0]:
        for made in talk.exchanges:
            prompt = talk.form.render(made.request.turns, engine)
            if isinstance(made.request, Score):
                wanted = engine.score(prompt, made.request.continuations)
                for one, other in zip(wanted, made.reply.scores, strict=True):
                    assert one.token_ids == other.token_ids
                    gaps += [a - b for a, b in zip(one.token_logprobs, other.token_logprobs, strict=True)]
            elif isinstance(made.request, Generate):
                for sample in made.reply.samples:
                    (one,) = engine.score(prompt, [engine_text(engine, sample)])
                    if one.token_ids == sample.token_ids:  # else the text is cut into other tokens
                        gaps += list(np.subtract(one.token_logprobs, sample.token_logprobs))
            elif made.reply.form == "label":
                options = [talk.form.lead + o for o in made.request.options]
                wanted = np.array([s.sum_logprob for s in engine.score(prompt, options)])
                # what options share stands in the prompt: the same for both
                gaps += list(np.diff(wanted) - np.diff(made.reply.logprobs))
            else:
                end = talk.form.stop[0] if talk.form.stop else "<|im_end|>"
                options = [talk.form.lead + o + end for o in made.request.options]
                wanted = np.array([s.sum_logprob for s in engine.score(prompt, options)])
                gaps += list(np.diff(wanted) - np.diff(made.reply.logprobs))
    assert len(gaps) > 100
    assert np.mean(np.abs(gaps)) < 0.2 and np.max(np.abs(gaps)) < 2


def engine_text(engine, sample):
    return b"".join(engine.model.piece(t) for t in sample.token_ids).decode("utf-8", "ignore")


def test_one_turn_blocks_take_the_shared_prompt_path(engine):
    def ask(a, b):
        yield Generate((user(f"Who knows {a} and {b}?"),), 6, (0.5, 1.0), seeds=(3, 4))

    these = [Conversation(ask(a, b), PLAIN, one_turn=True) for a, b in itertools.permutations(THINGS[:3], 2)]
    from metacog.engines.base import Sample

    questions = [f"Who knows {a} and {b}?" for a, b in itertools.permutations(THINGS[:3], 2)]
    tasks = [PLAIN.task(q, (Sample(0.5, 3), Sample(1.0, 4)), engine) for q in questions]
    plain = engine.generate(tasks, max_tokens=6, stop=PLAIN.stop)
    assert [list(r[0].samples) for r in engine.serve(these)] == plain


@pytest.mark.real
def test_prompts_that_outgrow_their_streams_are_served(engine, monkeypatch):
    grown, grow = [], serve._Wave._grow
    monkeypatch.setattr(serve._Wave, "_grow", lambda wave: grown.append(wave.cells) or grow(wave))

    def ask(a, b):
        turns = (user(f"Say {a}."),)
        for _ in range(3):
            reply = yield Generate((*turns, user(f"{b} " * 60)), 4)
            turns = reply.turns()

    replies = engine.serve(talks(n=3, talk=ask))
    assert [len(r) for r in replies] == [3, 3, 3]
    assert grown
    assert engine.serve(talks(n=3, talk=ask)) == replies


@pytest.mark.parametrize("one_turn", [False, True])
def test_room_for_thoughts_is_drawn_on_top(engine, monkeypatch, one_turn):
    def ask():
        yield Generate((user("Tell me a long story about the sea."),), 2)

    def length():
        ((made,),) = engine.serve([Conversation(ask(), CHAT, one_turn=one_turn)])
        return made.samples[0].n_tokens

    assert length() == 2
    monkeypatch.setattr(engine, "thought_tokens", 6)
    assert length() == 8


def test_too_long_a_prompt_is_refused_before_the_start():
    asked = []

    def ask(a, b):
        asked.append(a)
        yield Generate((user("word " * (200 if len(asked) > 2 else 2)),), 4)

    with LlamaEngine(str(PATH), n_threads=1, n_ctx=128) as small:
        with pytest.raises(MetacogError, match="does not fit the context of 128"):
            small.serve(talks(n=3, talk=ask))
        assert small.timings.batches == 0


def test_options_share_their_lead_and_name_their_form():
    assert option_tokens([[5, 1], [5, 2]], 9, "label") == ([5], [[1], [2]], "label")
    assert option_tokens([[5, 1], [5, 1, 0]], 9, "label") == ([5, 1], [[9], [0, 9]], "text")
    assert option_tokens([[1], [2, 3]], 9, "label") == ([], [[1, 9], [2, 3, 9]], "text")
    assert option_tokens([[1, 4], [2, 3]], 9, "first") == ([], [[1], [2]], "first")
    assert option_tokens([[1], [2]], 9, "text") == ([], [[1, 9], [2, 9]], "text")
    with pytest.raises(ValueError, match="begin with the same token"):
        option_tokens([[5], [5, 1], [2]], 9, "first")


@pytest.mark.real
def test_samples_that_part_need_no_more_streams_than_there_are(engine, monkeypatch):
    def ask(a, b):
        reply = yield Generate((user(f"Tell me of {a} and {b}."),), 6, (1.5,), n=9)
        yield [Choose((*reply.turns(i), user("Sure?")), ("Yes", "No")) for i in range(9)]

    monkeypatch.setattr(serve, "N_STREAMS", 5)
    replies = engine.serve(talks(n=4, talk=ask))
    assert [len(r) for r in replies] == [10] * 4
    assert len({s.text for s in replies[0][0].samples}) > 3


def test_a_form_writes_turns_as_text():
    form = Prompt("p", "completion", "Q: {question}\nA:", ("\n",), prefix="Answer.\n")
    turns = (user("One?"), {"role": "assistant", "content": "1"}, user("Two?"))
    assert form.render(turns, None) == "Answer.\nQ: One?\nA: 1\nQ: Two?\nA:"
    assert (form.lead, form.messages(turns)) == (" ", None)
