"""How often a verdict passes where it should not, and where it should, from ``data/simulations``."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from metacog.core.frames import committed_table
from metacog.core.paths import committed

#: File that an analysis which shows levels depends on.
FILE = "data/simulations/verdict_level.csv"
#: Level and power of the rules that readers meet first.
FRONT = "data/simulations/verdict_front.csv"
#: How often the rule behind the sentence that opens a page is wrong, by ``benchmarks/openings.py``.
OPENINGS = "data/simulations/openings.csv"
NOMINAL = 0.05


def verdict_levels(prefix: str | tuple[str, ...]) -> pd.DataFrame:
    """Simulated levels of the rules whose name begins with a prefix, or with one of several.

    ``rule, design, n, clustered, before, after, se`` and ``nominal``: whether ``after`` is at most two standard errors
    above 0.05.
    """
    table = committed_table(FILE)
    rows = table[table["rule"].str.startswith(prefix)].reset_index(drop=True)
    return rows.assign(nominal=rows["after"] <= NOMINAL + 2 * rows["se"])


def power(analyses: Sequence[str]) -> pd.DataFrame:
    """How often the rules of some analyses are supported in simulated runs in which they are wrong, and right.

    ``hypothesis, rule, size, wrong_runs, wrong_supported, right_runs, right_supported, right_refuted``: of what a run
    is made, and shares that are NaN where no world has the rule wrong, or right.
    """
    table = committed_table(FRONT)
    return table[table["analysis"].isin(analyses)].sort_values("hypothesis", ignore_index=True, kind="stable")


def errs(study: str, analysis: str, sentence: str) -> str:
    """How often the rule behind an opening sentence is wrong in simulated data made to deceive it.

    Empty where the sentence rests on no such rule: it counts what is there, or recomputes what was printed; and in a
    project of other studies, which has no such table.
    """
    if not committed(OPENINGS).is_file():
        return ""
    table = committed_table(OPENINGS, keep_default_na=False)
    own = table[(table[["study", "analysis", "sentence"]] == [study, analysis, sentence]).all(axis=1)]
    own = own[own["backed"] == "simulated"]
    return " ".join(
        f"Would this be said by mistake? Of {int(row['runs']):,} {row['world']}: {int(row['wrong']):,} times."
        for row in own.to_dict("records")
    )
