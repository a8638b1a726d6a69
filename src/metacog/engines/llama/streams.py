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

from metacog.engines.base import Generation, ScoredText
from metacog.engines.engine import chosen
from metacog.engines.llama import sampling
from metacog.engines.llama.ending import Draft, StopRule
from metacog.engines.llama.lowlevel import Context, Model
from metacog.engines.llama.prefix import common_prefix, shared
from metacog.engines.requests import Choose, Generate, Generated, Reply, Score, Scored
from metacog.engines.thinking import Rule

_ROUND = 256  # cells a stream has at least
#: What a graph costs in addition to its tokens, in tokens: below it, padding is cheaper than another graph.
GRAPH_COST = 12


def rounded_cells(n_tokens: int) -> int:
    """Cells of a stream that is to hold so many tokens, with room for padding: 256, 512, 1024 ..."""
    cells = _ROUND
    while cells < n_tokens + 8:
        cells *= 2
    return cells


@dataclass
class Feed:
    """Tokens that a stream takes next, of which the last ``n_rows`` give logits."""

    stream: int
    tokens: list[int]
    n_rows: int


@dataclass
class Streams:
    """Streams of one context, what each holds, and the decoding of groups."""

    context: Context
    n_streams: int
    n_batch: int
    held: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.held = [[] for _ in range(self.n_streams)]

    def trim(self, stream: int, n_keep: int) -> None:
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

        A group spans neighbouring streams; each of them, idle ones too, takes as many tokens as the longest.
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
        by_stream, nothing = {f.stream: f for f in group}, Feed(-1, [], 0)
        tokens: list[int] = []
        positions: list[int] = []
        owners: list[tuple[int]] = []
        outputs: list[bool] = []
        span = range(group[0].stream, group[-1].stream + 1)
        filler = max(self.context.model.bos, 0)
        for stream in span:
            feed = by_stream.get(stream, nothing)
            fed, n_rows = feed.tokens, feed.n_rows
            at = len(self.held[stream])
            tokens += fed
            tokens += [filler] * (longest - len(fed))
            positions += range(at, at + longest)
            owners += [(stream,)] * longest
            outputs += [False] * (len(fed) - n_rows) + [True] * n_rows + [False] * (longest - len(fed))
        logits = self.context.decode(tokens, positions, owners, outputs)
        for stream in span:
            fed = by_stream.get(stream, nothing).tokens
            self.held[stream] += fed
            if len(fed) < longest:
                self.context.drop(stream, len(self.held[stream]))
        return logits


# How one request is answered on streams: what it wants fed, and what it makes of the logits.


@dataclass
class Want:
    """Tokens that must stand in a stream, and what is to be learnt at their end."""

    #: All of them, from the beginning of the prompt.
    tokens: list[int]
    #: Place of the first token whose logits are wanted; all from there to the last are.
    first_row: int
    #: Temperature and uniform number of each draw from the last token's logits.
    draws: list[tuple[float, float]] = field(default_factory=list)
    #: Per wanted row, tokens whose log-probabilities are read there.
    targets: list[list[int]] = field(default_factory=list)
    branch: Branch | None = None
    drawn: list[tuple[int, float]] = field(default_factory=list)
    read: list[list[float]] = field(default_factory=list)


@dataclass
class Branch:
    """Samples that have drawn the same tokens so far: indices into the request's samples."""

    draft: Draft
    members: list[int]


