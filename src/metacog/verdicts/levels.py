"""How often a verdict passes where it should not, and where it should, from ``data/simulations``."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import committed_table, rows_of
from metacog.core.paths import committed

#: File that an analysis which shows levels depends on.
FILE = "data/simulations/verdict_level.csv"
#: In how many simulated runs the sounder rules find an effect of a stated size.
POWER = "data/simulations/verdict_power.csv"
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


def power(*hypotheses: str) -> pd.DataFrame:
    """In how many of some ``runs`` a hypothesis's sounder rule says yes (``found``) and no (``refuted``).

    ``hypothesis, whose, effect, size, n_models, n_questions, runs, found, refuted``: ``whose`` says like whose runs.
    """
    table = committed_table(POWER)
    return table[table["hypothesis"].isin(hypotheses)].reset_index(drop=True)


def power_numbers(table: pd.DataFrame) -> dict[str, Any]:
    """Numbers of sentences on :func:`power`: of the first effect of ``h1`` in runs like ours, ``h1_ours_found1``."""
    found: dict[str, Any] = {}
    for (hypothesis, whose), rows in table.groupby(["hypothesis", "whose"], sort=False):
        for place, row in enumerate(rows_of(rows), 1):
            found |= {
                f"{hypothesis}_runs": row.runs,
                f"{whose}_models": row.n_models,
                f"{whose}_questions": row.n_questions,
                f"{hypothesis}_size{place}": row.size,
                f"{hypothesis}_{whose}_found{place}": row.found,
                f"{hypothesis}_{whose}_refuted{place}": row.refuted,
            }
    return found


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
        f"Could the rule be fooled? It was by {int(row['wrong']):,} of {int(row['runs']):,} made-up {row['world']}."
        + (f" Of {int(row['of']):,} {row['so']} it found {int(row['seen']):,}." if row["so"] else "")
        for row in own.to_dict("records")
    )
