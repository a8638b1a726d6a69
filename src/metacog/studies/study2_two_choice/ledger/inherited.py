"""Which rows that differ go back to one printed figure: what the text says by table S1 as printed.

A verdict or a size that follows from a printed d' which its counts do not give is no failure of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.cells import Z, m_ratio_contrasts, model_contrasts
from metacog.studies.study2_two_choice.ledger import claims
from metacog.studies.study2_two_choice.paper import MODELS

#: Draws for which a printed mean and interval of M-ratio stand.
DRAWS = 20_000
Cell = tuple[str, str]
#: What is said of a figure or a claim that goes back to the print.
NOTES = {
    "d_prime": "the counts give {counted:.4f}",
    "m_ratio": "rests on the printed d' of {printed:.4f}, where the counts give {counted:.4f}",
    "claim": "follows from table S1 as printed",
    "whose": ", whose d' of {named} the counts do not give",
}


def cells_of(row: Any) -> tuple[Cell, Cell]:
    """The two cells that a claim compares; for the comparison to the optimum the second is none of them."""
    if row.kind == "tasks":
        return (row.first, row.model), (row.second, row.model)
    if row.kind == "models":
        return (row.task, row.first), (row.task, row.second)
    return (row.task, row.model), ("", "")


@cache
def off_print() -> Mapping[Cell, tuple[float, float]]:
    """d' as printed and of the counts, for the cells in which the printed interval does not hold that of the counts."""
    own = {(cell.task, cell.model): type1(cell.nR_S1, cell.nR_S2).d_prime for cell in paper.rating_cells()}
    printed = {(row.task, row.model): row for row in rows_of(_printed("d_prime"))}
    off = [cell for cell, row in printed.items() if not row.lower <= own[cell] <= row.upper]
    return {cell: (float(printed[cell].estimate), own[cell]) for cell in off}


def of_cell(cell: Cell, measure: str, column: str) -> str:
    """What is to be said of a figure of table S1 whose cell has such a d'; empty for any other."""
    if cell not in off_print() or not (measure == "m_ratio" or (measure, column) == ("d_prime", "estimate")):
        return ""
    printed, counted = off_print()[cell]
    return NOTES[measure].format(printed=printed, counted=counted)


@cache
def by_print() -> pd.DataFrame:
    """:func:`.claims.with_claims` from the means and intervals that table S1 prints, and the ``origin`` of each."""
    decisions = _printed("d_prime").rename(columns={"estimate": "d_prime", "sd": "d_prime_se"})
    rng = np.random.default_rng(1)
    ratios = rows_of(_printed("m_ratio"))
    draws = {(r.task, r.model): r.estimate + r.sd * rng.standard_normal(DRAWS) for r in ratios}
    means = {(r.task, r.model): float(r.estimate) for r in ratios}
    found = [claims.with_claims(one) for one in (model_contrasts(decisions), m_ratio_contrasts(draws, means))]
    table, off, origin = pd.concat(found, ignore_index=True), off_print(), []
    for row in rows_of(table):
        cells = [cell for cell in cells_of(row) if cell in off]
        named = " and ".join(
            f"{MODELS[model]} on task {task} ({off[task, model][0]:.4f})" for task, model in cells
        )
        origin.append(NOTES["claim"] + (NOTES["whose"].format(named=named) if named else ""))
    return table.assign(origin=origin)


def _printed(measure: str) -> pd.DataFrame:
    """Rows of table S1 for one measure, with the standard deviation that the printed interval stands for."""
    frame = paper.as_numbers("tableS1")
    own = frame[frame["measure"] == measure]
    return own.assign(sd=(own["upper"] - own["lower"]) / (2 * Z))
