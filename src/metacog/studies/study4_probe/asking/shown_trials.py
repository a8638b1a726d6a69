"""The study's replies, to be looked up one by one."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.studies.study import Inputs, analysis
from metacog.studies.study4_probe.asking.items import ProbeItem
from metacog.studies.trials_shown import shown_trials_of


@analysis(name="shown_trials", needs=("probe",))
def shown_trials(inputs: Inputs, *, seed: int = 42) -> dict[str, Any]:
    """What was replied to each item of the probe, and how surely?"""
    return shown_trials_of(inputs, {"probe": "the probe"}, told, place=place, seed=seed)


def told(item: ProbeItem) -> tuple[str, str]:
    """An item and its key."""
    return item.prompt, item.key


def place(trials: pd.DataFrame) -> pd.Series:
    """The task and which of several replies it is."""
    return trials["task"] + "-" + trials["sample"].astype(str)
