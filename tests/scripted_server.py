"""A completions and chat server whose distribution is known exactly: every log-probability has a formula."""

import asyncio
import hashlib
import json
import random

import httpx2
import numpy as np

from metacog.engines.endpoint import EndpointEngine

URL = "http://127.0.0.1:9/v1"  # the discard port: nothing is ever sent there
VOCABULARY = (" red", " blue", " green", " sea", " salt", " tree", "é", ".\n", "\n", "<eos>")


def distribution(prompt: str) -> np.ndarray:
    """The scripted model: log-probabilities over VOCABULARY, a function of the text before alone."""
    digest = hashlib.sha256(prompt.encode()).digest()
    logits = np.array([digest[i] / 60.0 for i in range(len(VOCABULARY))])
    return logits - np.log(np.exp(logits).sum())


class Script:
    """A completions and chat server in a function; its faults are switches."""

    def __init__(self, **switches):
        self.on = {
            "tempered": False,  # log-probabilities after the temperature
            "shift": 0,  # token i carries the value of token i + shift
            "logprobs": True,
            "tops": True,
            "stop_token": True,  # return the token that holds the stop text
            "eos_token": False,  # return the end of generation
            "refuses": (),  # fields that end in a 400
            "echo": True,
            "echo_shift": 0,
            "system": True,
            "reasoning": False,
        } | switches
        self.bodies = []

    def draw(self, text, temperature, seed, place):
        raw = distribution(text)
        if temperature == 0:
            return int(raw.argmax()), raw if not self.on["tempered"] else np.where(
                raw == raw.max(), 0.0, -50.0
            )
        tempered = raw / temperature - np.log(np.exp(raw / temperature).sum())
        token = int(np.random.default_rng([seed, place]).choice(len(raw), p=np.exp(tempered)))
        return token, tempered if self.on["tempered"] else raw

    def answer(self, body):
        """Status and JSON of the answer."""
        self.bodies.append(body)
        for name in self.on["refuses"]:
            if name in body:
                return 400, {"error": {"message": f"Unrecognized request argument supplied: {name}"}}
        chat = "messages" in body
        if chat and not self.on["system"] and body["messages"][0]["role"] == "system":
            return 500, {"error": {"message": "System role not supported"}}
        prompt = json.dumps(body["messages"]) if chat else body["prompt"]
        limit = body.get("max_tokens", body.get("max_completion_tokens"))
        rows, text, finish = [], "", "length"
        for place in range(limit):
            token, values = self.draw(prompt + text, body["temperature"], body.get("seed", 0), place)
            if VOCABULARY[token] == "<eos>":
                finish = "stop"
                if self.on["eos_token"]:
                    rows.append((VOCABULARY[token], values, token))
                break
            hit = [s for s in body.get("stop", ()) if s in VOCABULARY[token]]
            if not hit or self.on["stop_token"]:
                rows.append((VOCABULARY[token], values, token))
            text += VOCABULARY[token]
            if hit:
                text, finish = text[: text.index(hit[0])], "stop"
                break
        if body.get("echo") and self.on["echo"]:
            whole, before, prefix = list(prompt), "", []
            for piece in split_words(prompt):  # the echoed prompt is one token a word
                index = VOCABULARY.index(piece) if piece in VOCABULARY else 0
                prefix.append((piece, distribution(before), index))
                before += piece
            del whole
            rows, text = prefix + rows, prompt + text
        return 200, self.lay_out(rows, text, finish, chat, bool(body.get("echo")), body)

    def lay_out(self, rows, text, finish, chat, echo, body):
        own = [float(values[token]) for _, values, token in rows]
        shift = self.on["echo_shift"] if echo else self.on["shift"]
        own = own[shift:] + [-0.01] * min(shift, len(own)) if shift else own
        n_top = body.get("top_logprobs", 0) if chat else body.get("logprobs", 0)
        tops = []
        for _, values, _ in rows:
            best = np.argsort(values)[::-1][: n_top if self.on["tops"] else 0]
            tops.append({VOCABULARY[i]: float(values[i]) for i in best})
        pieces = [piece for piece, _, _ in rows]
        if chat:
            entries = [
                {
                    "token": p,
                    "logprob": v,
                    "bytes": list(p.encode()),
                    "top_logprobs": [{"token": k, "logprob": x} for k, x in t.items()],
                }
                for p, v, t in zip(pieces, own, tops, strict=True)
            ]
            message = {"role": "assistant", "content": text}
            if self.on["reasoning"]:
                message["reasoning_content"] = "Let me think."
            first = {"message": message, "logprobs": {"content": entries}}
        else:
            if echo and self.on["echo"] and own:
                own[0] = None
            first = {
                "text": text,
                "logprobs": {
                    "tokens": pieces,
                    "token_logprobs": own,
                    "top_logprobs": tops if n_top else None,
                },
            }
        if not self.on["logprobs"]:
            first["logprobs"] = None
        n_read = len(split_words(json.dumps(body.get("messages")) if chat else body["prompt"]))
        return {
            "choices": [first | {"index": 0, "finish_reason": finish}],
            "model": "scripted",
            "system_fingerprint": "scripted-1",
            "usage": {"prompt_tokens": n_read, "completion_tokens": len(rows)},
        }

    def expected(self, prompt, temperature, seed, max_tokens, stop=("\n",)):
        """The generation by its definition: text, log-probabilities of the answer, of the end, truncated."""
        text, values = "", []
        for place in range(max_tokens):
            token, _ = self.draw(prompt + text, temperature, seed, place)
            value = float(distribution(prompt + text)[token])
            if VOCABULARY[token] == "<eos>":
                return text, values, value if self.on["eos_token"] else None, False
            text += VOCABULARY[token]
            hit = [s for s in stop if s in VOCABULARY[token]]
            if hit:
                return text[: text.index(hit[0])], values, value if self.on["stop_token"] else None, False
            values.append(value)
        return text, values, None, True


def split_words(text):
    """Pieces of the echoed prompt: each begins at a space."""
    pieces, current = [], ""
    for character in text:
        if character == " " and current:
            pieces.append(current)
            current = ""
        current += character
    return [*pieces, current] if current else pieces


class Clock:
    """Time that passes only when someone sleeps."""

    def __init__(self):
        self.now, self.slept = 0.0, []

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def connect(script, faults=None, clock=None, **options):
    """An engine on a scripted server; ``faults(n, request)`` may answer request n in its place."""
    clock, count = clock or Clock(), iter(range(10**6))

    def handle(request):
        assert request.url.host == "127.0.0.1"
        number = next(count)
        fault = faults(number, request) if faults else None
        if isinstance(fault, Exception):
            raise fault
        if fault is not None:
            return fault
        status, data = script.answer(json.loads(request.content))
        return httpx2.Response(status, json=data)

    return EndpointEngine(
        URL,
        "scripted",
        transport=httpx2.MockTransport(handle),
        sleep=clock.sleep,
        clock=clock,
        rng=random.Random(1),
        **options,
    )
