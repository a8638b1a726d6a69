"""What M-ratio can and cannot say of open answers, and what version 2 measures instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.counts import Cells
from metacog.studies.study1_qa.cells.inputs import COVERAGE, PUBLISHED, open_trials
from metacog.studies.study1_qa.correction import grid as latent_grid
from metacog.studies.study1_qa.correction import judging as say
from metacog.studies.study1_qa.correction import measures as versions
from metacog.studies.study1_qa.correction import recovery as latent_recovery
from metacog.studies.study1_qa.correction import recovery_judging as simulated
from metacog.studies.study1_qa.correction import short_tables as latent_summary
from metacog.studies.study1_qa.ledger.published import as_numbers

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Answerers:
    """What measures make of simulated answerers of known efficiency.

    ``cells`` holds one row an answerer of the eight families with the measures of its expected table,
    ``reach`` a row a variant, ``cuts`` the same answers rated in several ways, ``same`` the families that
    give one M-ratio, ``outcomes`` what each measure recovers, ``recoveries`` three designs by name.
    ``described`` says what each family does, ``reading`` and ``claimed`` are sentences for other pages.
    """

    cells: pd.DataFrame
    reach: pd.DataFrame
    cuts: pd.DataFrame
    same: pd.DataFrame
    outcomes: pd.DataFrame
    counted: pd.DataFrame
    recoveries: Mapping[str, latent_recovery.Recovery]
    verdicts: tuple[Verdict, ...]
    repetitions: int
    described: str
    reading: str
    claimed: str


@analysis(returns=Answerers, name="correction_recovery")
def latent_answerers(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> Answerers:
    """Do the measures follow efficiency where it is known?"""
    repetitions = max(40, min(60, n_resamples // 100))
    cells, cuts = latent_grid.cells(), latent_grid.recut()
    same = latent_summary.same_ratio(cells)
    outcomes = latent_grid.outcomes(repetitions, seed)
    found = {
        name: latent_recovery.recover(latent_recovery.design(name), n_repetitions=repetitions, seed=seed)
        for name in latent_recovery.DESIGNS
    }
    reading, claimed = simulated.reading_verdict(same), simulated.claim_verdict(cells)
    said = (
        simulated.level_verdict(cells).under("level"),
        simulated.lossless_verdict(cells, cuts).under("lossless"),
        simulated.direction_verdict(cells).under("direction"),
        simulated.falling_verdict(cells).under("direction"),
        reading.under("reading"),
        claimed.under("claim"),
        *(v.under("outcomes") for v in simulated.outcome_verdicts(outcomes)),
        simulated.definition_verdict(cells).under("definition"),
        *(v.under("noise") for v in simulated.recovery_verdicts(found["noise"], simulated.SHOWN)),
        simulated.shape_verdict(found["shape"]).under("shape"),
        simulated.same_table_verdict(found["same table"]).under("same table"),
    )
    return Answerers(
        cells,
        latent_summary.reach(cells),
        cuts,
        same,
        outcomes,
        latent_summary.counted(outcomes),
        found,
        said,
        repetitions,
        latent_grid.described(),
        reading.sentence,
        claimed.sentence,
    )


@dataclass(frozen=True)
class Correction:
    """Both versions' measures of the published cells; ``named`` has the names that readers know.

    ``cells`` are the counts, for the figure of cuts; ``ranking`` is what became of the order.
    """

    measures: pd.DataFrame
    named: pd.DataFrame
    cells: Cells
    verdicts: tuple[Verdict, ...]
    ranking: str


@analysis(returns=Correction, files=(*PUBLISHED, *COVERAGE))
def correction(
    inputs: Inputs, *, n_resamples: int = 10_000, n_permutations: int = 2_000, seed: int = 42
) -> Correction:
    """What do both versions say of the published counts?"""
    cells = versions.published_cells()
    measured = versions.measure_cells(
        cells, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed
    ).table
    ranking = say.ranking_verdict(measured)
    by_domain = as_numbers("v1_table6_domain_m_ratio")["m_ratio"].tolist()
    said = (
        say.claim_verdict(measured, by_domain).under("claim"),
        say.line_verdict(measured).under("line"),
        say.bend_verdict(cells).under("line"),
        ranking.under("ranking"),
        say.datasets_verdict(measured).under("datasets"),
    )
    return Correction(measured, versions.named(measured), cells, said, ranking.sentence)


@dataclass(frozen=True)
class Measures:
    """Both versions' measures of the run's own models at T = 1, as in ``correction.Corrected``."""

    measures: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("open",), returns=Measures, name="correction_own", files=COVERAGE)
def measures_now(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Measures:
    """What do both versions say of the run's own models?"""
    options = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    table = versions.run_measures(open_trials(inputs), **options).table
    line = say.line_verdict(table, kind=Kind.EXPLORATORY)
    said = (line if verdicts else replace(line, passed=None)).under("line")
    return Measures(table, (*(v.under("own") for v in say.own_verdicts(table, verdicts)), said))
