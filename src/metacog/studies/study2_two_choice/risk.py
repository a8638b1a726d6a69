"""What does a warning do to the criterion? The published decision-only experiments, from their counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import cells as cells_page
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.cells import mirror, moved, risk_cells
from metacog.studies.study2_two_choice.ledger.claims import with_names
from metacog.studies.study2_two_choice.ledger.entries import judged_s2

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Risk:
    """The 27 cells of table S2 and the 54 differences between them.

    ``cells`` has our figures and the published ones, ``off`` its rows that are not reproduced, ``pairs`` the
    differences of c and of d' over risk (:class:`.comparisons.Contrast`), ``mirror`` compares c with c',
    ``moved`` has the share of answers "S2". ``c_reproduced`` and
    ``half_reproduced`` count the figures that the ledger calls reproduced, ``c_reproduced_padded`` the
    criteria that would be after half a trial was added to every count.
    """

    cells: pd.DataFrame
    off: pd.DataFrame
    pairs: pd.DataFrame
    mirror: pd.DataFrame
    moved: pd.DataFrame
    n_cells: int
    c_reproduced: int
    half_reproduced: int
    c_reproduced_padded: int
    wide_z: float
    trials: int


@analysis(returns=Risk, files=paper.FILES)
def risk(inputs: Inputs) -> Risk:
    """What does a warning do to the criterion?"""
    cells, padded = judged_s2(risk_cells()), judged_s2(risk_cells("loglinear"))
    return Risk(
        cells=with_names(cells),
        off=with_names(cells[~(cells["c_reproduced"] & cells["half_reproduced"])]),
        pairs=with_names(cells_page.risk_contrasts(cells)),
        mirror=mirror(cells),
        moved=moved(cells),
        n_cells=len(cells),
        c_reproduced=int(cells["c_reproduced"].sum()),
        half_reproduced=int(cells["half_reproduced"].sum()),
        c_reproduced_padded=int(padded["c_reproduced"].sum()),
        wide_z=cells_page.wide_z(),
        trials=int(cells["n"].sum()),
    )
