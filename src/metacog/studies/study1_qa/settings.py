"""What a profile may set of study 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from metacog.collect.confidence_signals import NLP, check_signal
from metacog.core.errors import MetacogError

if TYPE_CHECKING:
    from metacog.collect.models import ModelEntry

#: Temperatures of the main study; their places are the temperature indices of its seeds.
PAPER_TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)


@dataclass(frozen=True)
class Settings:
    """Settings of study 1, as its block in a profile gives them.

    Each question set has a ``limit`` where only the first questions are asked; ``prompt_set`` is which prompt of each
    model (``config/models``). Of at most ``draw_questions`` questions ``draws`` more answers are drawn at T = 1;
    forced decoding goes on from at most ``forced_questions`` wrong answers, with at most ``forced_aliases`` accepted
    answers of each; ``seed`` draws both. ``confidence`` is the signal of all models or of each
    (:mod:`metacog.collect.confidence_signals`), else what the model's entry says. ``dataset`` is the set that these
    settings are about, empty for all.
    """

    datasets: Mapping[str, Mapping[str, Any] | None]
    temperatures: Sequence[float] = PAPER_TEMPERATURES
    prompt_set: str = "fewshot"
    max_tokens: int = 24
    count_stop_token: bool = False
    shuffle_seed: int = 42
    block_items: int = 164
    draw_questions: int = 400
    draws: int = 4
    forced_questions: int = 300
    forced_aliases: int = 8
    seed: int = 42
    confidence: str | Mapping[str, str] = ""
    dataset: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "temperatures", tuple(float(t) for t in self.temperatures))
        object.__setattr__(self, "datasets", {name: dict(o or {}) for name, o in self.datasets.items()})
        if self.forced_questions < 1 or self.forced_aliases < 1:
            raise MetacogError("study1_qa: forced_questions and forced_aliases must be at least 1")
        if self.draw_questions < 1 or self.draws < 1:
            raise MetacogError("study1_qa: draw_questions and draws must be at least 1")
        named = self.confidence
        for name in [named] if isinstance(named, str) else named.values():
            check_signal(name or NLP)

    def of(self, dataset: str) -> Settings:
        return replace(self, dataset=dataset)

    def of_model(self, entry: ModelEntry) -> Settings:
        named = self.confidence
        here = named if isinstance(named, str) else named.get(entry.name, "")
        return replace(self, confidence=check_signal(here or entry.confidence or NLP))

    @property
    def signal(self) -> str:
        return self.confidence if isinstance(self.confidence, str) and self.confidence else NLP

    @property
    def limit(self) -> int | None:
        found: int | None = (self.datasets.get(self.dataset) or {}).get("limit")
        return found

    def temperature_index(self, temperature: float) -> int:
        """Place of a temperature in the main study's list; others follow after it, in rising order."""
        if temperature in PAPER_TEMPERATURES:
            return PAPER_TEMPERATURES.index(temperature)
        others = sorted(set(self.temperatures) - set(PAPER_TEMPERATURES))
        return len(PAPER_TEMPERATURES) + others.index(temperature)
