"""Reading a table of any origin: its form, its separators and its encoding."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from metacog.core.errors import MetacogError
from metacog.core.files import bounded, cut
from metacog.imports.records import encoding_of, read_records

#: Cells of a file that packs them that are read at most.
MOST_CELLS = 100_000_000

TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".parquet", ".jsonl", ".ndjson", ".json", ".mat")
#: Endings of tables that other files have, too: they are read where they are named, and passed over in a folder.
NAMED_SUFFIXES = (".txt", ".dat", ".asc")
_TEXT = {".csv", ".tsv", ".tab", *NAMED_SUFFIXES}
_EXCEL = {".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"}
#: What separates columns, in the order in which they are preferred, and lines from which that is told.
_SEPARATORS, _LINES = (",", "\t", ";", "|"), 50
#: Column names that stand twice with different contents, among a table's ``attrs``.
TWICE = "twice"

_COMMA = re.compile(r"[-+]?\d*,\d+")


def read_table(path: Path, *, as_text: bool = False, unique: bool = False) -> pd.DataFrame:
    """Read a table: text with separators, parquet, JSON lines or a list of JSON records, or MATLAB's ``.mat``.

    ``as_text``: leave the cells of a text as they are written, only an empty one is missing; ``unique``: refuse column
    names that stand twice. Otherwise their later ones get a number, and those whose contents differ are named in
    ``attrs`` under :data:`TWICE`. A MetacogError if the file is missing, of another kind, unreadable or empty.
    """
    path = Path(path)
    if not path.is_file():
        raise MetacogError(f"there is no file at {path}")
    suffix = path.suffix.lower()
    with path.open("rb") as handle:
        first = handle.read(8)
    if suffix in _EXCEL or (suffix in _TEXT and first.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))):
        raise MetacogError(f"{path} is a workbook of Excel or its like: save the sheet as CSV (UTF-8)")
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
        elif suffix == ".mat":
            table = _columns_of(read_matlab(path), path)
        elif suffix in _TEXT:
            table = _read_text(path, as_text)
        else:
            raise MetacogError(
                f"{path}: cannot tell what a {suffix or 'nameless'} file is; the endings known are "
                f"{', '.join((*TABLE_SUFFIXES, *NAMED_SUFFIXES))} and .eval. Save it as CSV"
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
    # in place: a copy of thousands of columns takes as long as reading them
    table.index = pd.RangeIndex(len(table))
    return _named_once(table, path, unique)


def _read_text(path: Path, as_text: bool) -> pd.DataFrame:
    """A table of lines, whatever parts its columns and however it is encoded."""
    plain: dict[str, Any] = {"low_memory": False, "encoding": encoding_of(path)}
    if as_text:
        plain |= {"dtype": str, "keep_default_na": False, "na_values": [""]}
    with path.open(encoding=plain["encoding"], newline="") as handle:
        head = handle.read(1_000_000)
    lines = [line for line in re.split(r"\r\n|\n|\r", head) if line.strip()][: _LINES + 1]
    if lines and re.fullmatch(r"sep=.", lines[0].strip(), re.I):  # as Excel writes it
        plain["skiprows"], lines = 1, lines[1:]
    sep, rows = _parted(lines)
    names, body = (rows[0], rows[1:]) if rows else ([], [])
    if sep != ",":
        plain["sep"] = sep if sep != " " else r"\s+"
        if not as_text and any(_COMMA.fullmatch(cell.strip()) for row in body for cell in row):
            plain["decimal"] = ","
    if body and all(len(row) == len(names) + 1 for row in body):
        plain["index_col"] = False
        if any(row[-1].strip() for row in body):  # names of rows
            more = {"header": None, "names": ["", *names], "skiprows": 1}
            return pd.read_csv(path, **{**plain, **more}).drop(columns="")
        plain["usecols"] = range(len(names))  # a separator behind each row
    table = pd.read_csv(path, **plain)
    if len(names) == table.shape[1]:  # pandas calls a second `right` right.1
        table.columns = names
    return table


def _rows(lines: list[str], sep: str) -> list[list[str]]:
    """Cells of lines, up to one that holds a cell too long for the csv module, which pandas reads."""
    rows: list[list[str]] = []
    try:
        rows.extend(csv.reader(lines, delimiter=sep))
    except csv.Error:
        if not rows:
            raise
    return rows


def _parted(lines: list[str]) -> tuple[str, list[list[str]]]:
    """What parts the columns of lines, and their cells: the separator by which most rows are as wide as the header."""
    best: tuple[tuple[float, int], str, list[list[str]]] = ((0.0, 1), ",", [[line] for line in lines])
    for sep in _SEPARATORS:
        rows = _rows(lines, sep)
        width = len(rows[0]) if rows else 0
        if width > 1:
            fits = sum(len(row) in (width, width + 1) for row in rows) / len(rows)
            if (round(fits, 1), width) > best[0]:
                best = ((round(fits, 1), width), sep, rows)
    if best[0][1] == 1:  # blanks between, as R writes
        rows = [[a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', line)] for line in lines]
        width = len(rows[0]) if rows else 0
        if width > 1 and len(rows) > 1 and all(len(row) in (width, width + 1) for row in rows):
            return " ", rows
    return best[1], best[2]


def read_matlab(path: Path) -> dict[str, Any]:
    """Variables of a ``.mat`` file: numbers, text, arrays, and dicts for structs."""
    from scipy.io import loadmat, matlab, whosmat

    how = "in MATLAB, save('FILE.mat', '-v7'), or writetable for a CSV"
    try:
        size = sum(int(np.prod(shape)) for _, shape, _ in whosmat(path))
        if size > MOST_CELLS:
            raise MetacogError(
                f"{path} holds {size:,} numbers, more than are read: save what is needed alone"
            )
        held = loadmat(path, simplify_cells=True)
    except NotImplementedError:
        raise MetacogError(f"{path} is of MATLAB 7.3, which is not read: {how}") from None
    except (ValueError, TypeError, OSError, matlab.MatReadError) as error:
        raise MetacogError(
            f"{path} is no .mat file that can be read ({cut(str(error), 200)}): {how}"
        ) from None
    found = {name: value for name, value in held.items() if not name.startswith("__")}
    if not found or any(type(value).__name__ == "MatlabOpaque" for value in held.values()) or "None" in found:
        raise MetacogError(f"{path} holds tables or strings of a class that only MATLAB reads: {how}")
    return found


def _columns_of(held: dict[str, Any], path: Path) -> pd.DataFrame:
    """The vectors of equal length, the struct or the list of structs among variables, as columns."""
    whole = list(held.values())
    if len(whole) == 1 and isinstance(whole[0], dict):
        return _columns_of(whole[0], path)
    if len(whole) == 1 and isinstance(whole[0], list | np.ndarray) and len(whole[0]):
        if all(isinstance(one, dict) for one in whole[0]):
            parts = [_columns_of(one, path) for one in whole[0]]
            if any(len(part) != 1 for part in parts):
                parts = [part.assign(person=part.get("person", i)) for i, part in enumerate(parts, 1)]
            return pd.concat(parts, ignore_index=True)
    vectors = {
        name: np.atleast_1d(np.asarray(value)) for name, value in held.items() if not isinstance(value, dict)
    }
    rows = Counter(value.shape[0] for value in vectors.values())
    if not rows:
        raise MetacogError(f"{path} holds no vectors: save the trials as vectors of equal length, or as CSV")
    n = max(rows, key=lambda size: (rows[size] * (size > 1), size))
    columns: dict[str, Any] = {}
    for name, value in vectors.items():
        if value.shape[0] == n and value.ndim == 1:
            columns[name] = value.tolist()
        elif value.size == 1 < n:  # of all trials
            columns[name] = [value.item()] * n
        elif value.shape[0] == n and value.ndim == 2:
            columns |= {f"{name}_{i}": value[:, i].tolist() for i in range(value.shape[1])}
    return pd.DataFrame(columns)


def _named_once(table: pd.DataFrame, path: Path, unique: bool) -> pd.DataFrame:
    """A table each of whose names stands once; a later column of the same name and contents goes."""
    names = [str(name).strip() for name in table.columns]
    twice = [name for name, n in Counter(names).items() if name and n > 1]
    if unique and twice:
        raise MetacogError(_said_twice(twice[0], str(path)))
    if not twice:
        table.columns = names
        return table
    kept: dict[int, str] = {}
    differ: list[str] = []
    for place, name in enumerate(names):
        first = names.index(name)
        if name not in twice or first == place:
            kept[place] = name
        elif not table.iloc[:, place].equals(table.iloc[:, first]):
            kept[place] = f"{name} ({sum(one.startswith(f'{name} (') for one in kept.values()) + 2})"
            differ.append(name)
    found = table.iloc[:, list(kept)].set_axis(list(kept.values()), axis=1)
    found.attrs[TWICE] = list(dict.fromkeys(differ))
    return found


def _said_twice(name: str, where: str = "the file") -> str:
    return f"{where} has the column {cut(name)!r} twice: rename one of them"


def refuse_twice(table: pd.DataFrame, names: Iterable[str]) -> None:
    """Refuse columns that are needed, and stand in the file twice with different contents."""
    for name in names:
        if name in table.attrs.get(TWICE, ()):
            raise MetacogError(f"{_said_twice(name)} (they differ)")