class GenerateTask:
    """All samples of one prompt. Samples that draw the same tokens are carried on together."""

    def __init__(
        self,
        model: Model,
        prompt: list[int],
        request: Generate,
        stop: Sequence[str],
        thinking: Rule = Rule.REFUSE,
        opened: bool = False,
    ) -> None:
        self.model, self.prompt, self.request = model, prompt, request
        self.room = request.max_tokens
        self.rule = StopRule(
            request.max_tokens,
            tuple(text.encode() for text in stop if text),
            request.count_stop_token,
            thinking,
            opened,
        )
        self.temperatures = request.sample_temperatures
        self.uniform = [sampling.uniforms(seed, request.max_tokens) for seed in request.seeds or ()]
        self.done: list[Generation | None] = [None] * request.n_samples

    def begin(self) -> list[Want]:
        return [self._want(Branch(Draft(), list(range(len(self.done)))))]

    def _want(self, branch: Branch) -> Want:
        tokens = self.prompt + branch.draft.tokens
        step = len(branch.draft.tokens)
        draws = [(self.temperatures[m], float(self.uniform[m][step])) for m in branch.members]
        return Want(tokens, len(tokens) - 1, draws, branch=branch)

    def take(self, want: Want) -> list[Want]:
        """Go on from what was drawn; the first of what is wanted next may stay in the stream."""
        branch = want.branch
        assert branch is not None
        groups: dict[int, list[int]] = {}
        value: dict[int, float] = {}
        for member, (token, logprob) in zip(branch.members, want.drawn, strict=True):
            groups.setdefault(token, []).append(member)
            value[token] = logprob
        following = []
        for token, members in groups.items():
            draft = branch.draft.copy() if len(groups) > 1 else branch.draft
            ended = draft.add(token, value[token], self.rule, self.model)
            if ended is None:
                following.append(self._want(Branch(draft, members)))
            for member in members if ended is not None else ():
                self.done[member] = ended
        return following

    def reply(self) -> Reply | None:
        if any(made is None for made in self.done):
            return None
        return Generated(tuple(made for made in self.done if made is not None), self.request.turns)


class ScoreTask:
    """Given continuations of a prompt, one after the other in the prompt's stream."""

    def __init__(
        self,
        prompt: list[int],
        continuations: Sequence[Sequence[int]],
        request: Score | Choose,
        form: str = "",
    ) -> None:
        self.prompt, self.request, self.form = prompt, request, form
        self.texts = [list(tokens) for tokens in continuations]
        self.values: list[list[float]] = [[] for _ in self.texts]
        self.waiting = [i for i, tokens in enumerate(self.texts) if len(tokens) > 1]
        self.begun, self.room = False, 0

    def begin(self) -> list[Want]:
        """The prompt, whose last row tells every continuation's first token."""
        return [
            Want(self.prompt, len(self.prompt) - 1, targets=[[tokens[0] for tokens in self.texts if tokens]])
        ]

    def take(self, want: Want) -> list[Want]:
        """Write down what was read, and go on to the next continuation."""
        if not self.begun:
            self.begun = True
            heads = iter(want.read[0])
            for tokens, values in zip(self.texts, self.values, strict=True):
                if tokens:
                    values.append(next(heads))
        else:
            self.values[self.waiting.pop(0)] += [row[0] for row in want.read]
        if not self.waiting:
            return []
        tokens = self.texts[self.waiting[0]]
        return [Want(self.prompt + tokens[:-1], len(self.prompt), targets=[[t] for t in tokens[1:]])]

    def reply(self) -> Reply | None:
        if not self.begun or self.waiting:
            return None
        if isinstance(self.request, Choose):
            return chosen(self.request, [float(sum(values)) for values in self.values], self.form)
        scores = (ScoredText(tuple(t), tuple(v)) for t, v in zip(self.texts, self.values, strict=True))
        return Scored(tuple(scores), self.request.turns)


def option_tokens(
    options: Sequence[Sequence[int]], end: int, form: str
) -> tuple[list[int], list[list[int]], str]:
    """What options share, which moves into the prompt, what is scored of each, and the form that this is.

    ``end`` ends the turn. ``label`` becomes ``text`` where an option is more than one token after the lead; for
    ``first`` a ValueError if two options begin with the same token there.
    """
    n = common_prefix(options)
    rest = [list(tokens[n:]) for tokens in options]
    if form == "label" and all(len(tokens) == 1 for tokens in rest):
        return list(options[0][:n]), rest, "label"
    if form == "first":
        heads = [tokens[:1] for tokens in rest]
        if len({head[0] for head in heads}) < len(heads):
            raise ValueError("two options begin with the same token")
        return list(options[0][:n]), heads, "first"
    closed = [[*tokens, end] for tokens in options]
    n = shared(closed)
    return list(closed[0][:n]), [tokens[n:] for tokens in closed], "text"


def read_rows(
    logits: NDArray[np.float32], targets: Sequence[Sequence[int]], n_threads: int
) -> list[list[float]]:
    totals = sampling.logsumexp_rows(logits, n_threads=n_threads)
    return [
        [float(logits[row, token]) - float(totals[row]) for token in wanted]
        for row, wanted in enumerate(targets)
    ]
