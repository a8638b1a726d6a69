"""The published decision-only experiments under three risk configurations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.ledger.entry import Status
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import claims, comparisons
from metacog.studies.study2_two_choice import risk as cells_of
from metacog.studies.study2_two_choice.analyses.common import PUBLISHED
from metacog.studies.study2_two_choice.ledger import with_status

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Risk:
    """The 27 cells of table S2 and the 54 differences between them.

    ``cells`` has ours beside the printed figures, ``off`` the rows of it that the ledger calls different,
    ``pairs`` the differences of c and of d' over risk (:class:`.comparisons.Contrast`), ``mirror`` c beside
    c', ``moved`` the share of answers "S2". The sentences say what these show.
    """

    cells: pd.DataFrame
    off: pd.DataFrame
    pairs: pd.DataFrame
    mirror: pd.DataFrame
    moved: pd.DataFrame
    n_cells: int
    c_matches: int
    half_matches: int
    slip_said: str
    rounding_said: str
    padding_said: str
    mirror_said: str
    wide_z: float
    trials: int


@analysis(returns=Risk, files=PUBLISHED)
def risk(inputs: Inputs) -> Risk:
    """What does a warning do to the criterion?"""
    cells, padded = (with_status(cells_of.risk_cells(way)) for way in ("none", "loglinear"))
    differs = cells[["c_status", "half_status"]] == Status.DIFFERS
    mirror = cells_of.mirror(cells)
    pairs = comparisons.risk_contrasts(cells)
    return Risk(
        cells=claims.with_names(cells),
        off=claims.with_names(cells[differs.any(axis=1)]),
        pairs=claims.with_names(pairs),
        mirror=mirror,
        moved=cells_of.moved(cells),
        n_cells=len(cells),
        c_matches=int((~differs["c_status"]).sum()),
        half_matches=int((~differs["half_status"]).sum()),
        slip_said=cells_of.slips(cells),
        rounding_said=cells_of.truncated(cells),
        padding_said=cells_of.padding_said(cells, padded),
        mirror_said=cells_of.mirror_said(mirror, cells),
        wide_z=comparisons.wide_z(),
        trials=int(cells["n"].sum()),
    )
