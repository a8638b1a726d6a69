"""The validity screen of KEEP, of the published models and of those of this run."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.collect.models import labelled
from metacog.core.words import plural
from metacog.measures.screen import screen
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery import replication_trials
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE


@analysis(files=FILES)
def screening(inputs: Inputs) -> dict[str, Any]:
    """Which signals of the published models break a rule of the validity screen?"""
    return {"keep": screened(load())}


@analysis(needs=("battery",))
def replication_screening(inputs: Inputs) -> dict[str, Any]:
    """Which signals of the models of this run break a rule of the validity screen?"""
    used = replication_trials.responses(labelled(inputs.trials("battery")))
    return {"keep": screened(replication_trials.first_form(used))}


def screened(rows: pd.DataFrame) -> pd.DataFrame:
    """The screen over T1 to T5: an item that is declined on T6 is logged as wrong, and KEEP is no confidence there."""
    return screen(rows[rows["judged"] & rows["track"].isin(RETROSPECTIVE)], confidence="keep")


def keep_said(result: Any) -> str:
    rows = result.keep
    broken, few = int((rows["broken"] != "").sum()), int((rows["tier"] == "insufficient data").sum())
    return (
        f"Of {plural(len(rows), 'model')}, {broken or 'none'} {'breaks' if broken == 1 else 'break'} a rule of the "
        f"screen; {few or 'none'} {'has' if few == 1 else 'have'} too few answers of some kind to be judged."
    )


ANALYSES = (screening, replication_screening)
VIEWS = tuple(
    Views(name, sentences={"keep_said": keep_said}) for name in ("screening", "replication_screening")
)
