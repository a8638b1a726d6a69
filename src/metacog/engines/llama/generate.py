"""The schedule of one block of generations on a shared KV cache.

Samples of one prompt that have drawn the same tokens so far share one *branch*: one row of the batch, one row of
logits, one draw for each sample. A branch splits when its samples draw different tokens. So the prompt is decoded once
for all its temperatures, the first token of each is drawn from the very same logits, and text that several temperatures
agree on is decoded once. New prompts enter as branches end, in order; nothing but the arguments decides when.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.engines.base import Generation, Sample
from metacog.engines.llama import sampling
from metacog.engines.llama.ending import Draft, StopRule
from metacog.engines.llama.lowlevel import Context, Model


@dataclass
class Timings:
    """Where the time went, in seconds, and how much was done.

    A batch holds steps of running answers and new prompts; its time is divided by the parameters
    that the tokens of each pass through.
    """

    prompt_seconds: float = 0.0
    step_seconds: float = 0.0
    prompt_tokens: int = 0
    step_tokens: int = 0
    draws: int = 0
    batches: int = 0
    sent_tokens: int = 0


@dataclass
class _Member:
    task: int
    index: int
    temperature: float
    uniform: NDArray[np.float64]


@dataclass
class _Branch:
    """Samples that share their history so far."""

    sequence: int
    members: list[_Member]
    position: int
    draft: Draft = field(default_factory=Draft)

    def child(self, members: list[_Member]) -> _Branch:
        return _Branch(self.sequence, members, self.position + 1, self.draft.copy())


class Running(Protocol):
    """What a block takes of the engine that it runs on: its sizes, its model, and where the times are added up."""

    width: int
    n_live: int
    n_batch: int
    n_threads: int
    timings: Timings

    @property
    def model(self) -> Model: ...


class Block:
    """One block: prompts as tokens after a shared prefix, and the samples wanted of each.

    A new prompt enters below the engine's width of rows alone; each of its live samples may come to need a sequence.
    """

    def __init__(
        self,
        engine: Running,
        context: Context,
        suffixes: Sequence[Sequence[int]],
        samples: Sequence[Sequence[Sample]],
        n_prefix: int,
        rule: StopRule,
    ) -> None:
        self.engine, self.context, self.rule = engine, context, rule
        self.suffixes, self.n_prefix = suffixes, n_prefix
        self.results: list[list[Generation | None]] = [[None] * len(s) for s in samples]
        self.queue: list[tuple[int, list[_Member]]] = []
        for task, wanted in enumerate(samples):
            members = [
                _Member(task, i, s.temperature, sampling.uniforms(s.seed, rule.max_tokens))
                for i, s in enumerate(wanted)
            ]
            for start in range(0, len(members), engine.n_live):
                self.queue.append((task, members[start : start + engine.n_live]))
        self.queue.reverse()
        self.free = list(range(1, engine.n_live + 1))
        self.branches: list[_Branch] = []
        self.live = 0

    def run(self) -> list[list[Generation]]:
        """Generate everything; the prefix must be in sequence 0."""
        while self.queue or self.branches:
            self._step()
        return [[g for g in row if g is not None] for row in self.results]

    def _admit(self) -> list[_Branch]:
        """Prompts that join the next batch."""
        fresh: list[_Branch] = []
        rows, tokens = len(self.branches), 0
        while self.queue:
            task, members = self.queue[-1]
            size = len(self.suffixes[task])
            expected = (len(members) + 1) // 2  # about half of them will share a branch
            if rows and (
                rows + expected > self.engine.width
                or self.live + len(members) > self.engine.n_live
                or tokens + size > self.engine.n_batch
            ):
                break
            self.queue.pop()
            sequence = heapq.heappop(self.free)
            self.context.fork(0, sequence)
            fresh.append(_Branch(sequence, members, self.n_prefix + size))
            rows, tokens, self.live = rows + expected, tokens + size, self.live + len(members)
        return fresh

    def _step(self) -> None:
        fresh = self._admit()
        tokens = [b.draft.tokens[-1] for b in self.branches]
        positions = [b.position - 1 for b in self.branches]
        owners = [(b.sequence,) for b in self.branches]
        outputs = [True] * len(tokens)
        n_step = len(tokens)
        for branch in fresh:
            suffix = self.suffixes[branch.members[0].task]
            tokens += suffix
            positions += range(self.n_prefix, self.n_prefix + len(suffix))
            owners += [(branch.sequence,)] * len(suffix)
            outputs += [False] * (len(suffix) - 1) + [True]
        branches = self.branches + fresh
        offsets = np.zeros(len(branches) + 1, np.int64)
        np.cumsum([len(b.members) for b in branches], out=offsets[1:])
        members = [m for b in branches for m in b.members]
        temperature = np.array([m.temperature for m in members], np.float32)
        uniform = np.array([m.uniform[len(b.draft.tokens)] for b in branches for m in b.members])
        decode_clock = time.perf_counter()
        logits = self.context.decode(tokens, positions, owners, outputs)
        decoded = time.perf_counter() - decode_clock
        drawn, logprobs = sampling.draw(
            logits, offsets, temperature, uniform, n_threads=self.engine.n_threads
        )
        if drawn.min() < 0:
            raise MetacogError("the model gave logits that are not finite; the file may be damaged.")
        self._advance(branches, offsets, drawn.tolist(), logprobs.tolist())
        t = self.engine.timings
        # a step's tokens all pass the output layer, of a prompt's only the last
        head = self.engine.model.head_share
        prompt_share = (len(tokens) - n_step) * (1 - head) + len(fresh) * head
        prompt_share /= prompt_share + n_step
        t.step_seconds += decoded * (1 - prompt_share)
        t.prompt_seconds += decoded * prompt_share
        t.step_tokens += n_step
        t.prompt_tokens += len(tokens) - n_step
        t.draws += len(members)
        t.batches += 1

    def _advance(
        self, branches: list[_Branch], offsets: NDArray[np.int64], drawn: list[int], logprobs: list[float]
    ) -> None:
        """Give each branch its tokens: end it, let it go on, or split it."""
        self.branches = []
        for branch, start in zip(branches, offsets.tolist(), strict=False):
            groups: dict[int, list[_Member]] = {}
            value: dict[int, float] = {}
            for i, member in enumerate(branch.members, start):
                groups.setdefault(drawn[i], []).append(member)
                value[drawn[i]] = logprobs[i]
            kept = False
            for token, members in groups.items():
                child = branch.child(members)
                ended = child.draft.add(token, value[token], self.rule, self.engine.model)
                if ended is not None:
                    for member in members:
                        self.results[member.task][member.index] = ended
                    self.live -= len(members)
                    continue
                if kept:
                    child.sequence = heapq.heappop(self.free)
                    self.context.fork(branch.sequence, child.sequence)
                kept = True
                self.branches.append(child)
            if not kept:
                self.context.drop(branch.sequence)
                heapq.heappush(self.free, branch.sequence)
