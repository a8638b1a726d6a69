"""Tables of right and wrong answers by rating, for readers to load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from metacog.collect.models import labels_of
from metacog.measures.fits import PAD
from metacog.studies.contributions import RatingTables, rating_table, rating_tables
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import PUBLISHED_FILES, Cells, cell_name, open_trials, rate_trials
from metacog.studies.study1_qa.ledger import thinking
from metacog.studies.study1_qa.paper import MAIN, MODELS, counts

# Tables of right and wrong answers by rating: of the published models and of a run's.


@analysis(returns=RatingTables, files=PUBLISHED_FILES)
def published_tables(inputs: Inputs) -> RatingTables:
    """Which published tables of right and wrong answers by rating can be loaded?"""
    modes = (
        rating_table(
            f"{paper.THINKING_MODELS[model]}, {paper.MODES[mode]}",
            table.wrong,
            table.right,
            decision=False,
            pad=thinking.PADDING,
        )
        for (model, mode), table in thinking.counts().items()
    )
    cells = of_cells(paper.published_cells(), paper.MODELS, paper.DATASETS)
    return rating_tables([*cells, *modes])


@analysis(needs=("open",), returns=RatingTables)
def run_tables(inputs: Inputs) -> RatingTables:
    """Which tables of this run's right and wrong answers by rating can be loaded?"""
    cells = rate_trials(open_trials(inputs)).cells()
    return rating_tables(of_cells(cells.select(cells.measurable), labels_of(cells.frame["model"])))


def of_cells(
    cells: Cells, models: Mapping[str, str], datasets: Mapping[str, str] | None = None
) -> Iterator[pd.DataFrame]:
    n_datasets = cells.frame["dataset"].nunique()
    keys = cells.frame[["model", "dataset"]].itertuples(index=False, name=None)
    for (model, dataset), s1, s2 in zip(keys, cells.nR_S1, cells.nR_S2, strict=True):
        name = cell_name(models[model], (datasets or {}).get(dataset, dataset), n_datasets)
        yield rating_table(name, s1, s2, decision=False, pad=PAD)


# The published tables on which the measures are introduced.

#: What each published model's table is used for.
USES = {"llama3_instruct": "worked", "mistral_instruct": "compared", "gemma2_instruct": "compared"}


@analysis(files=PUBLISHED_FILES)
def worked_tables(inputs: Inputs) -> dict[str, Any]:
    """Which published tables are the measures introduced on?"""
    tables = [
        pd.DataFrame(
            {
                "use": use,
                "model": MODELS[model],
                "rating": range(1, 9),
                "right": counts()[model, MAIN].nR_S2,
                "wrong": counts()[model, MAIN].nR_S1,
            }
        )
        for model, use in USES.items()
    ]
    return {"counts": pd.concat(tables, ignore_index=True)}
