"""Names of study 4's tables in the ledger, why some of its rows could not have failed, and how its rows are made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

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


def beside(
    table: str,
    printed: pd.DataFrame,
    value: pd.DataFrame | None = None,
    *,
    by_column: bool = False,
    **about: Any,
) -> pd.DataFrame:
    """Rows of a printed table (text, items x quantities) beside what is recomputed of it; cells without text are none.

    What else is said of a row is given for all alike, by quantity (a mapping), or by item and quantity.
    """
    text = printed.rename_axis(index="item", columns="quantity")
    texts = text.T.stack().swaplevel() if by_column else text.stack()
    rows = pd.DataFrame({"published": texts})
    for name, given in {"value": value, **about}.items():
        if isinstance(given, pd.DataFrame):
            rows[name] = given.rename_axis(index="item", columns="quantity").stack().reindex(rows.index)
        elif isinstance(given, Mapping):
            rows[name] = [given.get(quantity) for _, quantity in rows.index]
        elif given is not None:
            rows[name] = [given] * len(rows)
    rows = rows[rows["published"] != ""].assign(table=table_name(table), kind=Kind.PRINTED)
    return rows.reset_index()
