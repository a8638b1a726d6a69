"""Track scores, the rule behind them as it is read off the published files, and names of kinds of item."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.studies.study5_battery.asking.wordings import PAYOFFS
from metacog.studies.study5_battery.paper import TRACKS

#: What a state (right, kept, bet on) earns. It is printed nowhere; tests check it against the files.
STATE_SCORES = {
    (True, True, True): 1.0,
    (True, True, False): 0.8,
    (True, False, False): 0.5,
    (True, False, True): 0.3,
    (False, False, False): 0.6,
    (False, False, True): 0.2,
    (False, True, False): 0.1,
    (False, True, True): 0.0,
}
#: Kinds of T2 that earn 1 if right, else 0, whatever is kept or bet on.
PLAIN = "prospective"
#: Kinds of T2 whose score rests on a reply that the files do not hold: no rule is known.
UNKNOWN = "knowledge_boundary"
#: Words for kinds whose names in the data are short for something else.
_WORDS = {
    "basic_me": "basic mutual exclusivity",
    "me_under_load": "mutual exclusivity under load",
    "irony_sarcasm": "irony and sarcasm",
    "two_novel_object": "two novel objects",
}


def kind_in_words(name: str) -> str:
    return _WORDS.get(name, name.replace("_", " "))


def scored_by_rule(responses: pd.DataFrame) -> pd.Series:
    """Score of each response by the rule read off the files; NaN where none is known (:data:`UNKNOWN`)."""

    def earned(row: Any) -> float:
        if row.track == "T6":
            right, wrong = PAYOFFS[row.path]
            return right if row.correct else wrong
        if row.item_type in (PLAIN, UNKNOWN):
            return float(row.correct) if row.item_type == PLAIN else np.nan
        return STATE_SCORES[bool(row.correct), bool(row.keep), bool(row.bet)]

    return pd.Series([earned(row) for row in rows_of(responses)], responses.index, dtype=float)


def track_scores(responses: pd.DataFrame) -> pd.DataFrame:
    """Mean score of each model on each track: ``model``, one per track, ``mean`` (of all six, or none)."""
    table = responses.groupby(["model", "track"])["score"].mean().unstack()
    table = table.reindex(columns=list(TRACKS))
    return table.assign(mean=table.mean(axis=1, skipna=False)).reset_index()
