"""Posteriors of the published tables, as the paper reports them: of each cell, and of the group."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pandas as pd

from metacog.measures.posterior import (
    SamplingQuality,
    group_table,
    predictive_points,
    predictive_table,
    sampling_quality,
)
from metacog.sdt.bayes import predict_roc
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice.ledger import chains, claims, published
from metacog.studies.study2_two_choice.ledger.entries import judged_s1
from metacog.studies.study2_two_choice.two_choice import posteriors

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Posterior:
    """Posteriors of the nine cells.

    ``cells`` is :func:`.posteriors.cells_of`, ``compared`` maximum likelihood, posterior and published
    figures, ``evidence`` what speaks for and against a published d' that is not reproduced, ``ratios`` the
    differences of log M-ratio and ``published_verdicts`` the paper's verdicts on them; ``points`` and
    ``predictive`` check whether the model makes such ratings.
    """

    cells: pd.DataFrame
    compared: pd.DataFrame
    evidence: pd.DataFrame
    ratios: pd.DataFrame
    published_verdicts: pd.DataFrame
    points: pd.DataFrame
    predictive: pd.DataFrame
    sampling: SamplingQuality
    draws: int


@analysis(returns=Posterior, files=(*published.FILES, chains.TABLE))
def posterior(inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42) -> Posterior:
    """What does the paper's Bayesian model say of its nine cells?"""
    fit = posteriors.fitted(n_draws, n_warmup, seed)
    cells, ratios = posteriors.cells_of(fit), posteriors.contrasts(fit)
    compared = posteriors.compared(cells, judged_s1(SimpleNamespace(cells=cells, ratios=ratios)))
    n_draws_in_all = int(fit.posterior[0, ..., 0].size)
    check = predict_roc(fit, n_replicates=min(1_000, n_draws_in_all), seed=seed)
    labels = claims.with_names(posteriors.labels())
    return Posterior(
        cells=claims.with_names(cells),
        compared=claims.with_names(compared),
        evidence=claims.with_names(posteriors.evidence(compared, fit)),
        ratios=claims.with_names(ratios),
        published_verdicts=claims.with_names(claims.with_claims(ratios)),
        points=predictive_points(check, labels),
        predictive=predictive_table(check, labels),
        sampling=sampling_quality(fit),
        draws=n_draws_in_all,
    )


@dataclass(frozen=True)
class Group:
    """The hierarchical model: the group's M-ratio on each task, and each cell drawn towards it."""

    groups: pd.DataFrame
    cells: pd.DataFrame
    sampling: SamplingQuality


@analysis(returns=Group, files=published.FILES)
def posterior_group(inputs: Inputs, *, n_draws: int = 1_000, n_warmup: int = 1_000, seed: int = 42) -> Group:
    """What do the three models have in common on each task?"""
    fit = posteriors.grouped(n_draws, n_warmup, seed)
    cells = claims.with_names(posteriors.drawn_towards(fit))
    return Group(group_table(fit), cells, sampling_quality(fit))
