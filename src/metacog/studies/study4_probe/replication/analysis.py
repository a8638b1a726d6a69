"""The probe asked of this run's models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.report.gates import gate_curves, gate_table
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study4_probe.ledger.published import short
from metacog.studies.study4_probe.measures import scores
from metacog.studies.study4_probe.replication import replies, steadiness, two_tasks
from metacog.studies.study4_probe.replication.judging import verdicts_of

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Replication:
    """The five scores of this run's models and what they rest on.

    ``profile`` has one row per model and task, ``composites`` their means, ``boundary`` T3-KB by both rules,
    ``penalties`` T4-CR taken apart, ``sweep`` it at nine pairs of thresholds, ``differences`` the scores
    T1-CC minus T4-CR, ``tasks_compared`` both tasks by one measure, ``audit`` the single replies behind that,
    ``examples`` one request and reply of each task, ``items`` the agreement of resamples by item and ``steady``
    its correlation with stated confidence,
    ``curves`` and ``gates`` what a confidence gate would do on T1-CC and T4-CR together. ``panel`` holds
    the figures that need a panel of models.
    """

    profile: pd.DataFrame
    composites: pd.DataFrame
    boundary: pd.DataFrame
    penalties: pd.DataFrame
    sweep: pd.DataFrame
    differences: pd.DataFrame
    tasks_compared: pd.DataFrame
    audit: pd.DataFrame
    examples: pd.DataFrame
    items: pd.DataFrame
    steady: pd.DataFrame
    curves: pd.DataFrame
    gates: pd.DataFrame
    panel: replies.Panel
    sigma_t: float
    range_t: float
    n_items: int
    resamples: int
    verdicts: tuple[Verdict, ...]


@analysis(needs=("probe",), returns=Replication, files=("data/questions/probe-v1*",))
def replication(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Replication:
    """How well do this run's models know what they know?"""
    trials = labelled(inputs.trials("probe"))
    at = replies.thresholds_of(trials)
    profile = scores.profile(trials, at, n_resamples=n_resamples, seed=seed)
    taken_apart, swept = replies.penalties(trials, at), replies.sweep(trials)
    differences = replies.dissociation(trials, at, n_resamples=n_resamples, seed=seed)
    compared = two_tasks.by_one_measure(trials)
    items = steadiness.agreement(trials)
    steady = steadiness.correlations(items, n_resamples=n_resamples, seed=seed)
    again = steadiness.retest(trials)
    steady = steady.merge(again.assign(task=again["task"].map(short)), how="left") if len(steady) else steady
    first = scores.scored(trials)
    answers = first[first["task"].isin(steadiness.TASKS_WITH_ANSWERS)]
    return Replication(
        profile=profile,
        composites=scores.composites(profile),
        boundary=scores.second_rule(trials),
        penalties=taken_apart,
        sweep=swept,
        differences=differences,
        tasks_compared=compared,
        audit=replies.audit(trials),
        examples=replies.examples(trials),
        items=items,
        steady=steady,
        curves=gate_curves(answers),
        gates=gate_table(answers),
        panel=replies.panel_of(profile),
        sigma_t=at.sigma_t,
        range_t=at.range_t,
        n_items=int(trials["question_id"].nunique()),
        resamples=int(trials["sample"].max()),
        verdicts=verdicts_of(profile, compared, steady, trials["model"].unique()) if verdicts else (),
    )
