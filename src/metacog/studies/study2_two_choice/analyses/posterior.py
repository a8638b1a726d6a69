"""Posteriors of the published tables, the paper's own kind of estimate: each cell alone, and as a group."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pandas as pd

from metacog.ledger.entry import Status
from metacog.measures.posterior import (
    group_table,
    predictive_points,
    predictive_said,
    predictive_table,
    sampled_well,
    sampling_said,
)
from metacog.sdt.bayes import predict_roc
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import chains, claims, ledger, posteriors, ratings
from metacog.studies.study2_two_choice.analyses.common import PUBLISHED

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Posterior:
    """Posteriors of the nine cells.

    ``cells`` is :func:`.posteriors.cells_of`, ``beside`` maximum likelihood, posterior and print in a row,
    ``ratios`` the differences of log M-ratio and ``verdicts_beside`` the printed verdicts on them;
    ``points`` and ``predictive`` check whether the model makes such ratings. ``near`` counts cells of
    which the ledger calls every figure a match, ``agree`` printed verdicts that come out.
    """

    cells: pd.DataFrame
    beside: pd.DataFrame
    ratios: pd.DataFrame
    verdicts_beside: pd.DataFrame
    points: pd.DataFrame
    predictive: pd.DataFrame
    sampling_said: str
    table_said: str
    likelihood_said: str
    evidence_said: str
    optimal_said: str
    printed_said: str
    predictive_said: str
    draws: int
    near: int
    agree: int
    printed: int
    sampled_well: bool


@analysis(returns=Posterior, files=(*PUBLISHED, chains.TABLE))
def posterior(inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42) -> Posterior:
    """What does the paper's Bayesian model say of its nine cells?"""
    fit = posteriors.fitted(n_draws, n_warmup, seed)
    cells = posteriors.cells_of(fit)
    ratios = posteriors.contrasts(fit)
    made = SimpleNamespace(cells=cells, ratios=ratios)
    both = posteriors.beside(cells, ledger.judged_s1(made))
    printed = ledger.with_verdicts(claims.beside_claims(ratios), made)
    check = predict_roc(fit, n_replicates=min(1_000, fit.posterior[0, ..., 0].size), seed=seed)
    labels = claims.with_names(posteriors.labels())
    predictive = predictive_table(check, labels)
    return Posterior(
        cells=claims.with_names(cells),
        beside=claims.with_names(both),
        ratios=claims.with_names(ratios),
        verdicts_beside=claims.with_names(printed),
        points=predictive_points(check, labels),
        predictive=predictive,
        sampling_said=sampling_said(fit),
        table_said=posteriors.table_said(both),
        likelihood_said=posteriors.likelihood_said(both),
        evidence_said=posteriors.evidence_said(both, fit),
        optimal_said=ratings.optimal_said(ratios),
        printed_said=claims.agreement_said(printed, "M-ratio, by the posterior"),
        predictive_said=predictive_said(predictive),
        draws=int(fit.posterior[0, ..., 0].size),
        near=int(both.groupby(["task", "model"])["comes_out"].all().sum()),
        agree=int((printed["status"] == Status.MATCH).sum()),
        printed=len(printed),
        sampled_well=sampled_well(fit),
    )


@dataclass(frozen=True)
class Group:
    """The hierarchical model: the group's M-ratio on each task, and each cell drawn towards it."""

    groups: pd.DataFrame
    cells: pd.DataFrame
    group_said: str
    sampling_said: str
    sampled_well: bool


@analysis(returns=Group, files=PUBLISHED)
def posterior_group(inputs: Inputs, *, n_draws: int = 1_000, n_warmup: int = 1_000, seed: int = 42) -> Group:
    """What do the three models have in common on each task?"""
    fit = posteriors.grouped(n_draws, n_warmup, seed)
    groups = group_table(fit)
    return Group(
        groups=groups,
        cells=claims.with_names(posteriors.drawn_towards(fit)),
        group_said=posteriors.group_said(groups, sampled_well(fit)),
        sampling_said=sampling_said(fit),
        sampled_well=sampled_well(fit),
    )
