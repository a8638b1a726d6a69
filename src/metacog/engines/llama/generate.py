"""The schedule of one block of generations on a shared KV cache.

Samples of one prompt that have drawn the same tokens so far share one *branch*: one row of
the batch, one row of logits, one draw for each sample. A branch splits when its samples draw
different tokens. So the prompt is decoded once for all its temperatures, the first token of
each is drawn from the very same logits, and text that several temperatures agree on is
decoded once. New prompts enter as branches end, in order; nothing but the arguments decides
when.

When a reply ends, and what of it is the answer.

Forced decoding of given continuations, as token tries on a shared KV cache.

A token of the trie is decoded once and belongs to the sequences of all continuations that
pass through it, so shared beginnings cost nothing.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.engines.base import Generation, Sample, ScoredText
from metacog.engines.llama import sampling
from metacog.engines.llama.lowlevel import Context, Model
from metacog.engines.thinking import Rule, answer_of, characters, find_block


def continuation_tokens(model: Model, prompt: str, prompt_tokens: Sequence[int], text: str) -> list[int]:
    """Tokens of a continuation as they follow the prompt's own tokens, which are kept.

    From tokenising both as one text, where the prompt's tokens survive that; else from tokenising the continuation
    after a line break, which keeps vocabularies that put a space before a text from doing so.
    """
    if not text:
        return []
    joint = model.tokenize(prompt + text)
    n = len(prompt_tokens)
    if joint[:n] == list(prompt_tokens):
        return joint[n:]
    anchor = model.tokenize("\n", bos=False)
    after = model.tokenize("\n" + text, bos=False)
    if after[: len(anchor)] == anchor:
        return after[len(anchor) :]
    return model.tokenize(text, bos=False)


@dataclass
class Batch:
    """One batch of the plan: prompts' ends and the tries below them."""

    tokens: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    sequences: list[list[int]] = field(default_factory=list)
    outputs: list[bool] = field(default_factory=list)
    # (item, continuation, place in the continuation, batch index whose logits predict it)
    reads: list[tuple[int, int, int, int]] = field(default_factory=list)
    n_sequences: int = 0


def plan(
    suffixes: Sequence[Sequence[int]],
    continuations: Sequence[Sequence[Sequence[int]]],
    n_prefix: int,
    *,
    n_sequences: int,
    n_tokens: int,
) -> list[Batch]:
    """Cut the work into batches, in order, each with its tries laid out.

    ``suffixes``: what each prompt adds to the shared prefix (at least one token); ``n_tokens``: tokens in one batch
    aimed at; a single prompt with one continuation may exceed it.
    """
    batches: list[Batch] = []
    current = Batch()
    for item, (suffix, texts) in enumerate(zip(suffixes, continuations, strict=True)):
        todo = [(i, list(t)) for i, t in enumerate(texts) if t]
        while todo:
            room = n_sequences - current.n_sequences
            left = n_tokens - len(current.tokens) - len(suffix)
            take, cost = 0, 0
            while take < min(room, len(todo)) and cost + len(todo[take][1]) <= left:
                cost += len(todo[take][1])
                take += 1
            if take < len(todo) and current.tokens:
                batches.append(current)
                current = Batch()
                continue
            _lay_out(current, item, suffix, todo[: max(take, 1)], n_prefix)
            todo = todo[max(take, 1) :]
    if current.tokens:
        batches.append(current)
    return batches


def _lay_out(
    batch: Batch,
    item: int,
    suffix: Sequence[int],
    todo: Sequence[tuple[int, list[int]]],
    n_prefix: int,
) -> None:
    """Append a prompt's end and the trie of its continuations to a batch."""
    first = batch.n_sequences + 1
    batch.n_sequences += len(todo)
    everyone = list(range(first, first + len(todo)))
    base = len(batch.tokens)
    batch.tokens += suffix
    batch.positions += range(n_prefix, n_prefix + len(suffix))
    batch.sequences += [list(everyone) for _ in suffix]
    batch.outputs += [False] * (len(suffix) - 1) + [True]
    root = base + len(suffix) - 1
    children: dict[tuple[int, int], int] = {}
    for sequence, (index, tokens) in zip(everyone, todo, strict=True):
        parent = root
        for place, token in enumerate(tokens):
            batch.outputs[parent] = True
            batch.reads.append((item, index, place, parent))
            if place == len(tokens) - 1:
                break  # nothing is read after the last token
            node = children.get((parent, token))
            if node is None:
                node = children[parent, token] = len(batch.tokens)
                batch.tokens.append(token)
                batch.positions.append(n_prefix + len(suffix) + place)
                batch.sequences.append([])
                batch.outputs.append(True)
            batch.sequences[node].append(sequence)
            parent = node


