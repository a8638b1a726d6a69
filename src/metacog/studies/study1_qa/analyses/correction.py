"""Why M-ratio could not answer the question, and what version 2 measures instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa import correction as versions
from metacog.studies.study1_qa import correction_verdicts as say
from metacog.studies.study1_qa import latent
from metacog.studies.study1_qa.analyses.common import COVERAGE, PUBLISHED, open_trials
from metacog.studies.study1_qa.cells import Cells

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

DESIGNS = ("noise", "threshold", "shape", "reversed", "same table")


@dataclass(frozen=True)
class Answerers:
    """What three measures make of simulated answerers of known efficiency, by design.

    ``observers`` holds one row an answerer and measure, ``recoveries`` the simulations themselves.
    """

    observers: pd.DataFrame
    recoveries: Mapping[str, latent.Recovery]
    verdicts: tuple[Verdict, ...]
    repetitions: int


@analysis(returns=Answerers, name="correction_recovery")
def latent_answerers(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> Answerers:
    """Do the measures follow efficiency where it is known?"""
    repetitions = max(40, min(400, n_resamples // 25))
    found = {
        name: latent.recover(latent.design(name), n_repetitions=repetitions, seed=seed) for name in DESIGNS
    }
    rows = pd.concat([r.table.assign(design=name) for name, r in found.items()], ignore_index=True)
    said = [
        v.under(name)
        for name in ("noise", "threshold", "reversed")
        for v in say.recovery_verdicts(found[name])
    ]
    said += [
        say.shape_verdict(found["shape"]).under("shape"),
        say.same_table_verdict(found["same table"]).under("same table"),
    ]
    return Answerers(rows, found, tuple(said), repetitions)


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
    said = (
        say.line_verdict(measured).under("line"),
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
    return Measures(table, say.own_verdicts(table, verdicts))
