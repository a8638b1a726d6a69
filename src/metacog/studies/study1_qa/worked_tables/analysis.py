"""The published tables on which the measures are introduced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.contributions import WorkedTables
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import PUBLISHED
from metacog.studies.study1_qa.ledger.published import MAIN, MODELS, counts

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: What each published model's table is used for.
USES = {"llama3_instruct": "worked", "mistral_instruct": "compared", "gemma2_instruct": "compared"}


@analysis(returns=WorkedTables, files=PUBLISHED)
def worked_tables(inputs: Inputs) -> WorkedTables:
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
    return WorkedTables(pd.concat(tables, ignore_index=True))
