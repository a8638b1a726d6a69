"""How often intervals of AUROC2 hold the truth at the atlas's sizes, from a committed simulation."""

from __future__ import annotations

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.measures.coverage import SOUND

#: Made by ``benchmarks/cell_coverage.py``: cells with confidence that never ties, and the atlas's cells.
SIMULATED = "data/simulations/cell_coverage.csv"
#: Kinds of simulated confidence, as the file calls them.
CONTINUOUS, TIED = "continuous", "tied"
#: Wrong answers of cells of a domain that are counted together: at most these.
BANDS = (15, 30, 75)


def cells() -> pd.DataFrame:
    """Every simulated cell, with ``wrong`` (how many wrong answers, in words) and ``sound``.

    Raises
    ------
    MetacogError
        If the committed table is missing.
    """
    path = project_root() / SIMULATED
    if not path.is_file():
        raise MetacogError(f"{SIMULATED} is missing: restore it from the repository")
    table = pd.read_csv(path, keep_default_na=False)
    words = [_band(row.part, row.n_wrong) for row in rows_of(table)]
    return table.assign(wrong=words, sound=table["coverage"].between(*SOUND))


def _band(part: str, n_wrong: int) -> str:
    if part != "domain":
        return "any"
    low = MIN_FOR_INTERVALS
    for high in BANDS:
        if n_wrong <= high:
            return f"{low} to {high}"
        low = high + 1
    return f"{low} or more"
