"""Tables of two-choice decisions by rating: of the published models and of a run's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from metacog.collect.models import labels_of
from metacog.studies.contributions import RatingTables, rating_table, rating_tables
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice import paper, replication_ratings


@analysis(returns=RatingTables, files=paper.FILES)
def published_tables(inputs: Inputs) -> RatingTables:
    """Which published tables of decisions by rating can be loaded?"""
    return rating_tables(of_cells(paper.rating_cells(), paper.MODELS, pad=0.0))


@analysis(needs=("confidence",), returns=RatingTables)
def run_tables(inputs: Inputs) -> RatingTables:
    """Which tables of this run's decisions by rating can be loaded?"""
    trials, levels = inputs.trials("confidence"), replication_ratings.levels_of(inputs)
    return rating_tables(
        of_cells(
            replication_ratings.rating_cells(trials, levels),
            labels_of(trials["model"]),
            pad=replication_ratings.pad_of(levels),
        )
    )


def of_cells(
    cells: Iterable[paper.Ratings], models: Mapping[str, str], *, pad: float
) -> Iterator[pd.DataFrame]:
    """The rows of each cell, with the names that readers know."""
    for cell in cells:
        name = f"{models[cell.model]}, task {paper.TASKS[cell.task]}"
        yield rating_table(name, cell.nR_S1, cell.nR_S2, decision=True, pad=pad)
