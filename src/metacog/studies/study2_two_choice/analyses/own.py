"""The study's experiments on the models of the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.facts import run_facts
from metacog.collect.jobs import manifests
from metacog.collect.plan import settings_of
from metacog.core.frames import rows_of
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import asked, comparisons, own, own_risk, ratings
from metacog.studies.study2_two_choice.analyses.common import with_labels

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class OwnAsked:
    """What was put to the models of the run, and what of it can be used.

    ``prompts`` shows a first request of each task, ``cells`` counts usable and lost replies of every cell,
    ``facts`` has a row a run of a model.
    """

    prompts: str
    cells: pd.DataFrame
    facts: pd.DataFrame
    asked_said: str
    way_said: str
    trials: int
    minutes: float


@analysis(needs=("confidence", "warned"), returns=OwnAsked, files=("config/two-choice.yaml",))
def own_asked(inputs: Inputs) -> OwnAsked:
    """What was asked, and how much of it was answered?"""
    settings = settings_of(inputs.study, inputs.profile)
    cells = asked.both({name: inputs.trials(name) for name in ("confidence", "warned")})
    runs = [one for name in ("confidence", "warned") for one in manifests(inputs.study, inputs.profile, name)]
    facts = run_facts(runs)
    if len(facts):
        by_model = facts.groupby(["model", "prompt", "sha256"], sort=False)[["n_trials", "minutes"]]
        facts = with_labels(by_model.sum().reset_index())
    return OwnAsked(
        prompts=asked.prompts(settings, inputs.study.collections),
        cells=with_labels(cells),
        facts=facts,
        asked_said=asked.asked_said(cells),
        way_said=asked.way_said(settings),
        trials=int(cells["asked"].sum()),
        minutes=float(facts["minutes"].sum()) if len(facts) else 0.0,
    )


@dataclass(frozen=True)
class OwnRatings:
    """Measures of the decisions with confidence.

    ``cells`` is :func:`.own.fitted`'s table, ``signals`` compares signals of confidence, ``accuracy`` holds
    right answers by confidence.
    """

    cells: pd.DataFrame
    signals: pd.DataFrame
    accuracy: pd.DataFrame
    unfitted_said: str
    near_said: str
    padded_said: str
    constant_said: str
    known_said: str
    finer_said: str
    left_out_said: str
    falls_said: str
    resamples: int
    fewest: int
    trials: int


@analysis(needs=("confidence",), returns=OwnRatings)
def own_ratings(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, fewest: int = 10) -> OwnRatings:
    """Do the models of this run know when they are right?"""
    trials = inputs.trials("confidence")
    tables = own.rating_cells(trials)
    cells = with_labels(own.fitted(tables, n_resamples, seed))
    signals = with_labels(own.signals(trials))
    accuracy = with_labels(ratings.by_confidence(fewest, tables))
    return OwnRatings(
        cells=cells,
        signals=signals,
        accuracy=accuracy,
        unfitted_said=own.unfitted_said(with_labels(trials), cells),
        near_said=own.near_said(cells),
        padded_said=own.padded_said(cells),
        constant_said=own.constant_said(cells),
        known_said=own.known_said(signals),
        finer_said=own.finer_said(signals),
        left_out_said=ratings.left_out_said(accuracy, fewest),
        falls_said=ratings.falls_said(accuracy.assign(model=accuracy["name"])),
        resamples=n_resamples,
        fewest=fewest,
        trials=int(cells["n"].sum()),
    )


@dataclass(frozen=True)
class OwnRisk:
    """Decisions under the three risk configurations: ``cells`` with c and d', ``pairs`` their differences.

    Cells that are made of their padding are in no pair.
    """

    cells: pd.DataFrame
    pairs: pd.DataFrame
    padded_said: str
    warned_said: str
    sensitivity_said: str
    wide_z: float
    trials: int


@analysis(name="own_risk", needs=("warned",), returns=OwnRisk)
def own_risk_cells(inputs: Inputs) -> OwnRisk:
    """What does a warning do to the criterion of the models of this run?"""
    counts = own_risk.decision_counts(inputs.trials("warned"))
    cells = with_labels(own_risk.decided(counts))
    pairs = with_labels(comparisons.risk_contrasts(cells[~cells["padded"]]))
    return OwnRisk(
        cells=cells,
        pairs=pairs.assign(
            pair=[f"{r.name}, task {r.task}: {r.first} and {r.second}" for r in rows_of(pairs)]
        ),
        padded_said=own.padded_said(cells, "d'"),
        warned_said=own_risk.warned_said(pairs),
        sensitivity_said=own_risk.sensitivity_said(pairs),
        wide_z=comparisons.wide_z(),
        trials=int(counts["total"].sum()),
    )
