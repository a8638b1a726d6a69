"""The validity screen of KEEP and BET: what is said of it."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study5_battery.screening import Screening


def keep_said(result: Screening) -> str:
    """How many models break a rule with KEEP, and how many are not judged."""
    rows = result.keep
    broken, few = int((rows["broken"] != "").sum()), int((rows["tier"] == "insufficient data").sum())
    return (
        f"Of {plural(len(rows), 'model')}, {broken or 'none'} {'breaks' if broken == 1 else 'break'} a rule of the "
        f"screen; {few or 'none'} {'has' if few == 1 else 'have'} too few answers of some kind to be judged."
    )


VIEWS = tuple(
    Views(name, sentences={"keep_said": keep_said}) for name in ("screening", "replication_screening")
)
