"""The study's decisions, to be looked up one by one."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.studies.study import Inputs, analysis
from metacog.studies.trials_shown import shown_trials_of

TASKS = {"confidence": "two choices with confidence", "warned": "two choices, warned"}


@analysis(name="shown_trials", needs=("confidence", "warned"))
def shown_trials(inputs: Inputs, *, seed: int = 42) -> dict[str, Any]:
    """What was decided about each sentence, and how surely?"""
    # which choice is right follows from the mark
    return shown_trials_of(inputs, TASKS, lambda sentence: (sentence.text, ""), place=place, seed=seed)


def place(trials: pd.DataFrame) -> pd.Series:
    """The task, and what was warned of."""
    return trials["task"] + "-" + trials["risk"].astype(str)
