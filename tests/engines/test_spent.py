"""Tokens that engines say they spent. Oracles: a server's own counts, and the tokens of prompts and texts."""

import httpx2
import pytest

from metacog.collect.models import get_model, locate
from metacog.engines.base import GenerationTask, Sample, Spent
from metacog.engines.endpoint.address import Secret
from metacog.engines.endpoint.client import Client
from metacog.engines.endpoint.http import Patience, Wire
from metacog.engines.endpoint.width import Width
from metacog.engines.llama import LlamaEngine
from metacog.engines.requests import Choose, Conversation, Generate, user

PATH, _ = locate(get_model("smollm2-135m"))


def spent_of(answers):
    """What a client counts of these answers, one after the other."""
    left = list(answers)
    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, json=left.pop(0)))
    wire = Wire("http://127.0.0.1:9/v1", Secret(None), Patience(), transport=transport)
    client = Client(wire, "/completions", Width(1), {})
    try:
        for _ in answers:
            client.run([client.send({}, lambda payload: payload)])
        return client.wire.spent
    finally:
        client.close()


def usage(read, written):
    return {"usage": {"prompt_tokens": read, "completion_tokens": written}}


def test_a_servers_counts_are_summed():
    assert spent_of([]) == Spent(0, 0)
    assert spent_of([usage(10, 2), usage(7, 0)]) == Spent(17, 2)


@pytest.mark.parametrize("odd", [{}, {"usage": None}, {"usage": {"prompt_tokens": 3}}, []])
def test_half_a_count_is_none(odd):
    assert spent_of([usage(10, 2), odd, usage(7, 0)]) is None


@pytest.fixture(scope="module")
def engine():
    with LlamaEngine(str(PATH), n_threads=1) as made:
        yield made


def taken(engine, work):
    before = engine.spent
    made = work()
    return made, Spent(*(now - then for now, then in zip(engine.spent, before, strict=True)))


def test_written_answers_count_their_tokens_and_each_is_read_again_but_the_last(engine):
    prompt = "The capital of France is the city of"
    ((one,),), spent = taken(
        engine, lambda: engine.generate([GenerationTask(prompt, (Sample(0.0, 1),))], max_tokens=5)
    )
    assert one.truncated and one.n_tokens == 5
    n = len(engine.prompt_tokens(prompt, 5))
    assert spent == Spent(n + 4, 5, sent=n)


def test_scored_texts_are_read_and_nothing_is_written(engine):
    prompt, texts = "The largest planet of all is", (" Jupiter by far", " Mars")
    scores, spent = taken(engine, lambda: engine.score(prompt, texts))
    # after the last token of a text nothing is read
    n, of_texts = len(engine.prompt_tokens(prompt, 0)), sum(s.n_tokens for s in scores)
    assert spent == Spent(n + of_texts - len(texts), 0, sent=len(texts) * n + of_texts)


class Plain:
    stop, lead = ("\n",), " "

    def render(self, turns, engine):
        return "\n".join(t["content"] for t in turns)


def test_what_conversations_share_is_read_once(engine):
    shared = "Ten words that stand before each of these two questions. " * 5

    def ask(word):
        reply = yield Choose((user(f"{shared}Is {word} red?"),), ("Yes", "No"))
        yield Generate(reply.turns(), 3)

    talks = [Conversation(ask(word), Plain(), seed=(word,)) for word in ("blood", "grass")]
    _, spent = taken(engine, lambda: engine.serve(talks))
    n_shared = len(engine.prompt_tokens(shared, 0))
    assert n_shared < spent.read < 2 * n_shared and 2 <= spent.written <= 6
    assert spent.sent > 4 * n_shared  # what a server would be sent: four prompts, each whole


def test_a_prompt_counts_as_sent_for_each_of_its_samples(engine):
    def ask(n):
        yield Generate((user("The capital of France is"),), 2, (1.0,), n)

    n = len(engine.prompt_tokens("The capital of France is", 2))
    for one_turn in (True, False):  # a block of one turn, and conversations in streams
        talk = Conversation(ask(5), Plain(), one_turn=one_turn)
        _, spent = taken(engine, lambda talk=talk: engine.serve([talk]))
        assert spent.sent == 5 * n and spent.read < 5 * n
