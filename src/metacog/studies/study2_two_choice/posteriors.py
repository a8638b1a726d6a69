"""Posteriors of the nine published tables, as the paper reports them: of each cell, and of the group."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Status
from metacog.measures.posterior import group_table, posterior_table, sampling_quality
from metacog.report.views import Views
from metacog.sdt.bayes import BayesFit, fit_bayes, fit_group
from metacog.sdt.decisions import bonferroni_z
from metacog.sdt.type1 import type1
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.cells import ROPE, d_prime_contrasts, m_ratio_contrasts
from metacog.studies.study2_two_choice.ledger import chains
from metacog.studies.study2_two_choice.ledger.claims import with_claims, with_names
from metacog.studies.study2_two_choice.ledger.entries import judged_s1

#: What table S1 reports.
MEASURES = ("d_prime", "meta_d", "m_ratio")
#: Published figures of each: a mean and two ends.
FIGURES = 3


@analysis(files=(*paper.FILES, chains.TABLE))
def posterior(
    inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42
) -> dict[str, Any]:
    """What does the paper's Bayesian model say of its nine cells?"""
    fit = fitted(n_draws, n_warmup, seed)
    cells, (ratios, sensitivity) = cells_of(fit), contrasts(fit)
    compared = compared_posteriors(cells, judged_s1(SimpleNamespace(cells=cells, ratios=ratios)))
    return {
        "cells": with_names(cells),
        "compared": with_names(compared),
        "evidence": with_names(evidence(compared)),
        "ratios": with_names(ratios),
        "sensitivity": with_names(sensitivity),
        "published_verdicts": with_names(with_claims(pd.concat([ratios, sensitivity], ignore_index=True))),
    }


def posterior_labels() -> pd.DataFrame:
    """Task and model of the nine tables, in the order they are fitted in."""
    return pd.DataFrame([(c.task, c.model) for c in paper.rating_cells()], columns=["task", "model"])


def fitted(n_draws: int, n_warmup: int, seed: int) -> BayesFit:
    """The nine tables as one batch of four chains each."""
    return fit_bayes(*paper.stacked(paper.rating_cells()), n_draws=n_draws, n_warmup=n_warmup, seed=seed)


def cells_of(fit: BayesFit) -> pd.DataFrame:
    return posterior_table(fit, posterior_labels(), rope=ROPE["m_ratio"])


def contrasts(fit: BayesFit) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Differences of log M-ratio and of d', over models and over tasks, as the paper tests them."""
    cells = [(cell.task, cell.model) for cell in paper.rating_cells()]
    ratios, abilities = (
        {cell: one.ravel() for cell, one in zip(cells, fit.draws(name), strict=True)}
        for name in ("m_ratio", "d_prime")
    )
    means = {cell: float(one.mean()) for cell, one in ratios.items()}
    return m_ratio_contrasts(ratios, means), d_prime_contrasts(abilities)


def compared_posteriors(cells: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """Posterior mean and published one, one row a task, model and measure.

    ``matches`` says how many of mean and ends the ledger (``judged``) calls a match.
    """
    keys = ["task", "model", "measure"]
    ours = [cells[["task", "model"]].assign(measure=name, bayes=cells[name]) for name in MEASURES]
    printed = paper.as_numbers("tableS1").rename(columns={"estimate": "published"})[[*keys, "published"]]
    met = judged.assign(matches=judged["status"] == Status.MATCH).groupby(keys)["matches"].sum()
    both = pd.concat(ours).sort_index(kind="stable").merge(printed, on=keys, validate="1:1")
    return both.merge(met.reset_index(), on=keys, validate="1:1")


def evidence(both: pd.DataFrame) -> pd.DataFrame:
    """Published d' that are not reproduced, next to that of the counts: one row a cell of :func:`compared_posteriors`.

    ``too_short``: chains like the paper's, which may not have forgotten their start, lie towards its figure beyond
    chance.
    """
    off = both[(both["measure"] == "d_prime") & (both["matches"] < FIGURES)]
    counts = {(cell.task, cell.model): type1(cell.nR_S1, cell.nR_S2) for cell in paper.rating_cells()}
    return pd.DataFrame(
        {
            "task": row.task,
            "model": row.model,
            "d_prime": counts[row.task, row.model].d_prime,
            "published": row.published,
            "too_short": too_short(row.task, row.model, row.bayes, row.published),
        }
        for row in rows_of(off)
    )


def too_short(task: str, model: str, ours: float, theirs: float) -> bool:
    """Whether chains like the paper's lie from the posterior mean towards its figure, beyond chance."""
    figures: Any = chains.printed_figures()
    mean, spread = figures.loc[(task, model, "d_prime", "estimate")]
    moved = mean - ours
    beyond_chance = abs(moved) > bonferroni_z(m=len(paper.rating_cells())) * spread
    return bool(moved / (theirs - ours) > 0 and beyond_chance)


@analysis(files=paper.FILES)
def posterior_group(
    inputs: Inputs, *, n_draws: int = 1_000, n_warmup: int = 1_000, seed: int = 42
) -> dict[str, Any]:
    """What do the three models have in common on each task?"""
    tables = posterior_labels()
    fit = fit_group(
        *paper.stacked(paper.rating_cells()),
        subject=list(tables["model"]),
        condition=list(tables["task"]),
        n_draws=n_draws,
        n_warmup=n_warmup,
        seed=seed,
    )
    return {"groups": group_table(fit), "sound": sampling_quality(fit).sound}


def figures(result: Any) -> dict[str, Any]:
    """How many printed figures are found again."""
    return {
        "n_found": int(result.compared["matches"].sum()),
        "n_printed": FIGURES * len(result.compared),
        "n_short": int(result.evidence["too_short"].sum()) if len(result.evidence) else 0,
        "n_odd": len(result.evidence),
    }


def of_group(result: Any) -> dict[str, Any]:
    """The widest interval of the M-ratio that such models have in common on a task."""
    groups = result.groups
    return {
        "sampled": int(result.sound),
        "group_lower": float(groups["m_ratio_lower"].min()),
        "group_upper": float(groups["m_ratio_upper"].max()),
        "group_low": float(groups["m_ratio"].min()),
        "group_high": float(groups["m_ratio"].max()),
    }


VIEWS = (
    Views("posterior", numbers=figures),
    Views("posterior_group", numbers=of_group),
)
