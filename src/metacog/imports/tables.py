"""Reading a table of any origin: its form, its separators and its encoding."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

from metacog.core.errors import MetacogError
from metacog.core.files import bounded, cut
from metacog.imports.records import read_records

#: Cells of a parquet file that are read at most.
MOST_CELLS = 100_000_000

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet", ".jsonl", ".ndjson", ".json")


def read_table(path: Path, *, as_text: bool = False) -> pd.DataFrame:
    """Read a CSV, TSV, parquet or JSON-lines file (or a JSON list of records).

    Parameters
    ----------
    as_text : bool
        Leave the cells of a CSV or TSV as they are written; only an empty one is missing.

    Raises
    ------
    MetacogError
        If the file is missing, of another kind, unreadable or empty.
    """
    path = Path(path)
    if not path.is_file():
        raise MetacogError(f"there is no file at {path}")
    suffix = path.suffix.lower()
    try:
        if suffix == ".parquet":
            size = pq.read_metadata(path)  # a value that repeats takes no room in the file, and all in memory
            if size.num_rows * size.num_columns > MOST_CELLS:
                raise MetacogError(
                    f"{path} holds {size.num_rows:,} rows of {size.num_columns:,} columns, more than are read: "
                    "leave out columns that are not needed, or split it"
                )
            table = pd.read_parquet(path)
            for name, column in table.select_dtypes(object).items():  # some programs write text as bytes
                table[name] = [cell.decode() if isinstance(cell, bytes) else cell for cell in column]
        elif suffix in {".jsonl", ".ndjson", ".json"}:
            table = read_records(path)
        elif suffix in {".csv", ".tsv"}:
            plain: dict[str, Any] = {"low_memory": False}
            if as_text:
                plain |= {"dtype": str, "keep_default_na": False, "na_values": [""]}
            sep = "\t" if suffix == ".tsv" else ","
            table = pd.read_csv(path, sep=sep, **plain)
            if table.shape[1] == 1 and ";" in str(table.columns[0]):
                sep = ";"
                table = pd.read_csv(path, sep=sep, **plain)
            with path.open(
                encoding="utf-8-sig", newline=""
            ) as handle:  # pandas calls a second `right` right.1
                _refuse_twice(path, next(csv.reader(handle, delimiter=sep), []))
        else:
            raise MetacogError(
                f"{path}: cannot tell what a {suffix or 'nameless'} file is; "
                f"the endings known are {', '.join(TABLE_SUFFIXES)} and .eval"
            )
    except MetacogError:
        raise
    except pd.errors.EmptyDataError:
        raise MetacogError(f"{path} is empty") from None
    except Exception as error:
        why = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise MetacogError(f"{path} cannot be read as {suffix[1:]}: {why}") from None
    if table.empty:
        raise MetacogError(f"{path} holds no rows")
    for name, column in table.select_dtypes(object).items():  # whole numbers of many digits are Python's
        found = [bounded(cell) if isinstance(cell, int) else cell for cell in column]
        if any(one is not cell for one, cell in zip(found, column, strict=True)):
            table[name] = found
    table.columns = [str(c).strip() for c in table.columns]
    _refuse_twice(path, table.columns)
    return table.reset_index(drop=True)


def _refuse_twice(path: Path, names: Iterable[str]) -> None:
    for name, n in Counter(name.strip() for name in names).items():
        if name and n > 1:
            raise MetacogError(f"{path} has the column {cut(name)!r} twice: rename one of them")
