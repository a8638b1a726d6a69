"""The small interface behind which every engine stands.

Studies speak to it in *requests* (:mod:`metacog.engines.requests`): an engine serves the conversations
of a block together and answers each request with a reply. Below that it is given *tasks*, one prompt
and the samples wanted of it, and gives back one :class:`Generation` for each sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from metacog.engines.base import Choice, EngineInfo, Generation, GenerationTask, Renderer, ScoredText
from metacog.engines.conversation import Conversation
from metacog.engines.requests import Reply


@runtime_checkable
class Engine(Renderer, Protocol):
    """What the runner and the studies ask of an engine.

    An engine that counts its tokens has them as ``spent`` (:class:`Spent`, or None where its server does not
    tell); one whose replies are written down one by one is ``journalled``.
    """

    @property
    def info(self) -> EngineInfo:
        """Facts for the manifest."""
        ...

    def serve(self, conversations: Sequence[Conversation]) -> list[list[Reply]]:
        """Carry every conversation to its end: ``result[i]`` are the replies of conversation i, in order.

        One call is one *block*, as for :meth:`generate`: requests of all conversations are batched in an
        order that depends on the block alone.
        """
        ...

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
        ...

    def score_many(self, items: Sequence[tuple[str, Sequence[str]]]) -> list[list[ScoredText]]:
        """Forced decoding: log-probabilities of each continuation of each prompt."""
        ...

    def choose_many(
        self,
        items: Sequence[tuple[str, Sequence[str]]],
        *,
        temperature: float = 0.0,
        seeds: Sequence[int] | None = None,
    ) -> list[Choice]:
        """Choose among the closed options of each prompt; see :mod:`metacog.engines.choosing`."""
        ...

    def close(self) -> None:
        """Free the model."""
        ...
