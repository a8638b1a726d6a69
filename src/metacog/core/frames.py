"""Rows of a table for code that reads them one by one, and tables from rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def rows_of(frame: pd.DataFrame) -> list[Any]:
    """Rows as named tuples whose fields a type checker leaves alone."""
    return list(frame.itertuples(index=False))


def typed_rows(rows: Sequence[Mapping[str, Any]], types: Mapping[str, Any]) -> pd.DataFrame:
    """Rows as a table that has its columns, and their types, where there is no row as well.

    Parameters
    ----------
    rows : sequence of mappings
    types : mapping
        Type of each column, by name.
    """
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(types)).astype(dict(types))
