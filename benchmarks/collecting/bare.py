"""llama.cpp's bare decode: ``llama_decode`` alone, nothing sampled, the logits left unread.

Rows of the engine's width, each an answer of its own behind the prompt that its question has, take as
many steps as an answer has tokens on average; then the answers are forgotten and the next ones begin.
No row is shared and none is ever missing, which no real collection can have: this is the rate of
llama.cpp at that width, not that of a program.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from metacog.engines.base import GenerationTask
from metacog.engines.llama.lowlevel import Model, lc
from metacog.engines.llama.prefix import common_prefix

#: One cache for all sequences, or cells of its own for each.
CACHES = ("unified", "streams")


@dataclass(frozen=True)
class Spent:
    """Tokens decoded, and what they took."""

    tokens: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.tokens + other.tokens, self.seconds + other.seconds, self.cpu_seconds + other.cpu_seconds
        )

    def named(self, name: str) -> dict[str, float]:
        """As entries of a result."""
        return {f"{name}_{k}": v for k, v in asdict(self).items()}


class BareContext:
    """A context with nothing around it."""

    def __init__(
        self, model: Model, cache: str, n_seq: int, n_cells: int, n_shared: int, threads: int, flash: bool
    ) -> None:
        unified = cache == "unified"
        own = n_cells - n_shared if unified else -(-n_cells // 256) * 256
        params = lc.llama_context_default_params()
        params.n_ctx = -(-(n_shared * unified + n_seq * own) // 256) * 256
        params.n_batch, params.n_ubatch = 2048, 512
        params.n_seq_max = n_seq
        if hasattr(params, "n_outputs_max"):
            params.n_outputs_max = n_seq
        params.n_threads = params.n_threads_batch = threads
        params.flash_attn_type = int(flash)
        params.kv_unified = unified
        params.swa_full = True
        params.no_perf = True
        self.handle = lc.llama_init_from_model(model.handle, params)
        if not self.handle:
            raise SystemExit(f"llama.cpp cannot make a {cache} cache of {n_seq} sequences")
        self.memory = lc.llama_get_memory(self.handle)
        self.batch = lc.llama_batch_init(params.n_batch, 0, 1)

    def decode(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        sequences: Sequence[int],
        outputs: Sequence[bool],
    ) -> Spent:
        """One batch, read by nobody; gives the time of ``llama_decode`` until all is computed."""
        batch = self.batch
        batch.n_tokens = len(tokens)
        for i, (token, position, s, output) in enumerate(
            zip(tokens, positions, sequences, outputs, strict=True)
        ):
            batch.token[i], batch.pos[i], batch.logits[i] = token, position, output
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, s
        wall, cpu = time.perf_counter(), time.process_time()
        code = lc.llama_decode(self.handle, batch)
        lc.llama_synchronize(self.handle)
        if code:
            raise SystemExit(f"llama_decode failed with {code}")
        return Spent(len(tokens), time.perf_counter() - wall, time.process_time() - cpu)

    def fork(self, source: int, target: int) -> None:
        """Give ``target`` what ``source`` holds."""
        lc.llama_memory_seq_cp(self.memory, source, target, -1, -1)

    def forget(self, sequence: int, start: int) -> None:
        """Drop a sequence's tokens from a position on."""
        lc.llama_memory_seq_rm(self.memory, sequence, start, -1)

    def close(self) -> None:
        """Free it."""
        lc.llama_batch_free(self.batch)
        lc.llama_free(self.handle)


def run_caches(
    path: Path, tasks: Sequence[GenerationTask], threads: int, *, caches: Sequence[str], **shape: Any
) -> list[dict]:
    """:func:`run_bare` with one kind of cache after the other."""
    return [run_bare(path, tasks, threads, cache=cache, **shape) for cache in caches]


def run_bare(
    path: Path,
    tasks: Sequence[GenerationTask],
    threads: int,
    *,
    cache: str,
    width: int,
    steps: int,
    flash: bool = False,
    seconds: float = 4.0,
) -> dict:
    """Seconds of ``llama_decode`` for prompts and for steps, over at least ``seconds`` of steps."""
    model = Model(path)
    prompts = [model.tokenize(task.prompt) for task in tasks]
    n_prefix = common_prefix(prompts)
    a_prompt = len(tasks[0].samples)  # that many rows stand behind one prompt
    ends = [p[n_prefix:] for p in prompts][: -(-width // a_prompt)]
    longest = max(map(len, ends)) + n_prefix + steps
    context = BareContext(model, cache, width + 1, longest, n_prefix, threads, flash)
    context.decode(prompts[0][:n_prefix], range(n_prefix), [0] * n_prefix, [False] * n_prefix)
    rows = _Rows(context, n_prefix, ends, a_prompt, width)
    rows.enter()  # warms up
    prompt = rows.enter()
    rows.answer(steps, 0)
    step, round_ = Spent(), 1
    while step.seconds < seconds:
        step += rows.answer(steps, round_)
        round_ += 1
    context.close()
    model.close()
    facts = {"cache": cache, "width": width, "steps": steps}
    return facts | prompt.named("prompt") | step.named("step")


class _Rows:
    """Sequences 1 to ``width``: each seven or so stand behind the end of one prompt."""

    def __init__(
        self, context: BareContext, n_prefix: int, ends: Sequence[Sequence[int]], a_prompt: int, width: int
    ) -> None:
        self.context, self.n_prefix = context, n_prefix
        self.ends = {1 + a_prompt * i: end for i, end in enumerate(ends)}
        self.rows = range(1, width + 1)
        self.first = {s: max(f for f in self.ends if f <= s) for s in self.rows}

    def enter(self) -> Spent:
        """Read the prompts' ends, three at a time, about as many as enter the engine together."""
        for s in self.rows:
            self.context.forget(s, 0)
        spent, pairs = Spent(), list(self.ends.items())
        for first, _ in pairs:
            self.context.fork(0, first)
        for i in range(0, len(pairs), 3):
            group = pairs[i : i + 3]
            spent += self.context.decode(
                [t for _, end in group for t in end],
                [self.n_prefix + k for _, end in group for k in range(len(end))],
                [s for s, end in group for _ in end],
                [k == len(end) - 1 for _, end in group for k in range(len(end))],
            )
        for s in self.rows:
            if s not in self.ends:
                self.context.fork(self.first[s], s)
        return spent

    def answer(self, steps: int, round_: int) -> Spent:
        """All rows take ``steps`` steps, and are put back to where they began."""
        starts = [self.n_prefix + len(self.ends[self.first[s]]) for s in self.rows]
        spent = Spent()
        for k in range(steps):
            tokens = [1000 + (37 * k + 101 * s + 7 * round_) % 20000 for s in self.rows]
            spent += self.context.decode(
                tokens, [start + k for start in starts], self.rows, [True] * len(tokens)
            )
        for s, start in zip(self.rows, starts, strict=True):
            self.context.forget(s, start)
        return spent
