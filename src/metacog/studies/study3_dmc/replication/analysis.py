"""The study's four questions on the trials of this run's models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.measures.cell import MIN_FOR_INTERVALS, MIN_TRIALS
from metacog.measures.estimates import ECE_BINS
from metacog.studies.study import analysis
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.measures.cells import Draws
from metacog.studies.study3_dmc.measures.dmc import N_RATINGS
from metacog.studies.study3_dmc.replication.abstaining import abstained, relations
from metacog.studies.study3_dmc.replication.cells import Cells, cell_table
from metacog.studies.study3_dmc.replication.comparisons import (
    apart,
    model_contrasts,
    summary,
    way_contrasts,
)
from metacog.studies.study3_dmc.replication.questions import Tables, questions
from metacog.studies.study3_dmc.replication.variations import variation_table

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: The three ways of which the paper shows all models: its table 3 and its figure's grid. Here they are scored or
#: sampled, or parsed where an engine cannot score.
GRID = ("verbal_vanilla", "verbal_topk", "consistency_self_random")


@dataclass(frozen=True)
class Replication:
    """Four questions and their answers.

    ``cells`` has one row per model, way and set, ``grid`` those of the paper's three ways. ``variations`` is the first
    question, ``ways``, ``ways_summary`` and ``ways_apart`` the second, ``models`` the third, ``abstained`` and
    ``relations`` the fourth. ``questions`` has the answer to each by model.
    """

    cells: pd.DataFrame
    grid: pd.DataFrame
    variations: pd.DataFrame
    ways_summary: pd.DataFrame
    ways: pd.DataFrame
    ways_apart: pd.DataFrame
    models: pd.DataFrame
    abstained: pd.DataFrame
    relations: pd.DataFrame
    questions: pd.DataFrame
    ratings: int
    ece_bins: int
    resamples: int
    sets: int
    least_trials: int
    least_of_a_kind: int


@analysis(needs=("single", "repeated", "written"), returns=Replication)
def replication(
    inputs: Inputs, *, n_resamples: int = 2_000, n_permutations: int = 2_000, seed: int = 42
) -> Replication:
    """What do the study's four questions get for answers from the models here?"""
    trials = labelled(pd.concat(map(inputs.trials, ("single", "repeated", "written")), ignore_index=True))
    measured = Cells(trials, Draws(n_resamples, n_permutations, seed))
    cells = cell_table(measured)
    ways = way_contrasts(measured)
    decided = abstained(measured)
    in_grid = cells["method"].isin(GRID) & (cells["form"] != "written")
    varying, models = variation_table(measured), model_contrasts(measured)
    return Replication(
        cells=cells,
        grid=cells[in_grid].reset_index(drop=True),
        variations=varying,
        ways_summary=summary(ways),
        ways=ways,
        ways_apart=apart(ways),
        models=models,
        abstained=decided,
        relations=relations(measured, decided),
        questions=questions(Tables(cells, varying, ways, models, decided)),
        ratings=N_RATINGS,
        ece_bins=ECE_BINS,
        resamples=n_resamples,
        least_trials=MIN_TRIALS,
        least_of_a_kind=MIN_FOR_INTERVALS,
        sets=int((cells["dataset"].drop_duplicates() != ALL).sum()),
    )


ANALYSES = (replication,)
