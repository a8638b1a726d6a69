"""Do two measures rank the models alike? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.auroc2 import estimates, judging
from metacog.studies.study1_qa.cells import comparison
from metacog.studies.study1_qa.cells.inputs import COVERAGE, PUBLISHED, rated_primary
from metacog.studies.study1_qa.ledger.published import MAIN, as_numbers, published_cells

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Columns of the comparison with the published models.
COMPARED = ["model", "auroc2", "m_ratio", "meta_i2r", "auroc2_rank", "m_ratio_rank", "meta_i2r_rank"]


@dataclass(frozen=True)
class Auroc2:
    """AUROC2 next to M-ratio and meta-I2r: of the run, by domain, and of the published models.

    ``ranks`` and ``correlations`` as in :class:`metacog.studies.study1_qa.auroc2.estimates.Ranks`.
    """

    ranks: pd.DataFrame
    correlations: pd.DataFrame
    domains: pd.DataFrame
    comparison: pd.DataFrame
    published_ranks: pd.DataFrame
    published_correlations: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("open",), returns=Auroc2, files=(*PUBLISHED, *COVERAGE))
def auroc2(
    inputs: Inputs,
    *,
    n_resamples: int = 2_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Auroc2:
    """Do two measures rank the models alike?"""
    rated = rated_primary(inputs)
    run = estimates.ranks(rated, verdicts=verdicts)
    published = estimates.ranks_from_cells(published_cells(), verdicts=verdicts)
    domains = estimates.domain_measures(
        rated, n_permutations=n_permutations, n_resamples=n_resamples, seed=seed
    )
    printed = as_numbers("v1_table3_auroc2")
    recomputed = estimates.ranks_from_cells(published_cells(MAIN), verdicts=False).table
    parts = {
        comparison.PUBLISHED: printed[[c for c in COMPARED if c in printed]],
        comparison.RECOMPUTED: recomputed[COMPARED],
        comparison.RUN: run.table[COMPARED],
    }
    drawn: tuple[Verdict, ...] = ()
    if verdicts:
        ordered = estimates.domain_ranks(rated, n_resamples=n_resamples, seed=seed)
        drawn = (
            *(v.under("run") for v in run.verdicts),
            judging.describe_domains(ordered),
            *(v.under("published") for v in published.verdicts),
            judging.compare(printed, recomputed, run.table),
        )
    return Auroc2(
        run.table,
        run.correlations,
        domains,
        comparison.stacked(**parts),
        published.table,
        published.correlations,
        drawn,
    )
