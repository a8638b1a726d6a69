"""How often a verdict passes where it should not, and where it should, from ``data/simulations``."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from metacog.core.frames import committed_table

#: File that an analysis which shows levels depends on.
FILE = "data/simulations/verdict_level.csv"
#: Level and power of the rules that readers meet first.
FRONT = "data/simulations/verdict_front.csv"
NOMINAL = 0.05
#: Share of runs in which a rule is right and passes, below which it says little where it stays undecided.
FOUND = 0.5


def verdict_levels(prefix: str | tuple[str, ...]) -> pd.DataFrame:
    """Simulated levels of the rules whose name begins with a prefix, or with one of several.

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


def power(analyses: Sequence[str]) -> pd.DataFrame:
    """How often the rules of some analyses are supported in simulated runs in which they are wrong, and right.

    Returns
    -------
    DataFrame
        ``hypothesis, rule, size, wrong_runs, wrong_supported, right_runs, right_supported, right_refuted``: of what a
        run is made, and shares that are NaN where no world has the rule wrong, or right.

    Raises
    ------
    MetacogError
        If the table is not there; says how it is made.
    """
    table = committed_table(FRONT)
    return table[table["analysis"].isin(analyses)].sort_values("hypothesis", ignore_index=True, kind="stable")
