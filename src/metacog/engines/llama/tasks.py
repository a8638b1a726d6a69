"""How one request is answered on streams: what it wants fed, and what it makes of the logits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from metacog.engines.base import Generation, ScoredText
from metacog.engines.choosing import chosen
from metacog.engines.llama import sampling
from metacog.engines.llama.generate import Draft, StopRule
from metacog.engines.llama.lowlevel import Model
from metacog.engines.llama.streams import common_length
from metacog.engines.requests import Choose, Chosen, Generate, Generated, Reply, Score, Scored
from metacog.engines.thinking import Rule


@dataclass
class Want:
    """Tokens that must stand in a stream, and what is to be learnt at their end.

    Attributes
    ----------
    tokens : list of int
        All of them, from the beginning of the prompt.
    first_row : int
        Place of the first token whose logits are wanted; all from there to the last are.
    draws : list of (float, float)
        Temperature and uniform number of each draw from the last token's logits.
    targets : list of list of int
        Per wanted row, tokens whose log-probabilities are read there.
    """

    tokens: list[int]
    first_row: int
    draws: list[tuple[float, float]] = field(default_factory=list)
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
        """What is fed first."""
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
        """The reply once every sample has ended."""
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
        heads = [tokens[0] for tokens in self.texts if tokens]
        return [Want(self.prompt, len(self.prompt) - 1, targets=[heads])]

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
        """The reply once every continuation has been read."""
        if not self.begun or self.waiting:
            return None
        if isinstance(self.request, Choose):
            return self._chosen(self.request)
        scores = (ScoredText(tuple(t), tuple(v)) for t, v in zip(self.texts, self.values, strict=True))
        return Scored(tuple(scores), self.request.turns)

    def _chosen(self, request: Choose) -> Chosen:
        return chosen(request, [float(sum(values)) for values in self.values], self.form)


def shared(lists: Sequence[Sequence[int]]) -> int:
    """Length of the beginning that all lists have in common."""
    n = len(lists[0])
    for other in lists[1:]:
        n = min(n, common_length(lists[0], other))
    return n


def option_tokens(
    options: Sequence[Sequence[int]], end: int, form: str
) -> tuple[list[int], list[list[int]], str]:
    """What options share, what is scored of each, and the form that this is.

    Parameters
    ----------
    options : sequence of token sequences
        As they follow the prompt.
    end : int
        Token that ends the turn.
    form : str
        As wanted: ``label``, ``text`` or ``first``.

    Returns
    -------
    lead : list of int
        Common tokens, which move into the prompt.
    rest : list of list of int
    form : str
        ``label`` becomes ``text`` where an option is more than one token after the lead.

    Raises
    ------
    ValueError
        For ``first``, if two options begin with the same token after the lead.
    """
    n = min(shared(options), min(map(len, options)) - 1)
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
    """Log-probabilities of each row's target tokens."""
    totals = sampling.logsumexp_rows(logits, n_threads=n_threads)
    return [
        [float(logits[row, token]) - float(totals[row]) for token in wanted]
        for row, wanted in enumerate(targets)
    ]
