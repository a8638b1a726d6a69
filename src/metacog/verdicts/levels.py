"""How often a verdict passes where it should not, from the simulations in ``data/simulations``."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import committed_table

#: File that an analysis which shows levels depends on.
FILE = "data/simulations/verdict_level.csv"
NOMINAL = 0.05


def verdict_levels(prefix: str) -> pd.DataFrame:
    """Simulated levels of the rules whose name begins with a prefix.

    Returns
    -------
    DataFrame
        ``rule, design, n, clustered, before, after, se`` and ``nominal``: whether ``after`` is at most two
        standard errors above 0.05.

    Raises
    ------
    MetacogError
        If the table is not there; says how it is made.
    """
    table = committed_table(FILE)
    rows = table[table["rule"].str.startswith(prefix)].reset_index(drop=True)
    return rows.assign(nominal=rows["after"] <= NOMINAL + 2 * rows["se"])
