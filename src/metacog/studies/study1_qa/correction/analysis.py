"""What can M-ratio show for open answers, and what does version 2 measure instead? What is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.counts import Cells
from metacog.studies.study1_qa.cells.inputs import COVERAGE, PUBLISHED, open_trials
from metacog.studies.study1_qa.correction import carried, grid, judging, recovery, short_tables
from metacog.studies.study1_qa.correction import measures as versions
from metacog.studies.study1_qa.correction import recovery_judging as simulated
from metacog.studies.study1_qa.ledger.published import as_numbers, published_cells

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Answerers:
    """What measures make of simulated answerers of known efficiency.

    ``cells`` holds one row per answerer of the eight families with the measures of its expected table,
    ``cuts`` the same answers rated in several ways, ``same`` the families that give one M-ratio,
    ``outcomes`` what each measure recovers, ``counted`` the same over accuracies (:func:`.short_tables.counted`),
    ``explained`` how far the ratio lies from what the paper's author says of it (:func:`.short_tables.explained`),
    ``recoveries`` three designs by name.
    """

    cells: pd.DataFrame
    cuts: pd.DataFrame
    same: pd.DataFrame
    outcomes: pd.DataFrame
    counted: pd.DataFrame
    explained: pd.DataFrame
    recoveries: Mapping[str, recovery.Recovery]
    verdicts: tuple[Verdict, ...]
    repetitions: int


@analysis(returns=Answerers, name="correction_recovery")
def latent_answerers(inputs: Inputs, *, n_repetitions: int = 60, seed: int = 42) -> Answerers:
    """Do the measures follow efficiency where it is known?"""
    cells, cuts = grid.cells(), grid.recut()
    same = short_tables.same_ratio(cells)
    outcomes = grid.outcomes(n_repetitions, seed)
    recoveries = {
        name: recovery.recover(recovery.design(name), n_repetitions=n_repetitions, seed=seed)
        for name in recovery.DESIGNS
    }
    verdicts = (
        simulated.judge_level(cells),
        simulated.judge_lossless(cells, cuts),
        simulated.judge_direction(cells),
        simulated.judge_falling(cells),
        simulated.judge_reading(same),
        simulated.judge_claim(cells),
        *simulated.judge_outcomes(outcomes),
        simulated.describe_definition(cells),
        *simulated.judge_recovery(recoveries["noise"], simulated.SHOWN),
        simulated.judge_shape(recoveries["shape"]),
        simulated.judge_same_table(recoveries["same table"]),
    )
    return Answerers(
        cells,
        cuts,
        same,
        outcomes,
        short_tables.counted(outcomes),
        short_tables.explained(cells),
        recoveries,
        verdicts,
        n_repetitions,
    )


@dataclass(frozen=True)
class Correction:
    """Both versions' measures of the published cells.

    ``straight`` holds what straight z-ROCs of three accuracies predict, ``cells`` the counts, ``cuts`` d' at each place
    where their ratings can be cut (:func:`.measures.cuts`), ``pairs`` every pair of models on both question sets
    (:func:`.carried.pairs`).
    """

    measures: pd.DataFrame
    straight: pd.DataFrame
    cells: Cells
    cuts: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(returns=Correction, files=(*PUBLISHED, *COVERAGE))
def correction(
    inputs: Inputs, *, n_resamples: int = 10_000, n_permutations: int = 2_000, seed: int = 42
) -> Correction:
    """What do both versions show for the published counts?"""
    cells = published_cells()
    measured = versions.measure_cells(
        cells, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed
    ).table
    by_domain = as_numbers("v1_table6_domain_m_ratio")["m_ratio"].tolist()
    pairs = carried.pairs(cells, n_resamples=n_resamples, seed=seed)
    verdicts = (
        judging.judge_claim(measured, by_domain),
        judging.judge_line(measured),
        judging.judge_bend(cells),
        judging.judge_ranking(measured, pairs),
        judging.describe_datasets(measured, pairs),
    )
    return Correction(measured, versions.straight_lines(), cells, versions.cuts(cells), pairs, verdicts)


@dataclass(frozen=True)
class Measures:
    """Both versions' measures of the run's models at T = 1, as in :class:`.measures.Corrected`."""

    measures: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("open",), returns=Measures, name="correction_replication", files=COVERAGE)
def replication(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Measures:
    """What do both versions show for this run's models?"""
    options = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    table = versions.run_measures(open_trials(inputs), **options).table
    line = judging.judge_line(table, kind=Kind.EXPLORATORY)
    run = judging.judge_run(table, verdicts)
    return Measures(table, (*run, line if verdicts else replace(line, passed=None)))
