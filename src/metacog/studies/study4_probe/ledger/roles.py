"""Names of study 4's tables in the ledger, and why some of its rows could not have failed."""

from __future__ import annotations

from functools import partial

from metacog.ledger.entry import Kind, Role, Status, Value

STUDY = "study 4"

ITEMS = Role(Status.INPUT, "Flash's items in table 5", "what its T4-CR figures are computed from")
SOLVED_FROM = Role(
    Status.INPUT, "correlations of tasks with benchmarks", "the benchmarks' rankings were solved from them"
)
FROM_ROWS = Role(Status.REPEAT, "gaps, ends and differences of printed figures", "a difference of two rows")
FROM_END = Role(
    Status.INPUT, "lower ends of the intervals of H1 and H2", "the number of people was found from it"
)
TWICE = Role(Status.REPEAT, "figures that are printed in two places", "the same figure in another place")

#: A recomputed figure of this ledger: no answers were published, so that only printed figures go in.
figure = partial(Value, kind=Kind.PRINTED)


def table_name(table: str) -> str:
    """``study 4, table 1``, or the name of a section or of an unnumbered table."""
    titles = {"A.5": "section A.5: thresholds", "text": "text"}
    return f"{STUDY}, {titles.get(table, f'table {table}')}"
