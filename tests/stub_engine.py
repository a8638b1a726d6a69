"""An engine that needs no model: replies are a function of the request, refusals and garbage included."""

import hashlib
import json
import math

from metacog.engines.base import EngineInfo, Generation, ScoredText
from metacog.engines.engine import chosen, parsed
from metacog.engines.requests import Choose, Generate, Generated, Scored

TEXTS = (
    "Paris",
    " Honey",
    "",
    "I don't know",
    "Sorry, I cannot help with that.",
    "Rome, of course. Rome.",
    '{"answer": "Paris", "confidence": 80}',
    '{"answer": "Par',
    "\x00\ufffd \n\n",
    "YES",
    "7",
    "KEEP or WITHDRAW",
)


def number(*parts):
    text = json.dumps([str(p) for p in parts])
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


class StubEngine:
    """Serves every kind of request; can fail after some blocks, and refuse to score.

    ``fail_after``: blocks served before it raises ``error``; ``scores``: False: choices are parsed from written
    answers, as with a server that cannot score; ``journalled``: replies are to be journalled one by one, as an
    endpoint's are; ``fail_after_replies``: replies given before it raises.
    """

    def __init__(self, fail_after=None, error=None, scores=True, journalled=False, fail_after_replies=None):
        self.calls = self.given = 0
        self.fail_after, self.fail_after_replies = fail_after, fail_after_replies
        self.error = error or RuntimeError("engine stopped")
        self.scores, self.journalled = scores, journalled
        self.closed = False

    @property
    def info(self):
        return EngineInfo("stub", "stub", "0" * 64)

    def render_chat(self, messages):
        return "\n".join(m["content"] for m in messages)

    def serve(self, conversations):
        if self.fail_after is not None and self.calls >= self.fail_after:
            raise self.error
        self.calls += 1
        while any(c.pending for c in conversations):
            for talk in conversations:
                prompt_of = lambda r, talk=talk: talk.form.render(r.turns, self)  # noqa: E731
                for index, request in list(talk.pending.items()):
                    if self.fail_after_replies is not None and self.given >= self.fail_after_replies:
                        raise self.error
                    self.given += 1
                    talk.answer(index, self.reply(request, prompt_of(request)))
        return [c.replies for c in conversations]

    def reply(self, request, prompt):
        if isinstance(request, Generate):
            return Generated(tuple(self.generation(prompt, seed) for seed in request.seeds), request.turns)
        if isinstance(request, Choose):
            if not self.scores and request.fallback == "fail":
                raise self.error
            if not self.scores:
                return parsed(request, self.generation(prompt, request.seed).text)
            values = [-(number(prompt, option) % 997 + 1) / 100 for option in request.options]
            return chosen(request, values, "label")
        return Scored(tuple(self.scored(prompt, text) for text in request.continuations), request.turns)

    @staticmethod
    def generation(prompt, seed):
        drawn = number(prompt, seed)
        text = TEXTS[drawn % len(TEXTS)]
        logprobs = tuple(-((drawn >> k) % 97 + 1) / 50 for k in range(len(text.split())))
        return Generation(text, (), logprobs, len(logprobs), math.fsum(logprobs), -0.1, drawn % 11 == 0)

    @staticmethod
    def scored(prompt, text):
        drawn = number(prompt, text)
        n = max(1, len(text.split()))
        return ScoredText(tuple(range(n)), tuple(-((drawn >> k) % 97 + 1) / 50 for k in range(n)))

    def close(self):
        self.closed = True
