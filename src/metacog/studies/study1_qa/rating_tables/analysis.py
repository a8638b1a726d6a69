"""Tables of right and wrong answers by rating: of the published models and of a run's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import labels_of
from metacog.measures.fits import PAD
from metacog.studies.contributions import RatingTables, rating_table, rating_tables
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.counts import Cells, cell_name, rate_trials
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.ledger import published, thinking

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@analysis(returns=RatingTables, files=PUBLISHED)
def published_tables(inputs: Inputs) -> RatingTables:
    """Which published tables of right and wrong answers by rating can be loaded?"""
    modes = (
        rating_table(
            f"{published.THINKING_MODELS[model]}, {published.MODES[mode]}",
            table.wrong,
            table.right,
            decision=False,
            pad=thinking.PADDING,
        )
        for (model, mode), table in thinking.counts().items()
    )
    cells = of_cells(published.published_cells(), published.MODELS, published.DATASETS)
    return rating_tables([*cells, *modes])


@analysis(needs=("open",), returns=RatingTables)
def run_tables(inputs: Inputs) -> RatingTables:
    """Which tables of this run's right and wrong answers by rating can be loaded?"""
    cells = rate_trials(open_trials(inputs)).cells()
    return rating_tables(of_cells(cells.select(cells.measurable), labels_of(cells.frame["model"])))


def of_cells(
    cells: Cells, models: Mapping[str, str], datasets: Mapping[str, str] | None = None
) -> Iterator[pd.DataFrame]:
    """The rows of each cell, with the names that readers know."""
    n_datasets = cells.frame["dataset"].nunique()
    keys = cells.frame[["model", "dataset"]].itertuples(index=False, name=None)
    for (model, dataset), s1, s2 in zip(keys, cells.nR_S1, cells.nR_S2, strict=True):
        name = cell_name(models[model], (datasets or {}).get(dataset, dataset), n_datasets)
        yield rating_table(name, s1, s2, decision=False, pad=PAD)
