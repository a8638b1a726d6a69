"""The validity screen of KEEP, of the published models and of those of this run."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.collect.models import labelled
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


def figures(result: Any) -> dict[str, int]:
    """How many models break a rule, and how many cannot be judged."""
    n_few = int((result.keep["tier"] == "insufficient data").sum())
    return {
        "n_models": len(result.keep),
        "n_broken": int((result.keep["broken"] != "").sum()),
        "n_few": n_few,
    }


ANALYSES = (screening, replication_screening)
VIEWS = tuple(Views(name, numbers=figures) for name in ("screening", "replication_screening"))
