"""What a profile may set of study 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from metacog.core.errors import MetacogError
from metacog.studies.study4_probe.paper import TASKS


@dataclass(frozen=True)
class Settings:
    """Settings of the probe, as its block in a profile gives them.

    The thresholds of T4-CR are drawn by the name of the ``panel``: the profile's own. ``items_per_task`` are the first
    items of each task, at least 2; 0 takes all 78. Items of the tasks ``resampled`` are asked ``k`` times more, at
    ``temperature``; the reply that is scored is the most probable one (temperature 0). ``draws`` is how often the
    answer line of T1-CC and T4-CR is drawn at temperature 1, for its decoding entropy; 0 leaves that out. With
    ``examples`` two worked replies a task stand before the item, for models too small to follow the form without.
    ``prompt_set`` says which prompt of each model (``config/models``). ``block_items`` are asked together: all of
    them, so that the instruction of a task is read once. ``sigma_t`` and ``range_t`` are the thresholds as drawn, 0
    until they are; a profile does not set them.
    """

    panel: str = "default"
    items_per_task: int = 0
    resampled: Sequence[str] = ("T1_CC", "T4_CR")
    k: int = 8
    temperature: float = 0.7
    draws: int = 8
    examples: bool = True
    prompt_set: str = "plain"
    block_items: int = 78
    sigma_t: float = field(default=0.0, kw_only=True)
    range_t: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resampled", tuple(self.resampled))
        if self.items_per_task == 1:
            raise MetacogError("study4_probe: a score needs at least two items; items_per_task is 1")
        if unknown := [str(task) for task in self.resampled if task not in TASKS]:
            raise MetacogError(
                f"study4_probe: there is no task {', '.join(unknown)}; there are: {', '.join(TASKS)}"
            )
        if (
            not self.panel
            or self.items_per_task < 0
            or self.k < 0
            or self.draws < 0
            or self.temperature <= 0
            or self.block_items < 1
        ):
            raise MetacogError(
                "study4_probe: name the panel; items_per_task, k and draws must not be negative, "
                "block_items at least 1, and resamples need a temperature above 0"
            )
