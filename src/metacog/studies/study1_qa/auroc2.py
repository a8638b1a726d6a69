"""Do two measures rank the models alike?"""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.report.views import Views
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import GROUP, PUBLISHED_FILES, Cells, estimate
from metacog.studies.study1_qa.paper import NAMES, published_cells


@analysis(files=PUBLISHED_FILES)
def auroc2(inputs: Inputs) -> dict[str, Any]:
    """Do two measures rank the models alike?"""
    return {"published_ranks": of_ratings(published_cells())}


def of_ratings(cells: Cells) -> pd.DataFrame:
    return estimate(cells)[[*GROUP, "m_ratio"]].assign(auroc2=auroc2_from_counts(cells.nR_S1, cells.nR_S2))


VIEWS = Views("auroc2", names=NAMES)
