"""A KV cache of separate streams: attention of a conversation never spans another's cells.

llama.cpp computes a batch over streams in graphs that hold the same number of tokens of consecutive
streams. :class:`Streams` therefore cuts what is to be fed into groups of neighbours and pads the
shorter ones; what was padded is dropped again, and what stood before it cannot see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.engines.llama import lowlevel
from metacog.engines.llama.lowlevel import Context, Model, lc

_ROUND = 256  # cells a stream has at least
_F32 = 0  # GGML_TYPE_F32
#: What a graph costs in addition to its tokens, in tokens: below it, padding is cheaper than another graph.
GRAPH_COST = 12


class StreamContext(Context):
    """A :class:`Context` whose sequences have cells of their own, in single precision.

    Parameters
    ----------
    model : Model
    n_streams : int
    n_cells : int
        Tokens each stream can hold.
    n_outputs : int
        Rows of logits one batch may ask for.
    n_batch, n_threads : int
    """

    def __init__(
        self, model: Model, *, n_streams: int, n_cells: int, n_outputs: int, n_batch: int, n_threads: int
    ) -> None:
        self.handle = None
        self.model, self.n_cells, self.n_outputs = model, n_cells, n_outputs
        params = lc.llama_context_default_params()
        params.n_ctx = n_streams * n_cells
        params.n_batch = params.n_ubatch = n_batch
        params.n_seq_max = n_streams
        if hasattr(params, "n_outputs_max"):
            params.n_outputs_max = n_outputs
        params.n_threads = params.n_threads_batch = n_threads
        params.flash_attn_type = 1
        params.type_k = params.type_v = _F32
        params.kv_unified = False
        params.swa_full = True
        params.no_perf = True
        self.handle = lc.llama_init_from_model(model.handle, params)
        if not self.handle:
            raise MetacogError(
                f"llama.cpp cannot make room for {n_streams} conversations of {n_cells} tokens "
                f"({lowlevel.last_log()}). Ask fewer items together, or shorten the prompts."
            )
        self.memory = lc.llama_get_memory(self.handle)


def rounded_cells(n_tokens: int) -> int:
    """Cells of a stream that is to hold so many tokens, with room for padding: 256, 512, 1024 ..."""
    cells = _ROUND
    while cells < n_tokens + 8:
        cells *= 2
    return cells


def common_length(a: Sequence[int], b: Sequence[int]) -> int:
    """Length of the longest common beginning."""
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


@dataclass
class Feed:
    """Tokens that a stream takes next, of which the last ``n_rows`` give logits."""

    stream: int
    tokens: list[int]
    n_rows: int


@dataclass
class Streams:
    """Streams of one context, what each holds, and the decoding of groups.

    Attributes
    ----------
    held : list of list of int
        Tokens in each stream's cache.
    """

    context: StreamContext
    n_streams: int
    n_batch: int
    held: list[list[int]] = field(default_factory=list)
    graphs: int = 0
    padding: int = 0

    def __post_init__(self) -> None:
        self.held = [[] for _ in range(self.n_streams)]

    def trim(self, stream: int, n_keep: int) -> None:
        """Forget what a stream holds from a place on."""
        if n_keep < len(self.held[stream]):
            self.context.drop(stream, n_keep)
            del self.held[stream][n_keep:]

    def copy(self, source: int, target: int) -> None:
        """Let a stream hold what another holds (its cells are copied at the next batch)."""
        self.context.drop(target)
        self.context.fork(source, target)
        self.held[target] = list(self.held[source])

    def groups(self, feeds: Sequence[Feed]) -> list[list[Feed]]:
        """Cut feeds, in the order of their streams, into graphs at the least cost.

        A group spans neighbouring streams; each of them, idle ones too, takes as many tokens as the
        longest.
        """
        feeds = sorted(feeds, key=lambda f: f.stream)
        best: list[tuple[float, int]] = [(0.0, 0)]
        for end in range(1, len(feeds) + 1):
            options = []
            longest = rows = 0
            for start in range(end - 1, -1, -1):
                feed = feeds[start]
                longest, rows = max(longest, len(feed.tokens)), rows + feed.n_rows
                first, last = feed.stream, feeds[end - 1].stream
                size = (last - first + 1) * longest
                if start < end - 1 and (
                    size > self.n_batch
                    or rows > self.context.n_outputs
                    or any(len(self.held[s]) + longest > self.context.n_cells for s in range(first, last + 1))
                ):
                    break
                options.append((best[start][0] + GRAPH_COST + size, start))
            best.append(min(options))
        cut, end = [], len(feeds)
        while end:
            start = best[end][1]
            cut.append(list(feeds[start:end]))
            end = start
        return cut[::-1]

    def decode(self, group: Sequence[Feed]) -> NDArray[np.float32]:
        """Feed one group; the rows of its feeds one after the other, a view that the next call overwrites."""
        longest = max(len(f.tokens) for f in group)
        by_stream = {f.stream: f for f in group}
        tokens: list[int] = []
        positions: list[int] = []
        owners: list[tuple[int]] = []
        outputs: list[bool] = []
        span = range(group[0].stream, group[-1].stream + 1)
        filler = max(self.context.model.bos, 0)
        for stream in span:
            feed = by_stream.get(stream)
            fed = feed.tokens if feed else []
            n_rows = feed.n_rows if feed else 0
            at = len(self.held[stream])
            tokens += fed
            tokens += [filler] * (longest - len(fed))
            positions += range(at, at + longest)
            owners += [(stream,)] * longest
            outputs += [False] * (len(fed) - n_rows) + [True] * n_rows + [False] * (longest - len(fed))
        logits = self.context.decode(tokens, positions, owners, outputs)
        for stream in span:
            feed = by_stream.get(stream)
            fed = feed.tokens if feed else []
            self.held[stream] += fed
            if len(fed) < longest:
                self.context.drop(stream, len(self.held[stream]))
        self.graphs += 1
        self.padding += len(tokens) - sum(len(f.tokens) for f in group)
        return logits
