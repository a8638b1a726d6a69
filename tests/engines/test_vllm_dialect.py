"""vLLM's dialect. No vLLM runs here (benchmarks/vllm_server.py asks one): replies are written after its documentation
(docs.vllm.ai, the modules ``vllm.entrypoints.openai.completion.protocol`` and ``...chat_completion.protocol``, and
"Reasoning Outputs").

Oracle: the scripted server's formula. What is vLLM's own: fields that say nothing (null), ``top_k`` of -1 and not 0 for
no filter in older versions, a drawn token beside the most probable ones, -9999 for what is not told, tokens of the
stop text and of the end of generation among those returned, echo, and thoughts in the field ``reasoning`` (formerly
``reasoning_content``) while their tokens stand among those of the answer.
"""

from __future__ import annotations

import math

import pytest
from scripted_server import VOCABULARY, Script, connect, distribution

from metacog.collect.prompts import Prompt
from metacog.core.errors import MetacogError
from metacog.engines.base import GenerationTask, Sample
from metacog.engines.capabilities import Capabilities
from metacog.engines.requests import Choose, Conversation, user

FORM = Prompt("p", "chat", "{question}", ())
THOUGHT = ("<think>", " Let", " me", " see", "</think>")


class Vllm(Script):
    """The scripted server in vLLM's words.

    ``field``: where thoughts go, if the model thinks; ``cut``: it is still thinking when its tokens are used up.
    """

    def __init__(self, field="", cut=False, **switches):
        super().__init__(eos_token=True, **switches)
        self.field, self.cut = field, cut

    def answer(self, body):
        if body.get("top_k") == 0:
            words = "top_k must be -1 (disable), or at least 1, got 0."
            return 400, {
                "error": {"message": words, "type": "BadRequestError", "param": "top_k", "code": 400}
            }
        status, data = super().answer(body)
        if status != 200:
            return status, data
        data |= {"id": "cmpl-1", "created": 1, "system_fingerprint": None, "prompt_logprobs": None}
        data |= {"service_tier": None, "kv_transfer_params": None}
        data["usage"] |= {"total_tokens": sum(data["usage"].values()), "prompt_tokens_details": None}
        (choice,) = data["choices"]
        choice |= {"stop_reason": None, "token_ids": None}
        if "message" in choice:
            self.as_chat(choice)
        else:
            pieces = choice["logprobs"]["tokens"]
            offsets = [sum(map(len, pieces[:i])) for i in range(len(pieces))]
            choice["logprobs"]["text_offset"] = offsets
            tops = choice["logprobs"]["top_logprobs"] or [{} for _ in pieces]
            drawn = zip(tops, pieces, choice["logprobs"]["token_logprobs"], strict=True)
            choice["logprobs"]["top_logprobs"] = [None if v is None else {p: v, **top} for top, p, v in drawn]
        return status, data

    def as_chat(self, choice):
        nothing = ("refusal", "annotations", "audio", "function_call", "reasoning")
        choice["message"] |= {**dict.fromkeys(nothing), "tool_calls": []}
        if not self.field:
            return
        thought = [
            {"token": t, "logprob": -0.02, "bytes": list(t.encode()), "top_logprobs": self.others(t)}
            for t in THOUGHT
        ]
        choice["message"][self.field] = "Let me see"
        if self.cut:
            choice["message"]["content"], choice["finish_reason"] = None, "length"
            choice["logprobs"]["content"] = thought[:3]
        else:
            choice["logprobs"]["content"] = thought + choice["logprobs"]["content"]

    def others(self, token):
        told = [(token, -0.02), ("Okay", -4.0), ("Well", -9999.0)]
        return [{"token": t, "logprob": v, "bytes": list(t.encode())} for t, v in told]


def ask(engine, n=6, max_tokens=24):
    tasks = [GenerationTask(f"Q: number {i}\nA:", (Sample(0.0, i), Sample(1.0, 100 + i))) for i in range(n)]
    return tasks, engine.generate(tasks, max_tokens=max_tokens, stop=("\n",))


