"""The study's replies, to be looked up one by one."""

from __future__ import annotations

from typing import Any

from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.asking.items.item import BatteryItem
from metacog.studies.trials_shown import shown_trials_of

TASKS = {"battery": "the battery (confidence: that it keeps its answer)"}


@analysis(name="shown_trials", needs=("battery",))
def shown_trials(inputs: Inputs, *, seed: int = 42) -> dict[str, Any]:
    """What was answered to each item of the battery, and how surely?"""
    return shown_trials_of(
        inputs,
        TASKS,
        told,
        confidence="p_keep",
        place=lambda trials: trials["dataset"].astype(str),
        seed=seed,
    )


def told(item: BatteryItem) -> tuple[str, str]:
    """An item with its options, and the letter of its key."""
    options = " ".join(f"{'ABCDEFGH'[n]}: {one}" for n, one in enumerate(item.options))
    return f"{item.question} {options}".strip(), item.key
