"""How often intervals of AUROC2 hold the truth at the atlas's sizes, from a committed simulation."""

from __future__ import annotations

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.measures.coverage import SOUND

#: Made by ``benchmarks/cell_coverage.py``: cells with confidence that never ties, and that ties as the atlas's does.
SIMULATED = "data/simulations/cell_coverage.csv"
#: Kinds of simulated confidence, as the file calls them.
CONTINUOUS, TIED = "continuous", "tied"


def cell_coverage() -> pd.DataFrame:
    """By kind of confidence and size of the cell, over the populations that cells were drawn from.

    Returns
    -------
    DataFrame
        ``confidence, n, n_wrong, cells`` (simulated of each population), ``populations, lowest, median, highest``
        (coverage of the 95 % interval), ``outside`` (populations whose coverage is not within
        :data:`metacog.measures.coverage.SOUND`), ``cannot_tell`` (largest share of cells without an interval).

    Raises
    ------
    MetacogError
        If the committed table is missing.
    """
    path = project_root() / SIMULATED
    if not path.is_file():
        raise MetacogError(f"{SIMULATED} is missing: restore it from the repository")
    table = pd.read_csv(path)
    table["outside"] = ~table["coverage"].between(*SOUND)
    return (
        table.groupby(["confidence", "n", "n_wrong"])
        .agg(
            cells=("n_simulations", "min"),
            populations=("population", "size"),
            lowest=("coverage", "min"),
            median=("coverage", "median"),
            highest=("coverage", "max"),
            outside=("outside", "sum"),
            cannot_tell=("cannot_tell", "max"),
        )
        .reset_index()
    )