def test_completions_give_everything_forced_decoding_too():
    script = Vllm()
    with connect(script) as engine:
        assert (
            engine.info.capabilities == Capabilities()
            and engine.info.settings["sampling_fields"]["top_k"] == -1
        )
        tasks, made = ask(engine)
        for task, row in zip(tasks, made, strict=True):
            for one, sample in zip(row, task.samples, strict=True):
                text, values, end, cut = script.expected(task.prompt, sample.temperature, sample.seed, 24)
                assert (one.text, one.truncated) == (text, cut) and one.token_logprobs == pytest.approx(
                    values
                )
                assert one.stop_logprob == (None if end is None else pytest.approx(end))
        scored = engine.score("The sky is", [" blue"])[0]
    assert scored.token_logprobs == pytest.approx([distribution("The sky is")[VOCABULARY.index(" blue")]])


def test_the_chat_api_gives_nlp_and_choices_by_their_first_token():
    def choose():
        yield Choose((user("The sky is"),), (" blue", " red"))

    with connect(Vllm(), api="chat") as engine:
        can = engine.info.capabilities
        assert (
            set(can.why) == {"score_text", "hold_options"}
            and "chat API cannot score" in can.why["score_text"]
        )
        _, made = ask(engine)
        assert all(math.isfinite(one.nlp) for row in made for one in row if one.n_tokens)
        ((chosen,),) = engine.serve([Conversation(choose(), FORM)])
    assert chosen.form == "label" and math.isclose(sum(chosen.probabilities), 1.0)


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_thoughts_in_a_field_are_kept_apart_with_their_tokens(field):
    with pytest.raises(MetacogError, match="thinks before it answers.*--thinking"):
        connect(Vllm(field), api="chat")
    plain, script = Vllm(), Vllm(field)
    with connect(plain, api="chat") as engine:
        _, without = ask(engine)
    with connect(script, api="chat", thinking="apart", thought_tokens=500) as engine:
        assert engine.info.capabilities.own_logprobs and engine.info.settings["thought_tokens"] == 500
        _, made = ask(engine)
    assert script.bodies[-1]["max_tokens"] == 24 + 500
    pairs = [(a, b) for x, y in zip(without, made, strict=True) for a, b in zip(x, y, strict=True)]
    same = [(a, b) for a, b in pairs if a.text == b.text and a.n_tokens and not a.truncated]
    assert len(same) > len(pairs) / 2 and all(a.nlp == pytest.approx(b.nlp) for a, b in same)
    assert all(b.n_thought == len(THOUGHT) for _, b in same)


def test_a_reply_that_is_cut_off_in_mid_thought_has_no_answer():
    with connect(Vllm("reasoning", cut=True), api="chat", thinking="apart") as engine:
        _, made = ask(engine, 2)
    assert all(one.unanswered and one.truncated and one.text == "" for row in made for one in row)


def test_a_server_that_tells_nothing_of_thoughts_is_examined_with_room_for_them():
    """Log-probabilities of the answer alone: in a few tokens there are none."""

    class AnswersAlone(Vllm):
        def answer(self, body):
            status, data = super().answer(body)
            if status == 200:
                choice = data["choices"][0]
                thought = choice["logprobs"]["content"][: len(THOUGHT)]
                told = (
                    []
                    if body["max_tokens"] <= len(thought)
                    else choice["logprobs"]["content"][len(thought) :]
                )
                choice["logprobs"]["content"] = told
                if not told:
                    choice["message"]["content"], choice["finish_reason"] = None, "length"
            return status, data

    with connect(AnswersAlone("reasoning"), api="chat", thinking="apart", thought_tokens=50) as engine:
        assert engine.info.capabilities.own_logprobs
    with connect(AnswersAlone("reasoning"), api="chat", thinking="apart") as engine:
        why = engine.info.capabilities.why["own_logprobs"]
    assert "still thinking" in why and "--thought-tokens" in why


@pytest.mark.parametrize("api", ["chat", "completions"])
def test_log_probabilities_after_the_temperature_are_found_out(api):
    """``--logprobs-mode processed_logprobs``: greedy ones are raw there, for nothing is divided by 0."""

    class Processed(Vllm):
        def draw(self, text, temperature, seed, place):
            self.on["tempered"] = temperature > 0
            return super().draw(text, temperature, seed, place)

    with connect(Processed(), api=api) as engine:
        assert "--logprobs-mode raw_logprobs" in engine.info.capabilities.why["own_logprobs"]
