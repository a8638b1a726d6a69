"""H4: do models of similar d' differ in M-ratio? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report import levels
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED, RUN, stacked
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, rated_primary
from metacog.studies.study1_qa.h4 import estimates, judging
from metacog.studies.study1_qa.ledger import published

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Columns of the comparison with the published models, whose pairs share no drawn questions.
COMPARED = ["model_a", "model_b", "overlap", "difference", "lo", "hi", "d_difference", "d_similar"]


@dataclass(frozen=True)
class H4:
    """H4: ``measures`` and ``pairs`` as in :class:`metacog.studies.study1_qa.h4.estimates.H4`."""

    measures: pd.DataFrame
    pairs: pd.DataFrame
    comparison: pd.DataFrame
    levels: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    n_pairs: int
    bound: float


@analysis(needs=("open",), returns=H4, files=(*PUBLISHED, levels.FILE))
def h4(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H4:
    """Do models of similar d' differ in M-ratio?"""
    drawn = {"n_resamples": n_resamples, "seed": seed}
    run = estimates.h4(rated_primary(inputs), **drawn, verdicts=verdicts)
    theirs = estimates.h4_from_cells(published.published_cells(published.MAIN), **drawn, verdicts=False).pairs
    return H4(
        run.table,
        run.pairs,
        stacked(**{RECOMPUTED: theirs[COMPARED], RUN: run.pairs[COMPARED]}),
        levels.verdict_levels("H4"),
        (*run.verdicts, judging.compare(theirs, run.pairs)) if verdicts else (),
        len(run.pairs),
        judging.D_PRIME_BOUND,
    )
