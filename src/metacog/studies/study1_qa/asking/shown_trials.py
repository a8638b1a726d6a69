"""The study's answers, to be looked up one by one."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.collect.questions import Question
from metacog.collect.scoring import numbers_and_letters
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.asking.marking import PAPER_SETS
from metacog.studies.trials_shown import shown_trials_of

TASKS = {"open": "open question", "draws": "open question, drawn again"}
#: Similarity from which a looser and a stricter marking call an answer right.
LOOSER, STRICTER = 0.80, 0.90


@analysis(name="shown_trials", needs=("open", "draws"))
def shown_trials(inputs: Inputs) -> dict[str, Any]:
    """What was answered to each question, and how surely?"""
    return shown_trials_of(inputs, TASKS, told, place=place, turned=turned, most=None)


def told(item: Question) -> tuple[str, str]:
    return item.question, item.accepted[0]


def place(trials: pd.DataFrame) -> pd.Series:
    """Which draw it is; the first is 0."""
    return trials["draw"].astype(str) if "draw" in trials else pd.Series("0", trials.index)


def turned(trials: pd.DataFrame) -> pd.Series:
    """Marks that another threshold of similarity would turn."""
    if "similarity" not in trials:
        return pd.Series("", trials.index)
    alike, match = trials["similarity"], trials["match"]
    stricter = (match == "similar") & (alike < STRICTER)
    looser = (match == "none") & (alike >= LOOSER)
    own = looser & ~trials["dataset"].isin(PAPER_SETS)
    found = trials.loc[own, ["answer", "matched_alias"]].map(numbers_and_letters)
    looser[own] = found["answer"] == found["matched_alias"]
    return pd.Series("", trials.index).mask(stricter, "stricter").mask(looser, "looser")
