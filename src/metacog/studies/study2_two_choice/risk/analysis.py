"""What does a warning do to the criterion? The published decision-only experiments, from their counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study2_two_choice.cells import comparisons
from metacog.studies.study2_two_choice.ledger import published
from metacog.studies.study2_two_choice.ledger.claims import with_names
from metacog.studies.study2_two_choice.risk.cells import mirror, moved, risk_cells, with_published

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Risk:
    """The 27 cells of table S2 and the 54 differences between them.

    ``cells`` has our figures and the published ones, ``off`` its rows that are not reproduced, ``pairs`` the
    differences of c and of d' over risk (:class:`.comparisons.Contrast`), ``mirror`` compares c with c',
    ``moved`` has the share of answers "S2". ``c_near`` and ``half_near`` count the figures that are
    reproduced, ``c_near_padded`` the criteria that would be after half a trial was added to every count.
    """

    cells: pd.DataFrame
    off: pd.DataFrame
    pairs: pd.DataFrame
    mirror: pd.DataFrame
    moved: pd.DataFrame
    n_cells: int
    c_near: int
    half_near: int
    c_near_padded: int
    wide_z: float
    trials: int


@analysis(returns=Risk, files=published.FILES)
def risk(inputs: Inputs) -> Risk:
    """What does a warning do to the criterion?"""
    cells = with_published(risk_cells())
    padded = with_published(risk_cells("loglinear"))
    return Risk(
        cells=with_names(cells),
        off=with_names(cells[~(cells["c_near"] & cells["half_near"])]),
        pairs=with_names(comparisons.risk_contrasts(cells)),
        mirror=mirror(cells),
        moved=moved(cells),
        n_cells=len(cells),
        c_near=int(cells["c_near"].sum()),
        half_near=int(cells["half_near"].sum()),
        c_near_padded=int(padded["c_near"].sum()),
        wide_z=comparisons.wide_z(),
        trials=int(cells["n"].sum()),
    )
