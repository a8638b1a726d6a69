"""The counts of the author's first paper: H3, equal widths, and the marking threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import PUBLISHED
from metacog.studies.study1_qa.first_paper import estimates as counts

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class FirstPaper:
    """H3 in ``temperatures`` and ``summary``, as in :class:`.first_paper.OnTemperatures`.

    ``together`` holds both ways of reading the bins in one row a model and temperature, ``beside`` the
    printed table 7 next to it, ``widths`` R3's question at T = 1, ``marking`` accuracy under other
    thresholds of similarity; ``widths_said`` and ``marking_said`` say what these show.
    """

    temperatures: pd.DataFrame
    together: pd.DataFrame
    summary: pd.DataFrame
    beside: pd.DataFrame
    widths: pd.DataFrame
    marking: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    widths_said: str
    marking_said: str
    resamples: int


@analysis(returns=FirstPaper, files=PUBLISHED)
def first_paper(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> FirstPaper:
    """What do the first paper's counts say of the same models?"""
    found = counts.h3_from_bins(n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    widths, marking = counts.equal_widths(), counts.marking()
    return FirstPaper(
        found.table,
        counts.side_by_side(found.table),
        found.summary,
        counts.beside_printed(found.table),
        widths,
        marking,
        found.verdicts,
        {"tost": counts.RULE},
        counts.widths_sentence(widths),
        counts.marking_sentence(marking),
        n_resamples,
    )
