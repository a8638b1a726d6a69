"""Names of study 4's tables in the ledger, and why some of its rows could not have failed."""

from __future__ import annotations

from metacog.ledger.entry import Role, Status

STUDY = "study 4"

ITEMS = Role(Status.INPUT, "Flash's items in table 5", "what its T4-CR figures are computed from")
SOLVED_FROM = Role(
    Status.INPUT, "correlations of tasks with benchmarks", "the benchmarks' rankings were solved from them"
)
FROM_ROWS = Role(Status.REPEAT, "gaps, ends and differences of printed figures", "a difference of two rows")


def table_name(table: str) -> str:
    """``study 4, table 1``, or the name of a section or of an unnumbered table."""
    titles = {"A.5": "section A.5: thresholds", "external validity": "external validity", "text": "text"}
    return f"{STUDY}, {titles.get(table, f'table {table}')}"
