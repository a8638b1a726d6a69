"""The validity screen of KEEP and BET, of the published models and of those of this run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.core.frames import committed_table
from metacog.measures.screen import ALARMS, screen
from metacog.studies.study import analysis
from metacog.studies.study5_battery import replication_trials
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Screening:
    """The screen of both probes over T1 to T5.

    T6 is left out: an item that a model declines there is logged as wrong, and what it replies to the probes afterwards
    is no confidence in an answer.

    ``keep`` and ``bet`` have a row for each model, of :func:`metacog.measures.screen.screen`; ``simulated`` says how
    often observers of known kind break its rules.
    """

    keep: pd.DataFrame
    bet: pd.DataFrame
    simulated: pd.DataFrame


@analysis(returns=Screening, files=(*FILES, ALARMS))
def screening(inputs: Inputs) -> Screening:
    """Which signals of the published models break a rule of the validity screen?"""
    return _screened(load())


@analysis(needs=("battery",), returns=Screening, files=(ALARMS,))
def replication_screening(inputs: Inputs) -> Screening:
    """Which signals of the models of this run break a rule of the validity screen?"""
    return _screened(
        replication_trials.first_form(replication_trials.responses(labelled(inputs.trials("battery"))))
    )


def _screened(rows: pd.DataFrame) -> Screening:
    kept = rows[rows["judged"] & rows["track"].isin(RETROSPECTIVE)]
    return Screening(screen(kept, confidence="keep"), screen(kept, confidence="bet"), committed_table(ALARMS))


ANALYSES = (screening, replication_screening)
