"""The nine signals on the book's own trials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.studies.study import analysis
from metacog.studies.study3_dmc import signals as made

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Signals:
    """Every signal of every model: ``table`` (:func:`.signals.signal_table`), ``pooled`` (its rows of all
    sets), ``ranking``, ``failures`` and ``positions``."""

    table: pd.DataFrame
    pooled: pd.DataFrame
    ranking: pd.DataFrame
    failures: pd.DataFrame
    positions: pd.DataFrame
    ranking_said: str
    least_parsed: float
    ratings: int


@analysis(needs=("single", "repeated", "written", "position"), returns=Signals)
def signals(
    inputs: Inputs, *, n_resamples: int = 1_000, n_permutations: int = 500, seed: int = 42
) -> Signals:
    """Which signal of confidence tells right answers from wrong ones, and at what cost?"""
    trials = labelled(pd.concat(map(inputs.trials, ("single", "repeated", "written")), ignore_index=True))
    options = {"n_resamples": n_resamples, "seed": seed}
    table = made.signal_table(trials, n_permutations=n_permutations, **options)
    ranking = made.ranked(table)
    return Signals(
        table=table,
        pooled=table[table["dataset"] == made.ALL].reset_index(drop=True),
        ranking=ranking,
        failures=made.failures(trials),
        positions=made.positions(labelled(inputs.trials("position")), **options),
        ranking_said=made.ranking_said(ranking, table),
        least_parsed=made.MIN_PARSED,
        ratings=made.N_RATINGS,
    )
