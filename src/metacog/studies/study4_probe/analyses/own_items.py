"""What lies behind a run's scores: strategies of confidence, Brier terms, entropy, single items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study4_probe import discrimination, entropy, lineages, murphy, scores, strategies
from metacog.studies.study4_probe.own import thresholds_of
from metacog.studies.study4_probe.own_verdicts import RULES, entropy_verdict
from metacog.studies.study4_probe.published import TASKS, short

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class OwnItems:
    """Tables by topic, and sentences that say what they show.

    ``strategies`` has a row a model and task with a confidence; ``murphy`` the terms of T4-CR's Brier score;
    ``drawn`` the items with a decoding entropy and ``entropy`` its correlation with stated confidence;
    ``tasks`` how many items of each task separate the models, ``separating`` those items.
    """

    strategies: pd.DataFrame
    murphy: pd.DataFrame
    drawn: pd.DataFrame
    entropy: pd.DataFrame
    tasks: pd.DataFrame
    separating: pd.DataFrame
    models: tuple[str, ...]
    strategies_said: str
    strategy_rule: str
    murphy_said: str
    entropy_said: str
    discrimination_said: str
    lineages_said: str
    draws: int
    resamples: int
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]


@analysis(needs=("probe",), returns=OwnItems, files=("data/questions/probe-v1*",))
def own_items(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> OwnItems:
    """What do single items and ways of stating confidence say of this run's models?"""
    trials = labelled(inputs.trials("probe"))
    classes, terms = strategies.table(trials), murphy.own(trials)
    torn = entropy.correlations(trials, n_resamples=n_resamples, seed=seed)
    tasks = discrimination.by_task(trials, n_resamples=n_resamples, seed=seed)
    return OwnItems(
        strategies=classes,
        murphy=terms,
        drawn=entropy.by_item(trials),
        entropy=torn,
        tasks=tasks,
        separating=discrimination.items(trials, n_resamples=n_resamples, seed=seed),
        models=tuple(trials["model"].unique()),
        strategies_said=strategies.said(classes),
        strategy_rule=strategies.RULE.said(),
        murphy_said=murphy.said(terms),
        entropy_said=entropy.said(torn),
        discrimination_said=discrimination.said(tasks),
        lineages_said=lineages.own_said(_scores(trials)),
        draws=int(trials["entropy_asked"].max()),
        resamples=n_resamples,
        verdicts=entropy_verdict(torn, trials["model"].unique()) if verdicts else (),
        rules=RULES,
    )


def _scores(trials: pd.DataFrame) -> pd.DataFrame:
    """The five scores, models x tasks under the names of table 1; models that lack a task are left out."""
    profile = scores.profile(trials, thresholds_of(trials), n_resamples=2, seed=1)
    wide = profile.pivot(index="model", columns="task", values="score")
    return wide.rename(columns={short(t): t for t in TASKS}).reindex(columns=list(TASKS)).dropna()
