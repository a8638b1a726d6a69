"""The original authors' loop, one trial at a time through the high-level API: the named peer.

Kept for comparison and benchmarks only. It asks ``create_completion`` for log-probabilities, which
sorts the whole vocabulary in Python for each token, and relies on llama-cpp-python's prefix
match for the prompt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from metacog.core.machine import available_cores
from metacog.engines.base import Generation, GenerationTask
from metacog.engines.llama.lowlevel import lc, start_backend


class PaperLoop:
    """``Llama(logits_all=True, n_ctx=512)`` and one ``create_completion`` a trial."""

    def __init__(self, path: str | Path, *, logprobs: bool = True, n_threads: int | None = None) -> None:
        threads = available_cores() if n_threads is None else n_threads
        self.logprobs = logprobs
        start_backend()  # else the library prints warnings even where it is asked not to
        self._llama = lc.Llama(
            str(path),
            n_ctx=512,
            logits_all=logprobs,
            n_threads=threads,
            n_threads_batch=threads,
            verbose=False,
        )

    def generate(
        self, tasks: Sequence[GenerationTask], *, max_tokens: int, stop: Sequence[str] = ()
    ) -> list[list[Generation]]:
        """Generate every sample of every task, question by question, one after the other.

        Token counts and log-probabilities are the library's own: it counts the token that holds
        the stop text, and no end-of-generation token. Without log-probabilities ``n_tokens``
        is the library's count of completion tokens and the log-probabilities are NaN.
        """
        return [
            [self._one(task.prompt, s.temperature, s.seed, max_tokens, stop) for s in task.samples]
            for task in tasks
        ]

    def _one(
        self, prompt: str, temperature: float, seed: int, max_tokens: int, stop: Sequence[str]
    ) -> Generation:
        reply: Any = self._llama.create_completion(
            prompt,
            max_tokens=max_tokens,
            temperature=temperature,
            top_k=0,
            top_p=1.0,
            min_p=0.0,
            typical_p=1.0,
            repeat_penalty=1.0,
            logprobs=1 if self.logprobs else None,
            stop=list(stop),
            seed=seed,
        )
        choice = reply["choices"][0]
        values: tuple[float, ...] = ()
        if self.logprobs and choice["logprobs"] is not None:
            values = tuple(float(v) for v in choice["logprobs"]["token_logprobs"])
        return Generation(
            text=choice["text"],
            token_ids=(),
            token_logprobs=values,
            n_tokens=len(values) if self.logprobs else int(reply["usage"]["completion_tokens"]),
            sum_logprob=math.fsum(values) if self.logprobs else float("nan"),
            stop_logprob=None,
            truncated=choice["finish_reason"] == "length",
        )

    def close(self) -> None:
        """Free the model."""
        self._llama.close()
