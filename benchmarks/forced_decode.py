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
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from metacog.core.errors import MetacogError
from metacog.core.machine import available_cores
from metacog.engines.base import Generation, GenerationTask
from metacog.engines.llama.lowlevel import lc, start_backend


@dataclass(frozen=True)
class Difference:
    """How two sets of log-probabilities differ: NLP over trials, and single log-probabilities (``token_``)."""

    nlp_mean: float
    nlp_se: float
    nlp_sd: float
    nlp_max_abs: float
    token_sd: float
    token_max_abs: float


@dataclass(frozen=True)
class NlpCheck:
    """Result of :func:`check_nlp`."""

    n_trials: int
    n_tokens: int
    recorded: Difference
    recorded_single: Difference
    batch_shapes: Difference
    shifted_mean_abs: float


def _difference(pairs: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]]) -> Difference:
    nlp = np.array([a.mean() - b.mean() for a, b in pairs])
    token = np.concatenate([a - b for a, b in pairs])
    return Difference(
        nlp_mean=float(nlp.mean()),
        nlp_se=float(nlp.std(ddof=1) / np.sqrt(len(nlp))) if len(nlp) > 1 else float("nan"),
        nlp_sd=float(nlp.std()),
        nlp_max_abs=float(np.abs(nlp).max()),
        token_sd=float(token.std()),
        token_max_abs=float(np.abs(token).max()),
    )


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


def check_nlp(
    path: str | Path,
    tasks: Sequence[GenerationTask],
    generations: Sequence[Sequence[Generation]],
    *,
    n_threads: int | None = None,
) -> NlpCheck:
    """Decode generations again by an independent way and compare their log-probabilities."""
    flat = [
        (task.prompt, g)
        for task, row in zip(tasks, generations, strict=True)
        for g in row
        if g.token_logprobs and g.token_ids
    ]
    if not flat:
        raise MetacogError("no generation has a counted token, so there is nothing to check.")
    reference = ForcedDecode(path, n_threads=n_threads)
    try:
        single = [reference.logprobs(prompt, g.token_ids) for prompt, g in flat]
        whole = [reference.logprobs(prompt, g.token_ids, whole=True) for prompt, g in flat]
    finally:
        reference.close()
    recorded = [np.array(g.token_logprobs) for _, g in flat]
    late = [np.abs(a[1:] - b[:-1]).mean() for a, b in zip(recorded, single, strict=True) if len(a) > 1]
    return NlpCheck(
        n_trials=len(flat),
        n_tokens=sum(map(len, recorded)),
        recorded=_difference(list(zip(recorded, whole, strict=True))),
        recorded_single=_difference(list(zip(recorded, single, strict=True))),
        batch_shapes=_difference(list(zip(whole, single, strict=True))),
        shifted_mean_abs=float(np.mean(late)) if late else float("nan"),
    )
