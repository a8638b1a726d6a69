"""R1 to R6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study1_qa import beside
from metacog.studies.study1_qa.cells.counts import primary, rate_trials
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.ledger.published import published_cells
from metacog.studies.study1_qa.robustness import forced, matched, variants

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Robustness:
    """R1 to R4 in ``variants`` and ``orders``, R5 in ``forced``, R6 in the ``matched`` tables.

    ``gaps`` are R5's by question.
    ``published`` holds R2 and R4 of the paper's models; ``levels`` each domain's questions by difficulty.
    """

    variants: pd.DataFrame
    orders: pd.DataFrame
    forced: pd.DataFrame
    gaps: pd.DataFrame
    levels: pd.DataFrame
    matched_domains: pd.DataFrame
    matched_models: pd.DataFrame
    beside: pd.DataFrame
    published: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]


@analysis(needs=("open", "forced"), returns=Robustness, files=(*PUBLISHED, "config/models.yaml"))
def robustness(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Robustness:
    """Do the findings rest on settings that could have been others?"""
    trials = open_trials(inputs)
    options = {"n_resamples": n_resamples, "seed": seed}
    names = variants.paper_names(trials["model"].unique())
    settings = variants.robustness(trials, paper_names=names, verdicts=verdicts, **options)
    decoded = forced.check_forced(inputs.trials("forced"))
    r5 = forced.analyse_forced(decoded, verdicts=verdicts, **options)
    fewer = min(n_permutations, n_resamples)
    r6 = matched.matched(rate_trials(primary(trials)), n_resamples=fewer, seed=seed, verdicts=verdicts)
    binning = beside.beside_binning(settings.table, verdicts=verdicts)
    theirs = variants.robustness_from_counts(published_cells(), verdicts=verdicts, **options)
    said = [
        *(v.under("variants") for v in settings.verdicts),
        *(v.under("forced") for v in r5.verdicts),
        *(v.under("matched") for v in r6.verdicts),
        *([binning.verdict.under("binning")] if binning.verdict else []),
        *(v.under("published") for v in theirs.verdicts),
    ]
    rules = {check: f"{check}: {rule}" for check, rule in variants.RULES.items()}
    rules |= {"R5": forced.RULE, "R6 domains": matched.RULE_DOMAINS, "R6 models": matched.RULE_MODELS}
    gaps = decoded[["model", "dataset", "nlp_best_alias", "nlp_wrong"]]
    return Robustness(
        settings.table,
        settings.orders,
        r5.table,
        gaps,
        by_level(r6.levels),
        r6.domains,
        r6.models,
        binning.table,
        theirs.table,
        drawn(*said),
        rules,
    )


def by_level(levels: pd.DataFrame) -> pd.DataFrame:
    """Questions of each domain, a row a number of models that were right."""
    wide = levels.pivot(index="n_right", columns="domain", values="n_questions").reset_index()
    wide["kept in each"] = levels.groupby("n_right")["n_matched"].first().to_numpy() if len(levels) else []
    return wide.rename(columns={"n_right": "models right"}).rename_axis(columns=None)
