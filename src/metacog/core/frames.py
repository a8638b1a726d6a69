"""Rows of a table for code that reads them one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def rows_of(frame: pd.DataFrame) -> list[Any]:
    """Rows as named tuples whose fields a type checker leaves alone."""
    return list(frame.itertuples(index=False))
