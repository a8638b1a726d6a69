"""Profiles by rule: who stands by everything, who by nothing, and who chooses.

A: blanket confidence, KEEP at or above ``high`` and a mean delta within ``delta`` of zero. B: blanket
withdrawal, KEEP at or below ``low``. C: selective sensitivity, a mean delta of at least ``delta``.

Kinds of item as readers know them.

Paths chosen on T6, before an answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.studies.study5_battery.ledger.published import UNCLASSIFIED, models_of
from metacog.studies.study5_battery.ledger.responses import PATHS

#: Words for kinds whose names in the data are short for something else.
_WORDS = {
    "basic_me": "basic mutual exclusivity",
    "me_under_load": "mutual exclusivity under load",
    "irony_sarcasm": "irony and sarcasm",
    "two_novel_object": "two novel objects",
}


def kind_in_words(name: str) -> str:
    """A kind of item by its name in the battery's files, in words."""
    return _WORDS.get(name, name.replace("_", " "))


def path_rates(responses: pd.DataFrame) -> pd.DataFrame:
    """How often each path of T6 was chosen, in percent: ``model, direct, hint, decline``."""
    subset = responses[responses["track"] == "T6"]
    shares = pd.crosstab(subset["model"], subset["path"], normalize="index") * 100
    shares = shares.reindex(index=models_of(responses), columns=list(PATHS.values()))
    shares.columns = pd.Index(["direct", "hint", "decline"])
    return (
        shares.fillna(0.0)
        .where(shares.notna().any(axis=1), np.nan, axis=0)
        .rename_axis("model")
        .reset_index()
    )


#: Profiles and what they are called.
NAMES = {
    "A": "A: blanket confidence",
    "B": "B: blanket withdrawal",
    "C": "C: selective sensitivity",
    UNCLASSIFIED: "unclassified",
}


@dataclass(frozen=True)
class Rule:
    """Thresholds in percent and percentage points."""

    high: float = 95.0
    low: float = 10.0
    delta: float = 15.0

    def profile(self, stood: float, delta: float) -> str:
        """The profile of a rate of KEEP and a delta.

        An undefined delta (NaN) rules out C and nothing else.
        """
        if stood <= self.low:
            return "B"
        if stood >= self.high and not abs(delta) >= self.delta:
            return "A"
        return "C" if delta >= self.delta else UNCLASSIFIED


#: The printed thresholds.
PRINTED = Rule()


def by_rule(means: pd.DataFrame, rule: Rule = PRINTED) -> dict[str, str]:
    """The profile of each row of :func:`.deltas.mean_deltas`."""
    return {row.model: rule.profile(row.stood, row.delta) for row in rows_of(means)}
