"""How accurate is a model on the answers it is most confident of? What is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.sdt.selective import RiskCoverage
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import comparison
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.ledger.published import MAIN, as_numbers, published_cells
from metacog.studies.study1_qa.selective import estimates, judging

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Selective:
    """Tables and curves as in :class:`metacog.studies.study1_qa.selective.estimates.Selective`."""

    coverages: pd.DataFrame
    areas: pd.DataFrame
    comparison: pd.DataFrame
    curves: Mapping[tuple[str, str], RiskCoverage]
    published_curves: Mapping[tuple[str, str], RiskCoverage]
    verdicts: tuple[Verdict, ...]
    resamples: int


@analysis(needs=("open",), returns=Selective, files=PUBLISHED)
def selective(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> Selective:
    """How accurate is a model on the answers it is most confident of?"""
    run = estimates.selective(open_trials(inputs), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    published = estimates.selective_from_cells(published_cells(MAIN))
    half = published_half()
    at_half = run.table[run.table["coverage"] == 0.5]
    columns = ["model", "accuracy", "gain"]
    parts = {
        comparison.RECOMPUTED: half[[*columns, "printed"]],
        comparison.RUN: at_half[[*columns, "accuracy_lower", "accuracy_upper"]],
    }
    return Selective(
        run.table,
        run.areas,
        comparison.stacked(**parts),
        run.curves,
        published.curves,
        (*run.verdicts, judging.compare(half, at_half)) if verdicts else (),
        n_resamples,
    )


def published_half() -> pd.DataFrame:
    """Accuracy of the published models at half coverage, from the counts, and ``printed`` where it is."""
    table = estimates.selective_from_cells(published_cells(MAIN), coverages=(0.5, 1.0)).table
    printed = as_numbers("v1_selective_prediction").rename(columns={"accuracy_at_50pct_coverage": "printed"})
    return table[table["coverage"] == 0.5].merge(printed, on="model", how="left")
