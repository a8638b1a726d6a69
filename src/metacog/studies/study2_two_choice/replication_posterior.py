"""The paper's Bayesian model of the decisions with confidence of the models of the run."""

from __future__ import annotations

from typing import Any

from metacog.core.frames import typed_rows
from metacog.core.words import listed, plural
from metacog.measures.posterior import posterior_table, without_tables
from metacog.report.views import Views
from metacog.sdt.bayes import fit_bayes
from metacog.sdt.decisions import Practical
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.paper import stacked
from metacog.studies.study2_two_choice.replication_ratings import rating_cells, with_labels


@analysis(needs=("confidence",))
def replication_posterior(
    inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42
) -> dict[str, Any]:
    """What does the paper's Bayesian model say of the models of this run?"""
    tables = rating_cells(inputs.trials("confidence"))
    named = [{"task": t.task, "model": t.model} for t in tables]
    labels = with_labels(typed_rows(named, {"task": "str", "model": "str"}))
    if not tables:
        return {"cells": without_tables(labels)}
    fit = fit_bayes(*stacked(tables), n_draws=n_draws, n_warmup=n_warmup, seed=seed)
    return {"cells": posterior_table(fit, labels)}


def ratios(result: Any) -> str:
    if result.cells.empty:
        return ""
    judged = result.cells[result.cells["judged"].astype(bool)]
    less = judged[judged["decision"].eq(Practical.SIGNIFICANT) & judged["m_ratio_upper"].lt(1)]
    zero = less[less["m_ratio_lower"] <= 0]
    of = plural(len(result.cells), "cell")
    said = f"The M-ratio can be judged in {len(judged)} of {of}, and is practically less than one in {len(less)}."
    if zero.empty:
        return said
    named = listed(
        f"{model} on {'task' if len(own) == 1 else 'tasks'} {listed(own['task'])}"
        for model, own in zero.groupby("name", sort=False)
    )
    return (
        f"{said} In {len(zero)} of these, decisions beat chance, and confidence is not shown to use anything of what "
        f"decides: {named}."
    )


VIEWS = (Views("replication_posterior", sentences={"ratios": ratios}),)
