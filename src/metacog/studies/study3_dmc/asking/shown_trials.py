"""The study's choices, to be looked up one by one."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.collect.choices import BinaryQuestion
from metacog.studies.study import Inputs, analysis
from metacog.studies.trials_shown import shown_trials_of

TASKS = {
    "single": "one of two answers",
    "repeated": "one of two answers, asked ten times",
    "written": "one of two answers, confidence written",
}


@analysis(name="shown_trials", needs=("single", "repeated", "written"))
def shown_trials(inputs: Inputs, *, seed: int = 42) -> dict[str, Any]:
    """What was chosen for each question, and how surely?"""
    return shown_trials_of(inputs, TASKS, told, place=place, seed=seed)


def told(item: BinaryQuestion) -> tuple[str, str]:
    """A question with its options, and the right one's letter."""
    first, second = item.options
    return f"{item.question} A: {first} B: {second}", "AB"[item.stimulus]


def place(trials: pd.DataFrame) -> pd.Series:
    """How confidence was asked for."""
    return trials["method"] + "-" + trials["form"]
