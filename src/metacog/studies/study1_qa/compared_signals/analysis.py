"""What is lost without log-probabilities? What is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.measures.coverage import TABLE
from metacog.measures.table import Options
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.compared_signals import estimates, judging
from metacog.studies.study1_qa.compared_signals.collected import FILES, collected

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class ComparedSignals:
    """Signals of confidence on the same questions, from the committed replies.

    ``table`` and ``losses`` as in :mod:`metacog.studies.study1_qa.compared_signals.estimates`; ``left_out`` says
    why signals are missing; ``n_questions`` were asked with each.
    """

    table: pd.DataFrame
    losses: pd.DataFrame
    left_out: Mapping[str, str]
    verdicts: tuple[Verdict, ...]
    n_questions: int


@analysis(returns=ComparedSignals, files=(*FILES, TABLE))
def compared_signals(
    inputs: Inputs,
    *,
    n_resamples: int = 2_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> ComparedSignals:
    """What is lost without log-probabilities?"""
    found = collected(inputs.study)
    options = Options(n_resamples, n_permutations, seed, clustered=False)
    table = estimates.signal_table(found.trials, found.costs, options)
    losses = estimates.losses(found.trials, table, found.cool)
    return ComparedSignals(
        table,
        losses,
        found.left_out,
        judging.judge(losses) if verdicts else (),
        int(table["asked"].max()) if len(table) else 0,
    )
