"""Posteriors of the cells of this run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.measures.posterior import posterior_table, sampling_said
from metacog.sdt.bayes import fit_bayes
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import own
from metacog.studies.study2_two_choice.analyses.common import with_labels

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class OwnPosterior:
    """Posteriors of the decisions with confidence, a row a cell, all sampled as one batch."""

    cells: pd.DataFrame
    sampling_said: str
    judged_said: str
    draws: int


@analysis(needs=("confidence",), returns=OwnPosterior)
def own_posterior(
    inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42
) -> OwnPosterior:
    """What does the paper's Bayesian model say of the models of this run?"""
    tables = own.rating_cells(inputs.trials("confidence"))
    fit = fit_bayes(
        np.stack([t.nR_S1 for t in tables]),
        np.stack([t.nR_S2 for t in tables]),
        n_draws=n_draws,
        n_warmup=n_warmup,
        seed=seed,
    )
    labels = with_labels(pd.DataFrame([{"task": t.task, "model": t.model} for t in tables]))
    cells = posterior_table(fit, labels)
    return OwnPosterior(cells, sampling_said(fit), own.judged_said(cells), int(fit.posterior[0, ..., 0].size))
