"""DMC and maximum likelihood on the same simulated counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study3_dmc import estimators as parts
from metacog.studies.study3_dmc import published

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Estimators:
    """Two estimators of one ratio.

    ``counts``, ``accuracy`` and ``fits`` are of one worked table, ``designs`` holds the stored simulation,
    a row a design and estimator. The sentences say what these show.
    """

    counts: pd.DataFrame
    accuracy: pd.DataFrame
    fits: pd.DataFrame
    designs: pd.DataFrame
    moved_said: str
    trials_said: str
    padding_said: str
    usage_said: str
    criterion_said: str
    released_said: str
    needed_said: str
    trials: int
    wrong: int
    d_prime: float
    ratio: float
    simulations: int


@analysis(returns=Estimators, files=("data/simulations/dmc_estimators.csv", "data/published/dmc_table1.csv"))
def estimators(
    inputs: Inputs, *, n_trials: int = 400, d_prime: float = 1.5, m_ratio: float = 0.7, seed: int = 42
) -> Estimators:
    """Where do DMC and maximum likelihood part?"""
    one = parts.worked(n_trials, d_prime, m_ratio, seed)
    table = parts.load()
    return Estimators(
        counts=one.counts,
        accuracy=one.accuracy,
        fits=one.fits,
        designs=table,
        moved_said=one.moved_said,
        trials_said=parts.trials_said(table),
        padding_said=parts.padding_said(table),
        usage_said=parts.usage_said(table),
        criterion_said=parts.criterion_said(table),
        released_said=parts.released_said(table),
        needed_said=parts.needed_said(table, published.as_numbers("table1")),
        trials=n_trials,
        wrong=one.n_wrong,
        d_prime=d_prime,
        ratio=m_ratio,
        simulations=int(table["runs"].max()),
    )
