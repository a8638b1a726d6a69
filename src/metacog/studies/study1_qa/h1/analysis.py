"""H1: is M-ratio below 1 in every model? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED, RUN, stacked
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, rated_primary
from metacog.studies.study1_qa.h1 import estimates, judging
from metacog.studies.study1_qa.ledger import published

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Columns of the comparison with the published models.
COMPARED = ["model", "accuracy", "d_prime", "meta_d", "m_ratio", "ci_lo", "ci_hi", "below_one"]


@dataclass(frozen=True)
class H1:
    """H1: ``measures`` and ``intervals`` as in :class:`metacog.studies.study1_qa.h1.estimates.H1`."""

    measures: pd.DataFrame
    intervals: pd.DataFrame
    comparison: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    resamples: int
    dropped_draws: int


@analysis(needs=("open",), returns=H1, files=PUBLISHED)
def h1(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H1:
    """Is M-ratio below 1 in every model?"""
    drawn = {"n_resamples": n_resamples, "seed": seed}
    run = estimates.h1(rated_primary(inputs), **drawn, verdicts=verdicts)
    theirs = estimates.h1_from_cells(published.published_cells(published.MAIN), **drawn, verdicts=False).table
    comparison = stacked(**{RECOMPUTED: theirs[COMPARED], RUN: run.table[[*COMPARED, "flag"]]})
    judgements = (*run.verdicts, judging.compare(theirs, run.table)) if verdicts else ()
    dropped = int(run.table["n_draws_dropped"].sum())
    return H1(run.table, run.intervals, comparison, judgements, n_resamples, dropped)