def run(
    context: Context,
    batches: Sequence[Batch],
    continuations: Sequence[Sequence[Sequence[int]]],
    *,
    n_threads: int,
) -> list[list[ScoredText]]:
    """Decode the plan and read each continuation's log-probabilities."""
    values = [[np.full(len(t), np.nan) for t in texts] for texts in continuations]
    for batch in batches:
        for sequence in range(1, batch.n_sequences + 1):
            context.fork(0, sequence)
        logits = context.decode(batch.tokens, batch.positions, batch.sequences, batch.outputs)
        totals = sampling.logsumexp_rows(logits, n_threads=n_threads)
        row_of = np.cumsum(batch.outputs) - 1
        for item, index, place, node in batch.reads:
            row = row_of[node]
            values[item][index][place] = float(logits[row, continuations[item][index][place]]) - totals[row]
        for sequence in range(1, batch.n_sequences + 1):
            context.drop(sequence)
    if any(np.isnan(v).any() for row in values for v in row):
        raise MetacogError("the model gave logits that are not finite; the file may be damaged.")
    return [
        [ScoredText(tuple(t), tuple(v.tolist())) for t, v in zip(texts, row, strict=True)]
        for texts, row in zip(continuations, values, strict=True)
    ]


@dataclass(frozen=True)
class StopRule:
    """When a generation ends."""

    #: Most tokens drawn, the one that ends the answer included.
    max_tokens: int
    stop: tuple[bytes, ...]
    count_stop_token: bool
    thinking: Rule = Rule.REFUSE
    #: The prompts end inside one.
    opened: bool = False

    def find(self, data: bytes, known: int) -> int:
        """Byte at which the first stop text begins, or -1; ``data[:known]`` holds none.

        A think block that is taken off is not searched: a line that ends there ends no answer.
        """
        first, begin = -1, 0
        if self.stop and self.thinking.strips:
            block = find_block(data, opened=self.opened or self.thinking is Rule.STRIP_OPENED)
            begin = len(data) if block.start is None else block.start
        for text in self.stop:
            at = data.find(text, max(begin, known - len(text) + 1))
            if at >= 0 and (first < 0 or at < first):
                first = at
        return first


@dataclass
class Draft:
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    data: bytes = b""

    def copy(self) -> Draft:
        return Draft(list(self.tokens), list(self.logprobs), list(self.ends), self.data)

    def add(self, token: int, logprob: float, rule: StopRule, model: Model) -> Generation | None:
        """Take one more token; the finished generation if it ends here."""
        self.tokens.append(token)
        self.logprobs.append(logprob)
        known = len(self.data)
        if model.is_eog(token):
            return self._end(rule, len(self.tokens) - 1, known, logprob, False)
        self.data += model.piece(token)
        self.ends.append(len(self.data))
        at = rule.find(self.data, known)
        if at >= 0:
            first = next(i for i, end in enumerate(self.ends) if end > at)
            counted = len(self.tokens) if rule.count_stop_token else first
            return self._end(rule, counted, at, float(sum(self.logprobs[first:])), False)
        if len(self.tokens) >= rule.max_tokens:
            return self._end(rule, len(self.tokens), len(self.data), None, True)
        return None

    def _end(
        self, rule: StopRule, n_counted: int, n_text: int, stop_logprob: float | None, truncated: bool
    ) -> Generation:
        """The generation, its answer alone: so many tokens count, the stop text begins at byte ``n_text``."""
        data = self.data[:n_text]
        answer = answer_of(data, self.ends, rule.thinking, opened=rule.opened)
        first = min(answer.first_token, n_counted)
        kept = self.logprobs[first:n_counted]
        return Generation(
            text=data[answer.start :].decode("utf-8", "ignore"),
            token_ids=tuple(self.tokens[first:n_counted]),
            token_logprobs=tuple(kept),
            n_tokens=len(kept),
            sum_logprob=float(sum(kept)),
            stop_logprob=stop_logprob,
            truncated=truncated,
            n_thought=first,
            ends=characters(data[answer.start :], [end - answer.start for end in self.ends[first:n_counted]]),
        )


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


class Block:
    """One block: prompts as tokens after a shared prefix, and the samples wanted of each.

    A new prompt enters below the engine's width of rows alone; each of its live samples may come to need a sequence.
    """

    def __init__(
        self,
        engine: Any,
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
        self,
        branches: list[_Branch],
        offsets: NDArray[np.int64],
        drawn: list[int],
        logprobs: list[float],
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
