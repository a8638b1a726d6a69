"""The probe asked of this run's models.

What lies behind a run's scores: strategies of confidence, Brier terms, entropy, single items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.core.errors import MetacogError
from metacog.report.gates import gate_curves, gate_table
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study4_probe.ledger.published import TASKS, short
from metacog.studies.study4_probe.measures import lineages, murphy, scores, strategies
from metacog.studies.study4_probe.measures.panel import FEWEST_MODELS
from metacog.studies.study4_probe.replication import discrimination, entropy, replies, steadiness, two_tasks
from metacog.studies.study4_probe.replication.judging import claims_of, entropy_verdict, verdicts_of
from metacog.studies.study4_probe.replication.replies import thresholds_of

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class ReplicationItems:
    """Tables by topic.

    ``strategies`` has one row per model and task with a confidence; ``murphy`` the terms of T4-CR's Brier score;
    ``drawn`` the items with a decoding entropy and ``entropy`` its correlation with stated confidence;
    ``tasks`` how many items of each task separate the models, ``separating`` those items; ``claims``
    what all verdicts on the replies say of each model.
    """

    strategies: pd.DataFrame
    murphy: pd.DataFrame
    drawn: pd.DataFrame
    entropy: pd.DataFrame
    tasks: pd.DataFrame
    separating: pd.DataFrame
    models: tuple[str, ...]
    lineages: pd.DataFrame
    lineages_refused: str
    draws: int
    resamples: int
    verdicts: tuple[Verdict, ...]
    claims: pd.DataFrame


@analysis(needs=("probe", "replication"), returns=ReplicationItems, files=("data/questions/probe-v1*",))
def replication_items(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> ReplicationItems:
    """What do single items and ways of stating confidence say of this run's models?"""
    trials = labelled(inputs.trials("probe"))
    classes, terms = strategies.table(trials), murphy.of_run(trials)
    torn = entropy.correlations(trials, n_resamples=n_resamples, seed=seed)
    tasks = discrimination.by_task(trials, n_resamples=n_resamples, seed=seed)
    left_out, refused = _lineages(_scores(trials))
    torn_judged = entropy_verdict(torn, trials["model"].unique()) if verdicts else ()
    return ReplicationItems(
        strategies=classes,
        murphy=terms,
        drawn=entropy.by_item(trials),
        entropy=torn,
        tasks=tasks,
        separating=discrimination.items(trials, n_resamples=n_resamples, seed=seed),
        models=tuple(trials["model"].unique()),
        lineages=left_out,
        lineages_refused=refused,
        draws=int(trials["entropy_asked"].max()),
        resamples=n_resamples,
        verdicts=torn_judged,
        claims=claims_of((*inputs.result("replication").verdicts, *torn_judged)),
    )


def _scores(trials: pd.DataFrame) -> pd.DataFrame:
    """The five scores, models x tasks under the names of table 1; models that lack a task are left out."""
    profile = scores.profile(trials, thresholds_of(trials), n_resamples=2, seed=1)
    wide = profile.pivot(index="model", columns="task", values="score")
    return wide.rename(columns={short(t): t for t in TASKS}).reindex(columns=list(TASKS)).dropna()


def _lineages(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The panel's figures without each lineage, or why there are none."""
    if len(table) < FEWEST_MODELS:
        there = "there is 1" if len(table) == 1 else f"there are {len(table)}"
        return pd.DataFrame(), f"statistics of a panel need at least {FEWEST_MODELS} models; {there}"
    try:
        return lineages.leave_out(table), ""
    except MetacogError as refused:
        return pd.DataFrame(), str(refused)


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
