"""An engine that needs no model: answers are a function of prompt and seed."""

import hashlib
import math

from metacog.engines.base import EngineInfo, Generation


class ScriptedEngine:
    """Answers ``Paris`` or nonsense, with made-up log-probabilities; can fail after some blocks."""

    def __init__(self, fail_after=None, error=None):
        self.calls = 0
        self.fail_after = fail_after
        self.error = error or RuntimeError("engine stopped")

    @property
    def info(self):
        return EngineInfo("scripted", "scripted", "0" * 64)

    def render_chat(self, messages, *, fold_system=None):
        return "\n".join(m["content"] for m in messages)

    def generate(self, tasks, *, max_tokens, stop=(), count_stop_token=False):
        if self.fail_after is not None and self.calls >= self.fail_after:
            raise self.error
        self.calls += 1
        return [[self._answer(task.prompt, sample) for sample in task.samples] for task in tasks]

    @staticmethod
    def _answer(prompt, sample):
        number = int(hashlib.sha256(f"{prompt}|{sample.seed}".encode()).hexdigest()[:8], 16)
        words = ["Paris", "Honey", "", "I don't know", "Rome"][number % 5]
        logprobs = tuple(-((number >> k) % 97 + 1) / 50 for k in range(len(words.split())))
        return Generation(words, (), logprobs, len(logprobs), math.fsum(logprobs), -0.1, number % 11 == 0)

    def close(self):
        pass
