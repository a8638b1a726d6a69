"""The small interface behind which every engine stands.

Studies speak to it in *requests* (:mod:`metacog.engines.requests`): an engine serves the conversations
of a block together and answers each request with a reply. Below that it is given *tasks*, one prompt
and the samples wanted of it, and gives back one :class:`Generation` for each sample.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol, Self, TypeAlias, runtime_checkable

import numpy as np

from metacog.core.errors import MetacogError
from metacog.engines.base import EngineInfo, Generation, GenerationTask, Renderer, ScoredText
from metacog.engines.requests import Choose, Chosen, Conversation, Message, Reply, check_options

#: Prompts, each with texts that may follow it.
Continued: TypeAlias = Sequence[tuple[str, Sequence[str]]]


class Closing:
    def close(self) -> None:
        """Free what is held; closing twice does no harm."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ScoringEngine(Closing, ABC):
    """Scoring one prompt and choosing, for an engine that scores the continuations of many together."""

    @abstractmethod
    def score_many(self, items: Continued) -> list[list[ScoredText]]:
        """Score the continuations of many prompts as one block: ``result[i][j]`` is continuation j of prompt i."""

    def option_logprobs(self, items: Continued) -> Sequence[Sequence[float]]:
        """Log-probability of each option behind its prompt."""
        return [[scored.sum_logprob for scored in row] for row in self.score_many(items)]

    def score(self, prompt: str, continuations: Sequence[str]) -> list[ScoredText]:
        """Forced decoding: raw log-probabilities of each continuation of the prompt, in the order given."""
        return self.score_many([(prompt, continuations)])[0]

    def choose_many(
        self, items: Continued, *, temperature: float = 0.0, seeds: Sequence[int] | None = None
    ) -> list[Chosen]:
        """Choose among the closed options of each prompt, different continuations of it, as one block.

        ``temperature``: 0 takes the most probable option (the first on a tie); else one is drawn with probability
        proportional to ``exp(logprob / temperature)``; ``seeds``: of each draw.

        A MetacogError if two options are the same or one is empty, there are not as many seeds as items, or the
        engine cannot tell their probabilities.
        """
        seeds = [0] * len(items) if seeds is None else seeds
        if len(seeds) != len(items):
            raise MetacogError("choose_many needs one seed for each item")
        try:
            for _, options in items:
                check_options(options)
        except ValueError as error:
            raise MetacogError(str(error)) from None
        logprobs = self.option_logprobs(items)
        return [
            taken(options, values, temperature, seed)
            for (_, options), values, seed in zip(items, logprobs, seeds, strict=True)
        ]


def taken(
    options: Sequence[str],
    logprobs: Sequence[float],
    temperature: float = 0.0,
    seed: int = 0,
    *,
    form: str = "text",
    asked: tuple[Message, ...] = (),
) -> Chosen:
    """Renormalise over the options and take one.

    ``logprobs``: log-probability of each option; ``temperature``: 0 takes the most probable (the first on a tie), else
    a draw from ``softmax(logprobs / temperature)`` by inverse CDF; ``form``, ``asked``: as in :class:`Chosen`.
    """
    values = np.asarray(logprobs, float)
    weights = np.exp(values - values.max())
    if temperature <= 0:
        place = int(np.argmax(values))
    else:
        cumulated = np.cumsum(np.exp((values - values.max()) / temperature))
        uniform = np.random.Generator(np.random.Philox(key=seed & ((1 << 128) - 1))).random()
        place = min(int(np.searchsorted(cumulated, uniform * cumulated[-1], side="right")), len(options) - 1)
    probabilities = tuple((weights / weights.sum()).tolist())
    return Chosen(tuple(options), tuple(values.tolist()), probabilities, options[place], form, asked=asked)


def chosen(request: Choose, logprobs: Sequence[float], form: str) -> Chosen:
    return taken(
        request.options, logprobs, request.temperature, (request.seed or 0), form=form, asked=request.turns
    )


def parsed(request: Choose, text: str, held: str = "") -> Chosen:
    unknown = (math.nan,) * len(request.options)
    taken = held or named_option(text, request.options)
    return Chosen(request.options, unknown, unknown, taken, "parsed", text, request.turns)


def named_option(text: str, options: Sequence[str]) -> str:
    """The one option that a text names as a word of its own; empty for none, or for several.

    A longer option hides a shorter one inside it ("not sure" before "sure"); case is ignored unless
    two options differ by it alone.
    """
    flags = 0 if len({o.casefold() for o in options}) < len(options) else re.IGNORECASE
    found, rest = [], text
    for option in sorted(options, key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(option)}(?!\w)"
        if re.search(pattern, rest, flags):
            found.append(option)
            rest = re.sub(pattern, " ", rest, flags=flags)
    return found[0] if len(found) == 1 else ""


@runtime_checkable
class Engine(Renderer, Protocol):
    """What the runner and the studies ask of an engine.

    An engine that counts its tokens has them as ``spent`` (:class:`Spent`, or None where its server does not
    tell); one whose replies are written down one by one is ``journalled``.
    """

    @property
    def info(self) -> EngineInfo: ...

    def serve(self, conversations: Sequence[Conversation]) -> list[list[Reply]]:
        """Carry every conversation to its end: ``result[i]`` are the replies of conversation i, in order.

        One call is one *block*, as for :meth:`generate`: requests of all conversations are batched in an
        order that depends on the block alone.
        """

    def generate(
        self,
        tasks: Sequence[GenerationTask],
        *,
        max_tokens: int,
        stop: Sequence[str] = (),
        count_stop_token: bool = False,
    ) -> list[list[Generation]]:
        """Generate every sample of every task: ``result[i][j]`` is sample j of task i.

        One call is one *block*: its schedule depends on its arguments alone, never on what
        ran before, so the same block gives the same generations on the same machine.
        """

    def choose_many(
        self, items: Continued, *, temperature: float = 0.0, seeds: Sequence[int] | None = None
    ) -> list[Chosen]: ...

    def close(self) -> None: ...
