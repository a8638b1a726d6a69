"""Profiles by rule: who stands by everything, who by nothing, and who chooses.

A: blanket confidence, KEEP at or above ``high`` and a mean delta within ``delta`` of zero. B: blanket
withdrawal, KEEP at or below ``low``. C: selective sensitivity, a mean delta of at least ``delta``.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from metacog.core.frames import rows_of
from metacog.studies.study5_battery.ledger.published import UNCLASSIFIED

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
