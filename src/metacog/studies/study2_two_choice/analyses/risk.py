"""The published decision-only experiments under three risk configurations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import claims, comparisons
from metacog.studies.study2_two_choice import risk as cells_of
from metacog.studies.study2_two_choice.analyses.common import PUBLISHED

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Risk:
    """The 27 cells of table S2 and the 54 differences between them.

    ``cells`` has ours beside the printed figures, ``off`` the rows of it that do not come out, ``pairs`` the
    differences of c and of d' over risk (:class:`.comparisons.Contrast`), ``mirror`` c beside c', ``moved``
    the share of answers "S2". The sentences say what these show.
    """

    cells: pd.DataFrame
    off: pd.DataFrame
    pairs: pd.DataFrame
    mirror: pd.DataFrame
    moved: pd.DataFrame
    n_cells: int
    c_near: int
    half_near: int
    slip_said: str
    rounding_said: str
    padding_said: str
    mirror_said: str
    wide_z: float
    trials: int


@analysis(returns=Risk, files=PUBLISHED)
def risk(inputs: Inputs) -> Risk:
    """What does a warning do to the criterion?"""
    cells = cells_of.beside_printed(cells_of.risk_cells())
    mirror = cells_of.mirror(cells)
    pairs = comparisons.risk_contrasts(cells)
    return Risk(
        cells=claims.with_names(cells),
        off=claims.with_names(cells[~(cells["c_near"] & cells["half_near"])]),
        pairs=claims.with_names(pairs),
        mirror=mirror,
        moved=cells_of.moved(cells),
        n_cells=len(cells),
        c_near=int(cells["c_near"].sum()),
        half_near=int(cells["half_near"].sum()),
        slip_said=cells_of.slips(cells),
        rounding_said=cells_of.truncated(cells),
        padding_said=cells_of.padding_said(cells),
        mirror_said=cells_of.mirror_said(mirror, cells),
        wide_z=comparisons.wide_z(),
        trials=int(cells["n"].sum()),
    )
