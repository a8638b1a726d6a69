"""Rows that stand twice in a table of trials: which, and of which model.

A row that repeats another wholly is a copy. A row with the same key and other contents may be a further sample, a
second run, or two models under one name; a table does not tell which.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

#: Models named in a count at most.
_NAMED = 3


def copies(table: pd.DataFrame, *, apart_from: Sequence[str] = ()) -> pd.Series:
    """Which rows repeat an earlier row wholly, compared as text.

    Parameters
    ----------
    table : DataFrame
        One row per trial.
    apart_from : sequence of str
        Columns that may differ, such as the file a row was read from.

    Returns
    -------
    Series of bool, indexed as ``table``
    """
    return table.drop(columns=list(apart_from)).astype("string").duplicated()


def repeated(table: pd.DataFrame, key: Sequence[str]) -> pd.Series:
    """Which rows have the key of an earlier row, compared as text, whatever else they hold.

    Returns
    -------
    Series of bool, indexed as ``table``
    """
    return table[list(key)].astype("string").duplicated()


def counted_by(rows: pd.DataFrame, column: str | None) -> str:
    """``1,000 of alpha, 3 of beta``: rows by the entries of a column, the most frequent first.

    Without a column, their number alone.
    """
    if column is None:
        return f"{len(rows):,} rows"
    counts = rows[column].astype(str).value_counts()
    shown = ", ".join(f"{n:,} of {name}" for name, n in counts.head(_NAMED).items())
    rest = len(counts) - _NAMED
    return shown + (f", and {int(counts.iloc[_NAMED:].sum()):,} of {rest} more models" if rest > 0 else "")
