"""The probe on this run's own models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.report.gates import gate_curves, gate_table
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study4_probe import own as own_of
from metacog.studies.study4_probe import scores, steadiness, two_tasks
from metacog.studies.study4_probe.own_verdicts import RULES, verdicts_of
from metacog.studies.study4_probe.published import short

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Own:
    """A run's five scores and what stands behind them.

    ``profile`` has a row a model and task, ``composites`` their means, ``boundary`` T3-KB by both rules,
    ``penalties`` T4-CR taken apart, ``sweep`` it at nine pairs of thresholds, ``differences`` the scores
    T1-CC less T4-CR, ``tasks_compared`` both tasks by one measure, ``audit`` the single replies behind that,
    ``items`` the agreement of resamples by item and ``steady`` its correlation with stated confidence,
    ``curves`` and ``gates`` what a confidence gate would do on T1-CC and T4-CR together. The sentences say
    what these show.
    """

    profile: pd.DataFrame
    composites: pd.DataFrame
    boundary: pd.DataFrame
    penalties: pd.DataFrame
    sweep: pd.DataFrame
    differences: pd.DataFrame
    tasks_compared: pd.DataFrame
    audit: pd.DataFrame
    items: pd.DataFrame
    steady: pd.DataFrame
    curves: pd.DataFrame
    gates: pd.DataFrame
    failures_said: str
    sweep_said: str
    strict_said: str
    panel_said: str
    sigma_t: float
    range_t: float
    n_items: int
    resamples: int
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]


@analysis(needs=("probe",), returns=Own, files=("data/questions/probe-v1*",))
def own(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> Own:
    """How well do this run's models know what they know?"""
    trials = labelled(inputs.trials("probe"))
    at = own_of.thresholds_of(trials)
    profile = scores.profile(trials, at, n_resamples=n_resamples, seed=seed)
    taken_apart, swept = own_of.penalties(trials, at), own_of.sweep(trials)
    differences = own_of.dissociation(trials, at, n_resamples=n_resamples, seed=seed)
    compared = two_tasks.by_one_measure(trials)
    items = steadiness.agreement(trials)
    steady = steadiness.correlations(items, n_resamples=n_resamples, seed=seed)
    again = steadiness.retest(trials)
    steady = steady.merge(again.assign(task=again["task"].map(short)), how="left") if len(steady) else steady
    first = scores.scored(trials)
    answers = first[first["task"].isin(steadiness.TASKS_WITH_ANSWERS)]
    return Own(
        profile=profile,
        composites=scores.composites(profile),
        boundary=scores.second_rule(trials),
        penalties=taken_apart,
        sweep=swept,
        differences=differences,
        tasks_compared=compared,
        audit=own_of.audit(trials),
        items=items,
        steady=steady,
        curves=gate_curves(answers),
        gates=gate_table(answers),
        failures_said=own_of.failures_said(profile),
        sweep_said=own_of.sweep_said(swept),
        strict_said=own_of.strict_said(taken_apart),
        panel_said=own_of.panel_said(profile),
        sigma_t=at.sigma_t,
        range_t=at.range_t,
        n_items=int(trials["question_id"].nunique()),
        resamples=int(trials["sample"].max()),
        verdicts=verdicts_of(profile, compared, steady, trials["model"].unique()) if verdicts else (),
        rules=RULES,
    )
