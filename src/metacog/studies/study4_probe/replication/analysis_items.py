"""What lies behind a run's scores: strategies of confidence, Brier terms, entropy, single items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.core.errors import MetacogError
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study4_probe.ledger.published import TASKS, short
from metacog.studies.study4_probe.measures import lineages, murphy, scores, strategies
from metacog.studies.study4_probe.measures.panel import FEWEST_MODELS
from metacog.studies.study4_probe.replication import discrimination, entropy
from metacog.studies.study4_probe.replication.judging import claims_of, entropy_verdict
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
