"""The KV cache kept between blocks, sized for each, with the shared prefix in sequence 0."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from metacog.engines.llama.generate import Timings
from metacog.engines.llama.lowlevel import Context, Model

_ROUND_CELLS = 1024  # so that blocks of much the same size use one cache

_CHUNK = 64  # tokens of the prefix decoded together


def common_prefix(prompts: Sequence[Sequence[int]]) -> int:
    """Length of the longest common token prefix that leaves every prompt one token of its own."""
    return min(shared(prompts), min(map(len, prompts)) - 1) if prompts else 0


def shared(lists: Sequence[Sequence[int]]) -> int:
    return min(common_length(lists[0], other) for other in lists)


def common_length(a: Sequence[int], b: Sequence[int]) -> int:
    n = min(len(a), len(b))
    if a[:n] == b[:n]:
        return n
    low, high = 0, n  # a[:low] == b[:low], a[:high] != b[:high]
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


class PrefixCache:
    """Keeps one :class:`Context`, made again when a block asks for another size.

    The prefix is decoded in chunks cut at fixed places, so the numbers of a chunk depend on the tokens up to its
    end alone. A chunk that an earlier call left behind therefore holds the very bits that decoding it again would
    give, and is used again: across blocks, and over the turns of a conversation.
    """

    def __init__(self, model: Model, n_seq: int, n_ubatch: int, n_threads: int, flash_attn: bool) -> None:
        self._model, self._n_seq, self._n_ubatch = model, n_seq, n_ubatch
        self._n_threads, self._flash_attn = n_threads, flash_attn
        self._context: Context | None = None
        self._prefix: list[int] = []

    @contextmanager
    def block(
        self, prefix: Sequence[int], n_tokens: int, n_outputs: int, timings: Timings
    ) -> Iterator[Context]:
        """A cache with the prefix in sequence 0 and room for ``n_tokens`` more.

        ``n_outputs``: rows of logits a batch may ask for, where more than sequences.
        """
        n_cells = -(-(len(prefix) + n_tokens + 1) // _ROUND_CELLS) * _ROUND_CELLS
        n_outputs = max(self._n_seq, n_outputs)
        context = self._context
        if context is None or (context.n_cells, context.n_outputs) != (n_cells, n_outputs):
            self.close()
            context = self._context = Context(
                self._model,
                n_cells=n_cells,
                n_seq=self._n_seq,
                n_outputs=n_outputs,
                n_ubatch=self._n_ubatch,
                n_threads=self._n_threads,
                flash_attn=self._flash_attn,
            )
        try:
            self._load(context, list(prefix), timings)
            yield context
        except BaseException:  # a half-run block leaves nothing behind, an interruption neither
            self.close()
            raise

    def _load(self, context: Context, prefix: list[int], timings: Timings) -> None:
        clock = time.perf_counter()
        keep = 0
        while keep + _CHUNK <= len(prefix) and prefix[: keep + _CHUNK] == self._prefix[: keep + _CHUNK]:
            keep += _CHUNK
        if prefix == self._prefix:
            keep = len(prefix)
        context.drop(0, keep)
        for start in range(keep, len(prefix), _CHUNK):
            chunk = prefix[start : start + _CHUNK]
            context.decode(chunk, range(start, start + len(chunk)), [(0,)] * len(chunk), [False] * len(chunk))
        self._prefix = prefix
        timings.prompt_seconds += time.perf_counter() - clock
        timings.prompt_tokens += len(prefix) - keep

    def close(self) -> None:
        self._prefix = []
        if self._context is not None:
            self._context.close()
            self._context = None
