"""Conversations of a block, carried on together: each keeps its cache in a stream while it is in flight.

Requests are answered in an order that depends on the block alone. A conversation enters when a stream is free; its next
request joins as soon as its last is answered; samples of one prompt share its reading and take further streams as they
part. A stream that is free keeps what it holds, so what the next prompt has in common with it is not read again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.engines.llama import sampling
from metacog.engines.llama.lowlevel import Context
from metacog.engines.llama.prefix import common_length, common_prefix
from metacog.engines.llama.streams import Feed, Streams, Want, read_rows, rounded_cells
from metacog.engines.llama.turns import Serving, Task, make_task, one_turn
from metacog.engines.requests import Conversation, Generate, Request, Score

#: Conversations (streams) in flight at most.
N_STREAMS = 32

#: Cells of all streams together at most; fewer streams are used for long prompts.
MOST_CELLS = 16_384

#: Tokens waiting to be read that are worth a batch of their own while others are being written.
READ_TOKENS = 96

#: A copy from another stream costs about as much as reading so many tokens.
COPY_COST = 24

_OUTPUTS = 64


def serve(engine: Serving, conversations: Sequence[Conversation]) -> None:
    if conversations and all(talk.one_turn for talk in conversations):
        one_turn(engine, conversations)
    waiting = [talk for talk in conversations if talk.pending]
    if waiting:
        for cells, group in _by_length(engine, waiting):
            _Wave(engine, group, cells).run()


def _by_length(engine: Serving, talks: Sequence[Conversation]) -> list[tuple[int, list[Conversation]]]:
    """Conversations whose first prompts need streams of the same size; too long ones are refused here."""
    found: dict[int, list[Conversation]] = {}
    for talk in talks:
        tasks = (make_task(engine, talk, request) for request in talk.pending.values())
        need = max(len(task.prompt) + task.room for task in tasks)
        found.setdefault(rounded_cells(need + need // 2), []).append(talk)  # half as much again to go on
    return sorted(found.items())


@dataclass
class _Running:
    """A want with the stream it is being fed into."""

    talk: Conversation
    index: int
    task: Task
    want: Want
    stream: int = -1


@dataclass
class _Wave:
    """Streams of one size and the conversations that pass through them."""

    engine: Serving
    talks: Sequence[Conversation]
    cells: int
    ready: deque[_Running] = field(default_factory=deque)
    active: list[_Running] = field(default_factory=list)

    def run(self) -> None:
        self._open(self.cells)
        try:
            self.coming = deque(self.talks)
            self._read_common_beginning()
            while self.coming or self.ready or self.active:
                self._admit()
                self._assign()
                if not self.active:
                    self._grow()
                    continue
                self._tick()
        finally:
            self.streams.context.close()

    def _open(self, cells: int) -> None:
        engine, self.cells = self.engine, min(cells, rounded_cells(self.engine.n_ctx))
        # streams that so few conversations could fill at once, going by what they ask first
        first = [r for talk in self.talks for r in talk.pending.values()]
        useful = sum(r.n_samples if isinstance(r, Generate) else 1 for r in first)
        n = max(1, min(N_STREAMS, MOST_CELLS // self.cells, max(4, len(self.talks), useful)))
        context = Context(
            engine.model,
            n_cells=self.cells,
            n_seq=n,
            n_outputs=_OUTPUTS,
            n_ubatch=engine.n_batch,
            n_threads=engine.n_threads,
            flash_attn=True,
            unified=False,
        )
        self.streams = Streams(context, n, engine.n_batch)
        self.free = list(range(n))  # the one that was left longest ago first
        # streams a conversation in flight holds, by its id; none yet of a new context
        self.kept: dict[int, list[int]] = {talk: [] for talk in getattr(self, "kept", {})}

    def _grow(self) -> None:
        """Make room for a prompt that outgrew the streams; nothing is in flight, what was read is lost."""
        need = max(len(r.want.tokens) + r.task.room for r in self.ready)
        self.streams.context.close()
        self._open(rounded_cells(need))

    def _read_common_beginning(self) -> None:
        """Read what all first prompts share once; the streams copy it."""
        prompts = [make_task(self.engine, t, next(iter(t.pending.values()))).prompt for t in self.coming]
        n = common_prefix(prompts)
        if len(prompts) < 2 or n < COPY_COST:
            return
        for start in range(0, n, self.engine.n_batch):
            chunk = list(prompts[0][start : min(n, start + self.engine.n_batch)])
            self.streams.decode([Feed(0, chunk, 0)])
            self.engine.timings.prompt_tokens += len(chunk)

    def _admit(self) -> None:
        """Let conversations in while streams are free beyond what is waiting already."""
        room = len(self.free) - len(self.ready)
        entering: list[_Running] = []
        while self.coming and room > 0:
            talk = self.coming.popleft()
            self.kept[id(talk)] = []
            new = self._runs(talk)
            entering += new
            room -= len(new)
        # neighbours of much the same length are read together with little padding
        self.ready.extend(sorted(entering, key=lambda r: len(r.want.tokens)))

    def _runs(self, talk: Conversation) -> list[_Running]:
        runs = []
        for index, request in talk.pending.items():
            task = make_task(self.engine, talk, request)
            self.engine.timings.sent_tokens += len(task.prompt) * _times_sent(request)
            runs += [_Running(talk, index, task, want) for want in task.begin()]
        return runs

    def _assign(self) -> None:
        """Give waiting wants a stream each: the one that holds most of the prompt, or a copy of it."""
        left: deque[_Running] = deque()
        held = self.streams.held
        for run in self.ready:
            kept_streams = self.kept[id(run.talk)]
            available = kept_streams + self.free
            if not available or len(run.want.tokens) + run.task.room > self.cells:
                left.append(run)
                continue
            limit = min(run.want.first_row, len(run.want.tokens) - 1)

            def common(stream: int, run: _Running = run, limit: int = limit) -> int:
                return min(limit, common_length(held[stream], run.want.tokens))

            run.stream = max(available, key=common)  # the first of equals
            source = max(range(self.streams.n_streams), key=common)
            if common(source) > common(run.stream) + COPY_COST:
                run.stream = kept_streams[0] if kept_streams else self.free[0]
                self.streams.copy(source, run.stream)
            (kept_streams if run.stream in kept_streams else self.free).remove(run.stream)
            self.streams.trim(run.stream, common(run.stream))
            self.active.append(run)
        self.ready = left

    def _tick(self) -> None:
        """One batch of steps, or all reading that waits."""
        rest = {run.stream: len(run.want.tokens) - len(self.streams.held[run.stream]) for run in self.active}
        reading = [run for run in self.active if rest[run.stream] > 1]
        writing = [run for run in self.active if rest[run.stream] == 1]
        n_read = sum(rest[run.stream] for run in reading)
        now = reading if n_read >= READ_TOKENS or len(writing) <= self.streams.n_streams // 2 else []
        if not now or n_read < READ_TOKENS // 2:
            now = [*now, *writing]
        by_stream = {run.stream: run for run in now}
        for group in self.streams.groups([self._feed(run) for run in now]):
            logits = self.streams.decode(group)
            self._learn([by_stream[feed.stream] for feed in group], [f.n_rows for f in group], logits)
            self._count(group)

    def _feed(self, run: _Running) -> Feed:
        at = len(self.streams.held[run.stream])
        tokens = run.want.tokens[at : at + self.engine.n_batch]
        first = max(run.want.first_row, at)
        tokens = tokens[: first - at + _OUTPUTS]
        return Feed(run.stream, tokens, max(0, at + len(tokens) - first))

    def _count(self, group: Sequence[Feed]) -> None:
        timings = self.engine.timings
        for feed in group:
            if len(feed.tokens) == 1:
                timings.step_tokens += 1
            else:
                timings.prompt_tokens += len(feed.tokens)
        timings.batches += 1

    def _learn(self, runs: Sequence[_Running], n_rows: Sequence[int], logits: NDArray[np.float32]) -> None:
        """Hand rows of logits to those who wanted them, and take what they want next."""
        drawing: list[tuple[_Running, int]] = []
        reading: list[tuple[_Running, int, list[int]]] = []
        row = 0
        for run, n in zip(runs, n_rows, strict=True):
            if n and run.want.draws:
                drawing.append((run, row + n - 1))
            for i in range(n if run.want.targets else 0):
                reading.append((run, row + i, run.want.targets[len(run.want.read) + i]))
            row += n
        if reading:
            rows = logits if len(reading) == len(logits) else logits[[r for _, r, _ in reading]]
            values = read_rows(rows, [t for _, _, t in reading], self.engine.n_threads)
            for (run, _, _), found in zip(reading, values, strict=True):
                run.want.read.append(found)
        if drawing:
            self._draw(drawing, logits)
        for run in runs:
            if len(self.streams.held[run.stream]) == len(run.want.tokens):
                self._go_on(run)

    def _draw(self, drawing: Sequence[tuple[_Running, int]], logits: NDArray[np.float32]) -> None:
        draws = [pair for run, _ in drawing for pair in run.want.draws]
        offsets = np.zeros(len(drawing) + 1, np.int64)
        np.cumsum([len(run.want.draws) for run, _ in drawing], out=offsets[1:])
        rows = logits if len(drawing) == len(logits) else logits[[r for _, r in drawing]]
        tokens, logprobs = sampling.draw(
            rows,
            offsets,
            np.array([t for t, _ in draws], np.float32),
            np.array([u for _, u in draws]),
            n_threads=self.engine.n_threads,
        )
        if tokens.min() < 0:
            raise MetacogError("the model gave logits that are not finite; the file may be damaged.")
        found = list(zip(tokens.tolist(), logprobs.tolist(), strict=True))
        for k, (run, _) in enumerate(drawing):
            run.want.drawn = found[offsets[k] : offsets[k + 1]]
        self.engine.timings.draws += len(draws)

    def _go_on(self, run: _Running) -> None:
        """A want was met: go on in its stream, part from it, answer, ask what comes next."""
        following = run.task.take(run.want)
        kept_streams = self.kept[id(run.talk)]
        self.active.remove(run)
        if following:
            stay, *others = following
            limit = min(stay.first_row, len(stay.tokens) - 1)
            self.streams.trim(
                run.stream, min(limit, common_length(self.streams.held[run.stream], stay.tokens))
            )
            self.active.append(_Running(run.talk, run.index, run.task, stay, run.stream))
            self.ready.extend(_Running(run.talk, run.index, run.task, want) for want in others)
            return
        kept_streams.append(run.stream)
        reply = run.task.reply()
        if reply is not None:
            step = run.talk.step
            run.talk.answer(run.index, reply)
            if run.talk.pending and run.talk.step > step:
                self.ready.extend(self._runs(run.talk))
        # what the conversation does not need is given back: all at its end, else all but its first stream
        while len(kept_streams) > (0 if run.talk.ended else 1):
            self.free.append(kept_streams.pop())


def _times_sent(request: Request) -> int:
    """How often a server would be sent the prompt of a request."""
    if isinstance(request, Generate):
        return request.n_samples
    return len(request.continuations) if isinstance(request, Score) else 1
