"""The study's four questions on the book's own trials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labelled
from metacog.measures.cell import MIN_FOR_INTERVALS, MIN_TRIALS
from metacog.measures.estimates import ECE_BINS
from metacog.studies.study import analysis
from metacog.studies.study3_dmc import own_abstain, own_contrasts, own_variation
from metacog.studies.study3_dmc.own import Resamples
from metacog.studies.study3_dmc.own_cells import Own, cell_table, cells_said, ranges_said
from metacog.studies.study3_dmc.signals import ALL, N_RATINGS

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Two fits a resample in every cell: more would take minutes.
MOST_RESAMPLES = 2_000
#: The three ways of which the paper shows all models: its table 3 and its figure's grid.
GRID = ("verbal_vanilla", "verbal_topk", "consistency_self_random")


@dataclass(frozen=True)
class Asked:
    """Four questions and their answers.

    ``cells`` has a row a model, way and set, ``grid`` those of the paper's three ways. ``variations`` is RQ1,
    ``ways``, ``ways_summary`` and ``ways_apart`` RQ2, ``models`` RQ3, ``abstained`` and ``relations`` RQ4.
    The sentences say what these show.
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
    cells_said: str
    ranges_said: str
    variation_said: str
    questions_said: str
    ways_said: str
    models_said: str
    abstain_said: str
    relation_said: str
    ratings: int
    ece_bins: int
    resamples: int
    sets: int
    least_trials: int
    least_of_a_kind: int


@analysis(needs=("single", "repeated", "written"), returns=Asked)
def own(inputs: Inputs, *, n_resamples: int = 1_000, seed: int = 42) -> Asked:
    """What do the study's four questions get for answers from the models here?"""
    trials = labelled(pd.concat(map(inputs.trials, ("single", "repeated", "written")), ignore_index=True))
    made = Own(trials, Resamples(drawn := min(n_resamples, MOST_RESAMPLES), seed))
    cells = cell_table(made)
    variations = own_variation.variation_table(made)
    ways, models = own_contrasts.way_contrasts(made), own_contrasts.model_contrasts(made)
    decided = own_abstain.abstained(made, seed=seed)
    return Asked(
        cells=cells,
        grid=cells[cells["method"].isin(GRID) & cells["form"].isin(("scored", "sampled"))].reset_index(
            drop=True
        ),
        variations=variations,
        ways_summary=own_contrasts.summary(ways),
        ways=ways,
        ways_apart=own_contrasts.apart(ways),
        models=models,
        abstained=decided.table,
        relations=decided.relations,
        cells_said=cells_said(cells),
        ranges_said=ranges_said(cells),
        variation_said=own_variation.variation_said(variations),
        questions_said=own_variation.questions_said(variations),
        ways_said=own_contrasts.ways_said(ways),
        models_said=own_contrasts.models_said(models),
        abstain_said=own_abstain.abstain_said(decided.table),
        relation_said=own_abstain.relation_said(decided.relations),
        ratings=N_RATINGS,
        ece_bins=ECE_BINS,
        resamples=drawn,
        least_trials=MIN_TRIALS,
        least_of_a_kind=MIN_FOR_INTERVALS,
        sets=int((cells["dataset"].drop_duplicates() != ALL).sum()),
    )
