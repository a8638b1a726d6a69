"""The same experiments on the models of the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.collect.facts import run_facts
from metacog.collect.jobs import manifests
from metacog.collect.models import labels_of
from metacog.collect.plan import settings_of
from metacog.core.frames import rows_of, typed_rows
from metacog.measures.posterior import SamplingQuality, posterior_table, sampling_quality, without_tables
from metacog.report.verdicts import Verdict
from metacog.sdt.bayes import fit_bayes
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice.cells import comparisons
from metacog.studies.study2_two_choice.cells.confidence import by_confidence
from metacog.studies.study2_two_choice.replication import compared, ratings, risk
from metacog.studies.study2_two_choice.replication.replies import of_both, with_labels
from metacog.studies.study2_two_choice.replication.requests import requests
from metacog.studies.study2_two_choice.settings import Settings

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Asked:
    """What was put to the models of the run, and what of it can be used.

    ``settings`` say how it was asked, ``requests`` has the turns of a first request of each task, ``cells``
    counts usable and lost replies of every cell, ``facts`` has one row per run of a model.
    """

    settings: Settings
    requests: pd.DataFrame
    cells: pd.DataFrame
    facts: pd.DataFrame
    trials: int
    minutes: float


@analysis(needs=("confidence", "warned"), returns=Asked, files=("config/two-choice.yaml",))
def replication_asked(inputs: Inputs) -> Asked:
    """What was asked, and how much of it was answered?"""
    settings = settings_of(inputs.study, inputs.profile)
    names = ("confidence", "warned")
    cells = of_both({name: inputs.trials(name) for name in names})
    facts = run_facts([one for name in names for one in manifests(inputs.study, inputs.profile, name)])
    if len(facts):
        by_model = facts.groupby(["model", "prompt", "sha256"], sort=False)[["n_trials", "minutes"]]
        facts = with_labels(by_model.sum().reset_index())
    return Asked(
        settings=settings,
        requests=requests(settings, inputs.study.collections),
        cells=with_labels(cells),
        facts=facts,
        trials=int(cells["asked"].sum()),
        minutes=float(facts["minutes"].sum()) if len(facts) else 0.0,
    )


@dataclass(frozen=True)
class RatedDecisions:
    """Measures of the decisions with confidence.

    ``cells`` is :func:`.ratings.fitted`'s table, ``unfitted`` is :func:`.ratings.unfitted`'s: cells that were asked
    and could not be fitted. Where no cell could be, ``cells`` and ``accuracy`` have no rows. ``signals`` compares
    signals of confidence, ``draws`` says how many decisions went against the model's own preference
    (:func:`.ratings.draws`), ``accuracy`` has right answers by confidence; levels with fewer than ``fewest`` trials are
    not shown.
    """

    cells: pd.DataFrame
    unfitted: pd.DataFrame
    signals: pd.DataFrame
    draws: pd.DataFrame
    accuracy: pd.DataFrame
    resamples: int
    fewest: int
    trials: int


@analysis(needs=("confidence",), returns=RatedDecisions)
def replication_ratings(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, fewest: int = 10
) -> RatedDecisions:
    """Do the models of this run know when they are right?"""
    trials = inputs.trials("confidence")
    tables = ratings.rating_cells(trials)
    cells = with_labels(ratings.fitted(tables, n_resamples, seed))
    return RatedDecisions(
        cells=cells,
        unfitted=with_labels(ratings.unfitted(trials, cells)),
        signals=with_labels(ratings.with_names(ratings.signals(trials))),
        draws=with_labels(ratings.draws(trials)),
        accuracy=with_labels(by_confidence(tables, fewest)),
        resamples=n_resamples,
        fewest=fewest,
        trials=int(cells["n"].sum()),
    )


@dataclass(frozen=True)
class Compared:
    """Models compared within a task and tasks within a model: :func:`.compared.compared`'s ``pairs``."""

    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    resamples: int


@analysis(needs=("confidence",), returns=Compared)
def replication_compared(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Compared:
    """Do the models of this run differ from one another, and do the tasks?"""
    trials = inputs.trials("confidence")
    cells = compared.measured(trials, n_resamples, seed)
    pairs = compared.compared(cells, labels_of(trials["model"]))
    return Compared(pairs, compared.verdicts(pairs) if verdicts else (), n_resamples)


@dataclass(frozen=True)
class RatedPosterior:
    """Posteriors of the decisions with confidence, one row per cell, all sampled as one batch.

    ``unfitted`` has the cells without a table of ratings (:func:`.ratings.unfitted`). Where that is every cell,
    nothing is sampled: ``cells`` has no row, ``sampling`` is None and there are 0 ``draws``.
    """

    cells: pd.DataFrame
    sampling: SamplingQuality | None
    draws: int
    unfitted: pd.DataFrame


@analysis(needs=("confidence",), returns=RatedPosterior)
def replication_posterior(
    inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42
) -> RatedPosterior:
    """What does the paper's Bayesian model say of the models of this run?"""
    trials = inputs.trials("confidence")
    tables = ratings.rating_cells(trials)
    named = [{"task": t.task, "model": t.model} for t in tables]
    labels = with_labels(typed_rows(named, {"task": "str", "model": "str"}))
    unfitted = with_labels(ratings.unfitted(trials, labels))
    if not tables:
        return RatedPosterior(without_tables(labels), None, 0, unfitted)
    fit = fit_bayes(
        np.stack([t.nR_S1 for t in tables]),
        np.stack([t.nR_S2 for t in tables]),
        n_draws=n_draws,
        n_warmup=n_warmup,
        seed=seed,
    )
    draws = int(fit.posterior[0, ..., 0].size)
    return RatedPosterior(posterior_table(fit, labels), sampling_quality(fit), draws, unfitted)


@dataclass(frozen=True)
class WarnedDecisions:
    """Decisions under the three risk configurations: ``cells`` with c and d', ``pairs`` their differences.

    Cells that are determined by their padding are in no pair. ``trials`` are those that can be used, of ``asked``.
    """

    cells: pd.DataFrame
    pairs: pd.DataFrame
    wide_z: float
    trials: int
    asked: int


@analysis(needs=("warned",), returns=WarnedDecisions)
def replication_risk(inputs: Inputs) -> WarnedDecisions:
    """What does a warning do to the criterion of the models of this run?"""
    trials = inputs.trials("warned")
    counts = risk.decision_counts(trials)
    cells = with_labels(risk.with_ends(risk.decided(counts)))
    pairs = with_labels(comparisons.risk_contrasts(cells[~cells["padded"]]))
    names = [f"{r.name}, task {r.task}: {r.first} and {r.second}" for r in rows_of(pairs)]
    usable = int(counts["total"].sum())
    return WarnedDecisions(cells, pairs.assign(pair=names), comparisons.wide_z(), usable, len(trials))
