"""Do two measures rank the models alike?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.report.views import Views
from metacog.sdt.information import meta_i2r
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import (
    GROUP,
    PUBLISHED_FILES,
    Cells,
    estimate,
    place,
)
from metacog.studies.study1_qa.paper import NAMES, published_cells

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@analysis(files=PUBLISHED_FILES)
def auroc2(inputs: Inputs) -> dict[str, Any]:
    """Do two measures rank the models alike?"""
    return {"published_ranks": ranks_from_cells(published_cells())}


def ranks_from_cells(cells: Cells, raw: pd.Series | None = None) -> pd.DataFrame:
    """AUROC2, M-ratio and meta-I2r from counts at T = 1, with ranks (``*_rank``, 1 is best).

    AUROC2 is that of ``raw`` NLP, on the index of ``cells.frame``, or of the ratings without it.
    """
    table = estimate(cells)[[*GROUP, "accuracy", "m_ratio", "flag"]].copy()
    table["auroc2_ratings"] = auroc2_from_counts(cells.nR_S1, cells.nR_S2)
    table["auroc2"] = table["auroc2_ratings"] if raw is None else raw.to_numpy(dtype=np.float64)
    table["meta_i2r"] = meta_i2r(cells.nR_S1, cells.nR_S2)
    for name in ("auroc2", "m_ratio", "meta_i2r"):
        table[f"{name}_rank"] = place(table[name], table["dataset"])
    return table


VIEWS = Views("auroc2", names=NAMES)
