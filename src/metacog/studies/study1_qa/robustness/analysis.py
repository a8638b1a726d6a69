"""R1 to R6: do the results rest on settings that could have been chosen otherwise? What is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import paper_names
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import comparison
from metacog.studies.study1_qa.cells.counts import primary, rate_trials
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.ledger.published import as_numbers, published_cells
from metacog.studies.study1_qa.robustness import forced, judging, matched, variants

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Robustness:
    """R1 to R4 in ``variants`` and ``orders``, R5 in ``forced``, R6 in the ``matched`` tables.

    ``gaps`` are R5's by question, ``levels`` each domain's questions by difficulty, ``comparison`` R1's
    M-ratio next to the published one; ``published`` holds R2 and R4 of the paper's models, ``checks`` what all of
    them say of each model (``claim, model, answer, why``), and ``left_out`` why models were not asked R5, by model.
    """

    variants: pd.DataFrame
    orders: pd.DataFrame
    forced: pd.DataFrame
    gaps: pd.DataFrame
    levels: pd.DataFrame
    matched_domains: pd.DataFrame
    matched_models: pd.DataFrame
    comparison: pd.DataFrame
    published: pd.DataFrame
    checks: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


@analysis(needs=("open", "forced"), returns=Robustness, files=PUBLISHED)
def robustness(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_matched_resamples: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Robustness:
    """Do the results rest on settings that could have been chosen otherwise?"""
    trials = open_trials(inputs)
    names = paper_names(trials["model"].unique())
    checks = variants.robustness(
        trials, paper_names=names, n_resamples=n_resamples, seed=seed, verdicts=verdicts
    )
    decoded = forced.check_forced(inputs.trials("forced"))
    r5 = forced.analyse_forced(decoded, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    rated = rate_trials(primary(trials))
    r6 = matched.matched(rated, n_resamples=n_matched_resamples, seed=seed, verdicts=verdicts)
    printed, run = as_numbers("v1_table4_r1_binning"), checks.table[checks.table["check"] == "R1"]
    run = run.rename(columns={"k": "ratings_per_side"})
    columns = ["model", "ratings_per_side", "m_ratio"]
    theirs = variants.robustness_from_counts(
        published_cells(None), n_resamples=n_resamples, seed=seed, verdicts=verdicts
    )
    found = []
    if verdicts:
        found = judging.by_model(theirs.table, theirs.orders, ", published")
        found += judging.by_model(checks.table, checks.orders) + judging.of_matched(r6.verdicts[0], r6.models)
    return Robustness(
        checks.table,
        checks.orders,
        forced.with_lowest(r5.table, decoded, trials),
        decoded[["model", "dataset", "nlp_best_alias", "nlp_wrong"]],
        by_level(r6.levels),
        r6.domains,
        r6.models,
        comparison.stacked(**{comparison.PUBLISHED: printed[columns], comparison.RUN: run[columns]}),
        theirs.table,
        pd.DataFrame(found, columns=["claim", "model", "answer", "why"]),
        (
            *checks.verdicts,
            *r5.verdicts,
            *r6.verdicts,
            judging.compare(printed, run),
            *(v.under("published") for v in theirs.verdicts),
        )
        if verdicts
        else (),
        inputs.left_out("forced"),
    )


def by_level(levels: pd.DataFrame) -> pd.DataFrame:
    """Questions of each domain, one row per number of models that were right."""
    wide = levels.pivot(index="n_right", columns="domain", values="n_questions").reset_index()
    wide["kept in each"] = levels.groupby("n_right")["n_matched"].first().to_numpy() if len(levels) else []
    return wide.rename(columns={"n_right": "models right"}).rename_axis(columns=None)
