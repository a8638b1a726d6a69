"""What do the first paper's counts show for the same models? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import PUBLISHED
from metacog.studies.study1_qa.first_paper import estimates

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class FirstPaper:
    """H3 in ``temperatures`` and ``summary``, as in :class:`.estimates.OnTemperatures`.

    ``together`` holds both ways of reading the bins in one row per model and temperature, ``comparison``
    the printed table 7 next to it, ``widths`` R3's question at T = 1, ``marking`` accuracy under other
    thresholds of similarity.
    """

    temperatures: pd.DataFrame
    together: pd.DataFrame
    summary: pd.DataFrame
    comparison: pd.DataFrame
    widths: pd.DataFrame
    marking: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    resamples: int


@analysis(returns=FirstPaper, files=PUBLISHED)
def first_paper(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> FirstPaper:
    """What do the first paper's counts show for the same models?"""
    read = estimates.h3_from_bins(n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    return FirstPaper(
        read.table,
        estimates.side_by_side(read.table),
        read.summary,
        estimates.with_table_7(read.table),
        estimates.equal_widths(),
        estimates.marking(),
        read.verdicts,
        n_resamples,
    )
