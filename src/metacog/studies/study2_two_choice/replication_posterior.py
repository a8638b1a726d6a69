"""The paper's Bayesian model of the decisions with confidence of the models of the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import typed_rows
from metacog.measures.posterior import posterior_table, without_tables
from metacog.report.views import Views
from metacog.sdt.bayes import BayesFit, fit_bayes
from metacog.sdt.decisions import UNDECIDED, Practical
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.cells import CONTRAST_TYPES, d_prime_contrasts, m_ratio_contrasts
from metacog.studies.study2_two_choice.paper import stacked
from metacog.studies.study2_two_choice.replication_ratings import levels_of, rating_cells, with_labels


@analysis(needs=("confidence",))
def replication_posterior(
    inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42
) -> dict[str, Any]:
    """What does the paper's Bayesian model say of the models of this run?"""
    tables = rating_cells(inputs.trials("confidence"), levels_of(inputs))
    named = [{"task": t.task, "model": t.model} for t in tables]
    labels = with_labels(typed_rows(named, {"task": "str", "model": "str"}))
    if not tables:
        return {"cells": without_tables(labels), "pairs": named_pairs(typed_rows([], CONTRAST_TYPES), labels)}
    fit = fit_bayes(*stacked(tables), n_draws=n_draws, n_warmup=n_warmup, seed=seed)
    return {"cells": posterior_table(fit, labels), "pairs": named_pairs(contrasts(fit, labels), labels)}


def contrasts(fit: BayesFit, labels: pd.DataFrame) -> pd.DataFrame:
    """The paper's differences of log M-ratio and of d' between models and between tasks, each pair by itself.

    An M-ratio that cannot be judged has no draws, so that its pairs have no decision.
    """
    cells = list(zip(labels["task"], labels["model"], strict=True))
    ratios = np.where(fit.judged[:, None], fit.draws("m_ratio").reshape(len(cells), -1), np.nan)
    abilities = fit.draws("d_prime").reshape(len(cells), -1)
    means = dict(zip(cells, ratios.mean(axis=1).tolist(), strict=True))
    of_ratios = m_ratio_contrasts(dict(zip(cells, ratios, strict=True)), means)
    of_ratios = of_ratios[of_ratios["kind"] != "optimality"]  # stands with the cells
    return pd.concat(
        [of_ratios, d_prime_contrasts(dict(zip(cells, abilities, strict=True)))], ignore_index=True
    )


def named_pairs(pairs: pd.DataFrame, labels: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``within``, the task or model that both sides share, and ``pair``, the two, for readers."""
    names = dict(zip(labels["model"], labels["name"], strict=True))
    models = pairs["kind"] == "models"
    sides = [
        [names.get(side, f"task {side}") for side in pair]
        for pair in zip(pairs["first"], pairs["second"], strict=True)
    ]
    return pairs.assign(
        within=np.where(models, "task " + pairs["task"], pairs["model"].map(names).astype("str")),
        pair=[" and ".join(pair) for pair in sides],
    )


def figures(result: Any) -> dict[str, Any]:
    """Where the M-ratio can be judged, is less than one, and may be 0; and pairs that the paper's rule calls apart."""
    judged = result.cells[result.cells["judged"].astype(bool)]
    less = judged[judged["decision"].eq(Practical.SIGNIFICANT) & judged["m_ratio_upper"].lt(1)]
    found: dict[str, Any] = {
        "n_cells": len(result.cells) or float("nan"),
        "n_judged": len(judged),
        "n_less": len(less),
    }
    found["n_zero"] = int((less["m_ratio_lower"] <= 0).sum())
    for measure in ("m_ratio", "d_prime"):
        said = result.pairs.loc[result.pairs["measure"] == measure, "decision"]
        found[f"{measure}_of"] = int((said != UNDECIDED).sum()) or float("nan")
        found[f"{measure}_apart"] = int((said == Practical.SIGNIFICANT).sum())
    return found


VIEWS = (Views("replication_posterior", numbers=figures),)
