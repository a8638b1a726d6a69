"""Check recorded log-probabilities against an independent forced decode.

The reference goes another way through llama.cpp: the high-level API, one sequence, all logits
kept, SciPy's log-softmax in double precision. It is run twice, one token a batch and the whole
text in one batch, since quantised kernels are not bit-equal over batch shapes: the difference of
the two is the yardstick for the difference from the recorded values.

A small positive bias is no error: a token drawn from logits with rounding noise of standard
deviation ``s`` is on average ``s**2 / 2`` more probable under them than under logits with other noise
(the Kullback-Leibler divergence of the two), 0.005 for ``s = 0.1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from metacog.core.machine import available_cores
from metacog.engines.llama.lowlevel import lc, start_backend


class ForcedDecode:
    """The independent reference."""

    def __init__(self, path: str | Path, *, n_ctx: int = 512, n_threads: int | None = None) -> None:
        threads = available_cores() if n_threads is None else n_threads
        start_backend()
        self._llama = lc.Llama(
            str(path),
            n_ctx=n_ctx,
            n_batch=n_ctx,
            logits_all=True,
            n_threads=threads,
            n_threads_batch=threads,
            verbose=False,
        )
        self._prompt: list[int] | None = None

    def logprobs(self, prompt: str, tokens: Sequence[int], *, whole: bool = False) -> NDArray[np.float64]:
        """Raw log-probability of each token after the prompt; not ``whole``: one token a batch, the prompt too."""
        llama = self._llama
        add_bos = bool(lc.llama_vocab_get_add_bos(llama._model.vocab))
        ids = llama.tokenize(prompt.encode(), add_bos=add_bos, special=True)
        if whole or ids != self._prompt:
            llama.reset()
            llama._ctx.kv_cache_clear()
            for batch in [[*ids, *tokens]] if whole else [[i] for i in ids]:
                llama.eval(batch)
            self._prompt = None if whole else ids
        if not whole:
            llama.n_tokens = len(ids)  # eval forgets what lies beyond
            for token in tokens:
                llama.eval([token])
        rows = llama.scores[len(ids) - 1 : len(ids) - 1 + len(tokens)].astype(np.float64)
        result: NDArray[np.float64] = log_softmax(rows, axis=1)[np.arange(len(tokens)), list(tokens)]
        return result

    def close(self) -> None:
        """Free the model."""
        self._llama.close()


def check_nlp(path, tasks, generations):
    """Log-probabilities of generations: as recorded, and decoded again in one batch and token by token."""
    flat = [
        (task.prompt, g)
        for task, row in zip(tasks, generations, strict=True)
        for g in row
        if g.token_logprobs and g.token_ids
    ]
    reference = ForcedDecode(path, n_threads=1)
    try:
        single = [reference.logprobs(prompt, g.token_ids) for prompt, g in flat]
        whole = [reference.logprobs(prompt, g.token_ids, whole=True) for prompt, g in flat]
    finally:
        reference.close()
    return [np.array(g.token_logprobs) for _, g in flat], whole, single
