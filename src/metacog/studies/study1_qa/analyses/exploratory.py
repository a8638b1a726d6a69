"""What the study asked without a rule of its own: ranks, selective prediction, instruct against base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.report.verdicts import Verdict, drawn
from metacog.sdt.selective import RiskCoverage
from metacog.studies.study import analysis
from metacog.studies.study1_qa import beside
from metacog.studies.study1_qa.auroc2 import estimates as ranking
from metacog.studies.study1_qa.cells.inputs import COVERAGE, PUBLISHED, open_trials, rated_primary
from metacog.studies.study1_qa.instruct_base import estimates as tuning
from metacog.studies.study1_qa.ledger.published import MAIN, published_cells
from metacog.studies.study1_qa.selective import estimates as abstaining

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Auroc2:
    """AUROC2 beside M-ratio and meta-I2r: of the run, by domain, and of the published models.

    ``own`` and ``published`` hold the verdicts on either.
    """

    ranks: pd.DataFrame
    correlations: pd.DataFrame
    domains: pd.DataFrame
    beside: pd.DataFrame
    published_ranks: pd.DataFrame
    published_correlations: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    models: int


@analysis(needs=("open",), returns=Auroc2, files=(*PUBLISHED, *COVERAGE))
def auroc2(inputs: Inputs, *, n_permutations: int = 2_000, seed: int = 42, verdicts: bool = True) -> Auroc2:
    """Do two measures rank the models alike?"""
    rated = rated_primary(inputs)
    found = ranking.ranks(rated, verdicts=verdicts)
    theirs = ranking.ranks_from_cells(published_cells(), verdicts=verdicts)
    domains = ranking.domain_measures(
        rated, n_permutations=n_permutations, n_resamples=n_permutations, seed=seed
    )
    compared = beside.beside_ranks(found.table, verdicts=verdicts)
    described = ranking.describe_domains(rated, n_resamples=n_permutations, seed=seed)
    said = [
        *(v.under("own") for v in found.verdicts),
        *([described.under("domains")] if verdicts else []),
        *(v.under("published") for v in theirs.verdicts),
        compared.verdict,
    ]
    return Auroc2(
        found.table,
        found.correlations,
        domains,
        compared.table,
        theirs.table,
        theirs.correlations,
        drawn(*said),
        {"ranks": ranking.RULE_RANKS},
        int(found.table["model"].nunique()),
    )


@dataclass(frozen=True)
class Selective:
    """Tables and curves as in :class:`metacog.studies.study1_qa.selective.Selective`."""

    coverages: pd.DataFrame
    areas: pd.DataFrame
    beside: pd.DataFrame
    curves: Mapping[tuple[str, str], RiskCoverage]
    published_curves: Mapping[tuple[str, str], RiskCoverage]
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    resamples: int


@analysis(needs=("open",), returns=Selective, files=PUBLISHED)
def selective(
    inputs: Inputs, *, n_permutations: int = 2_000, seed: int = 42, verdicts: bool = True
) -> Selective:
    """How accurate is a model on the answers it is most confident of?"""
    found = abstaining.selective(
        open_trials(inputs), n_resamples=n_permutations, seed=seed, verdicts=verdicts
    )
    theirs = abstaining.selective_from_cells(published_cells(MAIN))
    compared = beside.beside_selective(found.table, verdicts=verdicts)
    return Selective(
        found.table,
        found.areas,
        compared.table,
        found.curves,
        theirs.curves,
        drawn(*found.verdicts, compared.verdict),
        {"half": abstaining.RULE},
        n_permutations,
    )


@dataclass(frozen=True)
class InstructBase:
    """Instruct less base: the run's pairs, and the published one on both question sets."""

    differences: pd.DataFrame
    triviaqa: pd.DataFrame
    nq: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]


@analysis(needs=("open",), returns=InstructBase, files=(*PUBLISHED, "config/models.yaml"))
def instruct_base(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> InstructBase:
    """What does instruction tuning do to metacognition?"""
    rated = rated_primary(inputs)
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "verdicts": verdicts}
    pairs = tuning.registry_pairs(rated.trials["model"].unique())
    own = [tuning.compare_trials(rated, instruct, base, **options) for instruct, base in pairs]
    counts = published_cells()
    theirs = {d: tuning.compare_counts(counts, dataset=d, **options) for d in ("triviaqa", "nq")}
    columns = ["pair", "measure", "instruct", "base", "difference", "lo", "hi", "p"]
    parts = [one.table.assign(pair=f"{one.instruct} and {one.base}") for one in own]
    table = pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
    said = [v.under("own") for one in own for v in one.verdicts]
    said += [v.under(d) for d, one in theirs.items() for v in one.verdicts]
    return InstructBase(
        table, theirs["triviaqa"].table, theirs["nq"].table, tuple(said), {"pair": tuning.RULE}
    )
