"""The validity screen of KEEP and BET: tables and sentences."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from metacog.core.words import plural
from metacog.report import screen as words
from metacog.report.tables import Schema
from metacog.report.views import Views
from metacog.studies.study5_battery.screening.analysis import Screening

#: Probes by the field of the record, and what high confidence is.
PROBES = {"keep": "KEEP", "bet": "BET"}


def _rows(probe: str) -> Callable[[Screening], pd.DataFrame]:
    def rows(result: Screening) -> pd.DataFrame:
        return words.screen_shown(getattr(result, probe))

    return rows


def _found(probe: str) -> Callable[[Screening], str]:
    def found(result: Screening) -> str:
        """Which signals break a rule, and how often observers with their margins would."""
        rows = getattr(result, probe)
        told = f"{words.screen_sentence(rows)} {words.alarms_sentence(rows)}".strip()
        return f"With {PROBES[probe]} as high confidence: {told}" if len(rows) else told

    return found


def keep_said(result: Screening) -> str:
    """How many models break a rule with KEEP, and how many are not judged."""
    rows = result.keep
    broken, few = int((rows["broken"] != "").sum()), int((rows["tier"] == "insufficient data").sum())
    return (
        f"Of {plural(len(rows), 'model')}, {broken or 'none'} {'breaks' if broken == 1 else 'break'} a rule of the "
        f"screen; {few} have too few answers of some kind to be judged."
    )


def reading(result: Screening) -> str:
    """What each index says."""
    return words.READING


def level(result: Screening) -> str:
    """How often observers of known kind break a rule."""
    if result.keep.empty:
        return (
            "How often observers of known kind break a rule depends on the number of answers; there are none."
        )
    return words.level_sentence(result.simulated, int(result.keep["n"].median()))


def _views(name: str) -> Views:
    return Views(
        name,
        tables={
            probe: Schema(
                _rows(probe),
                (),
                f"The validity screen with {title} as high confidence, T1 to T5 together; intervals of 95 %, "
                "Wilson's of L, Fp and TRIN, Newcombe's of RBS, Fisher's of r.",
                empty=f"No conversation of T1 to T5 with an answer and {title} was understood from end to end.",
            )
            for probe, title in PROBES.items()
        },
        sentences={
            "reading": reading,
            "keep_said": keep_said,
            "level": level,
            **{f"{probe}_found": _found(probe) for probe in PROBES},
        },
    )


VIEWS = (_views("screening"), _views("replication_screening"))
