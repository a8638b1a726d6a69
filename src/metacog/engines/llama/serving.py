"""What carrying conversations on needs of the engine that holds the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from metacog.engines.base import Generation, GenerationTask, Renderer, ScoredText
from metacog.engines.llama.generate import Timings
from metacog.engines.llama.lowlevel import Model
from metacog.engines.thinking import Rule


class Serving(Renderer, Protocol):
    """An open engine: its model, its sizes, and blocks of one turn.

    Attributes
    ----------
    n_ctx, n_batch, n_threads : int
    thinking : Rule
    thought_tokens : int
    timings : Timings
    model : Model
    """

    n_ctx: int
    n_batch: int
    n_threads: int
    thinking: Rule
    thought_tokens: int
    timings: Timings

    @property
    def model(self) -> Model:
        """The loaded model."""
        ...

    def prompt_tokens(self, prompt: str, max_tokens: int) -> list[int]:
        """Tokens of a rendered prompt."""
        ...

    def generate(
        self,
        tasks: Sequence[GenerationTask],
        *,
        max_tokens: int,
        stop: Sequence[str] = (),
        count_stop_token: bool = False,
    ) -> list[list[Generation]]:
        """Generate every sample of every task."""
        ...

    def score_many(self, items: Sequence[tuple[str, Sequence[str]]]) -> list[list[ScoredText]]:
        """Score each continuation of each prompt."""
        ...
