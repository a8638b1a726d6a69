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
from metacog.studies.study1_qa.cells.counts import REFERENCE
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.ledger.published import MAIN, as_numbers, published_cells
from metacog.studies.study1_qa.selective import estimates, judging

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Selective:
    """Tables and curves as in :class:`metacog.studies.study1_qa.selective.estimates.Selective`, at T = 1.

    ``halves`` has the rows at half coverage, with their ``temperature``: of the lowest one, and of T = 1.
    """

    coverages: pd.DataFrame
    areas: pd.DataFrame
    comparison: pd.DataFrame
    curves: Mapping[tuple[str, str], RiskCoverage]
    published_curves: Mapping[tuple[str, str], RiskCoverage]
    halves: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    resamples: int


@analysis(needs=("open",), returns=Selective, files=PUBLISHED)
def selective(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> Selective:
    """How accurate is a model on the answers it is most confident of?"""
    trials = open_trials(inputs)
    run = estimates.selective(trials, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
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
        by_temperature(trials, at_half, n_resamples=n_resamples, seed=seed),
        (*run.verdicts, judging.compare(half, at_half)) if verdicts else (),
        n_resamples,
    )


def by_temperature(
    trials: pd.DataFrame, at_half: pd.DataFrame, *, n_resamples: int, seed: int
) -> pd.DataFrame:
    """Rows at half coverage, each model's at the lowest temperature above that at T = 1, with these and ``full``.

    A gain at T = 1 starts from answers that sampling has made wrong, and part of it is the luck of the draw.
    ``full`` is accuracy of all answers.
    """
    lowest = float(trials["temperature"].min())
    rows = [at_half.assign(temperature=REFERENCE)]
    if lowest < REFERENCE:
        cool = estimates.selective(
            trials,
            coverages=(0.5,),
            temperature=lowest,
            n_resamples=n_resamples,
            seed=seed,
            verdicts=False,
        )
        rows.insert(0, cool.table.assign(temperature=lowest))
    table = pd.concat(rows, ignore_index=True)
    table["full"] = table["accuracy"] - table["gain"]
    by_model = table.groupby(["model", "dataset"], sort=False).ngroup().sort_values(kind="stable")
    return table.loc[by_model.index].reset_index(drop=True)


def published_half() -> pd.DataFrame:
    """Accuracy of the published models at half coverage, from the counts, and ``printed`` where it is."""
    table = estimates.selective_from_cells(published_cells(MAIN), coverages=(0.5, 1.0)).table
    printed = as_numbers("v1_selective_prediction").rename(columns={"accuracy_at_50pct_coverage": "printed"})
    return table[table["coverage"] == 0.5].merge(printed, on="model", how="left")
