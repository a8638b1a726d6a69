"""Tables out of JSON of any shape: an object a line, a list, a list below a key, columns of lists, nested fields.

What stands inside an object is named with dots: ``model_response.confidence.self_eval``. A list stays a cell, and
``choices.0.logprob`` is a field of its first element. Files are read value by value, in UTF-8, UTF-16 or UTF-32, or
in the encoding of Western Windows where bytes are none of these.
"""

from __future__ import annotations

import ast
import codecs
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import bounded, cut
from metacog.measures.cell import MIN_TRIALS

#: Characters read at a time, unless one value is longer.
CHUNK = 1 << 20
#: Bytes of a file that are read at most.
LARGEST = 1 << 32
#: Different fields of one object, and columns of a table, from which on an object stays a cell, or is refused.
MOST_FIELDS, MOST_COLUMNS = 200, 5_000

_SPACE = re.compile(r"[ \t\n\r]*")
_ENDS = ",:]} \t\n\r"
_ARRAY = re.compile(r"\[\s*[-+.\deE]+(?:\s+[-+.\deE]+)*\s*\]")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


_DECODER, _LONG_DECODER = json.JSONDecoder(), json.JSONDecoder(parse_int=lambda digits: bounded(int(digits)))
_LONG = re.compile(r"\d{309}")
_UTF32 = codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE


def encoding_of(path: Path) -> str:
    """Encoding of a text: what a mark in front tells, UTF-8 where all of it is, else that of Western Windows.

    UTF-16 without a mark is also told by where zeros stand; a file with other zeros is no text.
    """
    with path.open("rb") as handle:
        start = handle.read(4096)
        if start.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, *_UTF32)):
            return json.detect_encoding(start)
        if start.count(0) > 0.02 * len(start):
            even, odd = start[::2].count(0), start[1::2].count(0)
            if max(even, odd) > 0.3 * len(start) / 2 and min(even, odd) < 0.1 * max(even, odd):
                return "utf-16-le" if odd > even else "utf-16-be"
            raise MetacogError(f"{path} is no text: it holds zeros. Save it as UTF-8")
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            decoder.decode(start)
            while piece := handle.read(CHUNK):
                decoder.decode(piece)
            decoder.decode(b"", True)
        except UnicodeDecodeError:
            return "cp1252" if not set(b"\x81\x8d\x8f\x90\x9d") & set(path.read_bytes()) else "latin-1"
    return "utf-8"


class Text:
    """The part of a file's text that has been read and not yet been used."""

    def __init__(self, handle: IO[str]) -> None:
        self._handle, self._text, self._at, self._ended, self._lines = handle, "", 0, False, 1

    @property
    def line(self) -> int:
        return self._lines + self._text.count("\n", 0, self._at)

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, wanted: str) -> str:
        """The next character, which must be one of those wanted."""
        found = self.peek()
        if not found or found not in wanted:
            raise ValueError(f"{found!r} stands where {' or '.join(wanted)} should")
        self._at += 1
        return found

    def value(self) -> Any:
        """The next value; halves of characters, which no file can hold, become question marks."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise ValueError("it is nested too deeply") from None
            except ValueError:  # broken off, or a number of more digits than Python reads at once
                if not self._more():
                    raise
                continue
            after = self._text[end : end + 1]
            if (not after or after not in _ENDS) and self._more():  # a number may go on: 1, 1.5, 1e3
                continue
            if _LONG.search(self._text, self._at, end):
                value, end = _LONG_DECODER.raw_decode(self._text, self._at)
            if _HALF.search(self._text, self._at, end):
                value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
            self._at = end
            return value

    def elements(self) -> Iterator[Any]:
        """Elements of the list that comes next, one at a time."""
        self.take("[")
        while self.peek() != "]":
            yield self.value()
            if self.take(",]") == "]":
                return
        self.take("]")

    def entries(self) -> Iterator[str]:
        """Keys of the object that comes next; the value of each is to be taken before the next key."""
        self.take("{")
        while self.peek() != "}":
            yield self.value()
            if self.take(",}") == "}":
                return
        self.take("}")

    def _more(self) -> bool:
        """Read on, at least as much as is left, so that a long value is looked at few times."""
        left = self._text[self._at :]
        piece = "" if self._ended else self._handle.read(max(CHUNK, len(left)))
        self._ended = not piece
        if piece:
            self._lines = self.line
            self._text, self._at = left + piece, 0
        return not self._ended


def entries(path: Path, each: str) -> Iterator[tuple[str, Any]]:
    """Keys and values of the object that a JSON file holds, in the order of the file.

    The list of the key ``each`` is given element by element, so no more than one is in memory.
    """
    with open(path, encoding="utf-8-sig") as handle:
        text = Text(handle)
        for key in text.entries():
            text.take(":")
            listed = key == each and text.peek() == "["
            for value in text.elements() if listed else [text.value()]:
                yield key, value


def values(path: Path) -> Iterator[tuple[Any, bool]]:
    """What a JSON file holds, one value after another, and whether it stands in a list of objects or lists."""
    size = path.stat().st_size
    if size > LARGEST:
        raise MetacogError(
            f"{path} has {size / 1e9:.1f} GB, more than is read: split it, or write the fields that are needed as "
            "parquet or CSV"
        )
    with open(path, encoding=encoding_of(path)) as handle:
        text = Text(handle)
        try:
            while (begins := text.peek()) != "":
                if begins == "[":
                    yield from _listed(text)
                else:
                    yield text.value(), False
        except ValueError as error:
            what = getattr(error, "msg", "") or str(error)
            raise MetacogError(f"{path}, line {text.line}: not valid JSON ({cut(what)})") from None


def _listed(text: Text) -> Iterator[tuple[Any, bool]]:
    """Elements of a list of objects or lists; any other list whole, as it is a row."""
    elements = text.elements()
    first = next(elements, None)
    if isinstance(first, dict | list):
        for element in chain([first], elements):
            yield element, True
    elif first is not None:
        yield [first, *elements], False


def first_record(path: Path) -> dict[str, Any] | None:
    """The first object in a file of lines or a list; None where there is none."""
    if path.suffix.lower() not in {".json", ".jsonl", ".ndjson"} or not path.is_file():
        return None
    try:
        with open(path, "rb") as raw:
            encoding = json.detect_encoding(raw.read(4))
        with open(path, encoding=encoding, errors="replace") as handle:
            text = Text(handle)
            if text.peek() != "[" and path.suffix.lower() == ".json":
                return None
            first = next(text.elements(), None) if text.peek() == "[" else text.value()
    except (OSError, ValueError):
        return None
    return first if isinstance(first, dict) else None


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Objects of a JSON file, one a trial.

    An object a line; a list of them, on one line or many; a list a line; rows below a row of names; or what
    :func:`tables_in` finds in a single object.
    """
    found = values(path)
    start = list(islice(found, 2))
    if len(start) == 1 and isinstance(start[0][0], dict) and not start[0][1]:
        yield from _only(start[0][0], path)
    else:
        yield from _objects_in(chain(start, found), path)


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """Objects of a file of lines or a list, and none from inside an object."""
    yield from _objects_in(values(path), path)


def _objects_in(found: Iterable[tuple[Any, bool]], path: Path) -> Iterator[dict[str, Any]]:
    names: list[str] | None = None
    for value, _ in found:
        if isinstance(value, dict):
            yield value
        elif isinstance(value, list) and _objects(value):
            yield from value
        elif isinstance(value, list) and names is None and all(isinstance(one, str) for one in value):
            names = value
        elif isinstance(value, list) and names is not None and len(value) == len(names):
            yield dict(zip(names, value, strict=True))
        else:
            raise MetacogError(
                f"{path}: {cut(repr(value), 80)} stands where an object should: a JSON table has an object a trial, "
                "or a list a trial below a list of names"
            )


def _only(content: dict[str, Any], path: Path) -> Iterable[dict[str, Any]]:
    """Records of the one table in an object."""
    if "results" in content and content.keys() & {"versions", "configs", "config"}:
        raise MetacogError(
            f"{path} is a summary of lm-evaluation-harness: single answers are in samples_*.jsonl, which it writes "
            "with --log_samples"
        )
    tables = tables_in(content)
    if len(tables) > 1:  # what is too short for trials are settings
        tables = [one for one in tables if len(one[1]) >= MIN_TRIALS] or tables
    if len(tables) > 1:
        named = ", ".join(f"{name} ({len(rows):,})" for name, rows in tables[:6])
        raise MetacogError(
            f"{path} holds {len(tables)} lists of records: {cut(named)}. Write the one that is meant to a file of its "
            f"own, e.g. with `jq .{tables[0][0]} {path.name}`"
        )
    if tables:
        return tables[0][1]
    if path.suffix != ".json":
        return [content]  # one line, one trial
    inner = any(isinstance(value, list | dict) for value in content.values())
    holds = "fields" if inner else "single values alone"
    if any(str(key).endswith(":std") for key in content):
        holds += " as simple-evals writes them beside its *_allresults.json"
    raise MetacogError(
        f"{path} holds no list of records, but {holds} ({cut(', '.join(content), 200)}): a JSON table has an object a "
        "trial, not a summary of them"
    )


def tables_in(
    content: dict[str, Any], name: str = "", depth: int = 4
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Tables in an object, each with the dotted name that it stands below.

    Lists of objects; objects by their names; columns of lists; and what pandas writes under its orientations.
    Single values next to a table are the same in all its rows.
    """
    constant = {key: value for key, value in content.items() if not isinstance(value, dict | list)}
    if "schema" in content and isinstance(content.get("data"), list):  # pandas: table
        content = {"data": content["data"]}
    named, data = content.get("columns"), content.get("data")
    if isinstance(named, list) and isinstance(data, list) and data:
        if all(isinstance(row, list) and len(row) == len(named) for row in data):  # pandas: split
            return [(name, [dict(zip(map(str, named), row, strict=True)) for row in data])]
    lists = {key: value for key, value in content.items() if isinstance(value, list)}
    lengths = {len(value) for value in lists.values()}
    if len(lists) > 1 and len(lengths) == 1 and max(lengths) > 1 and not all(map(_objects, lists.values())):
        rest = {key: value for key, value in content.items() if key not in lists}
        cells = zip(*lists.values(), strict=True)
        return [(name, [{**rest, **dict(zip(lists, row, strict=True))} for row in cells])]
    inner = {key: value for key, value in content.items() if isinstance(value, dict)}
    alone = len(inner) > 1 and len(inner) + len(constant) == len(content)
    if alone and set.intersection(*map(set, inner.values())):
        return [(name, [{**constant, **row} for row in _by_name(inner)])]
    found: list[tuple[str, list[dict[str, Any]]]] = []
    for key, value in content.items():
        below = f"{name}.{key}" if name else str(key)
        if isinstance(value, list) and _objects(value):
            found.append((below, value))
        elif isinstance(value, dict) and depth:
            found += tables_in(value, below, depth - 1)
    return [(where, [{**constant, **row} for row in rows]) for where, rows in found] if constant else found


def _objects(found: list[Any]) -> bool:
    return bool(found) and all(isinstance(one, dict) for one in found)


def _by_name(content: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Records that stand by their names, or columns whose cells stand by theirs, as pandas writes them."""
    cells = list(next(iter(content.values())))
    if len(cells) > len(content) and all(list(column) == cells for column in content.values()):
        return [{name: column[cell] for name, column in content.items()} for cell in cells]
    id_ = "id" if not any("id" in row for row in content.values()) else "key"
    return [{id_: name, **row} for name, row in content.items()]


def read_records(path: Path) -> pd.DataFrame:
    """The table in a JSON file, its nested fields in columns of their own."""
    return table_of(records(path), path)


def table_of(found: Iterator[dict[str, Any]], path: Path) -> pd.DataFrame:
    """Objects as a table, nested fields in columns of their own."""
    start = list(islice(found, 1_000))
    inner: dict[str, set[str]] = {}
    for record in start:
        _count(record, "", inner)
    whole = {name for name, fields in inner.items() if name and len(fields) > MOST_FIELDS}
    columns: dict[str, list[Any]] = {}
    n = 0
    for n, record in enumerate(chain(start, found), start=1):
        for name, cell in _flat(record, "", whole):
            column = columns.setdefault(name, [])
            if len(column) == n:
                raise MetacogError(f"{path} has the column {cut(name)!r} twice: rename one of them")
            column.extend([None] * (n - 1 - len(column)))
            column.append(cell)
        if len(columns) > MOST_COLUMNS:
            raise MetacogError(
                f"{path} has more than {MOST_COLUMNS:,} different fields, e.g. {cut(list(columns)[-1], 80)!r}: names "
                "that differ from row to row should be values"
            )
    return pd.DataFrame({name: column + [None] * (n - len(column)) for name, column in columns.items()})


def _count(value: dict[str, Any], name: str, inner: dict[str, set[str]]) -> None:
    """Collect the different fields of each object."""
    inner.setdefault(name, set()).update(value)
    for key, cell in value.items():
        if isinstance(cell, dict):
            _count(cell, f"{name}.{key}" if name else key, inner)


def _flat(value: dict[str, Any], name: str, whole: set[str]) -> Iterator[tuple[str, Any]]:
    """Fields by their dotted names; objects that are to stay whole are cells."""
    for key, cell in value.items():
        below = (f"{name}.{key}" if name else key).strip()
        if isinstance(cell, dict) and below not in whole:
            yield from _flat(cell, below, whole)
        else:
            yield below, cell


def nested(table: pd.DataFrame, name: str) -> pd.Series | None:
    """A field inside the cells of a column, by its dotted name; None where there is none."""
    parts = name.split(".")
    for n in range(len(parts) - 1, 0, -1):
        if (column := ".".join(parts[:n])) in table:
            found = [_inside(opened(cell), parts[n:]) for cell in table[column]]
            if any(cell is not None for cell in found):
                return pd.Series(found, index=table.index, name=name).infer_objects()
    return None


def opened(cell: Any) -> Any:
    """What a cell holds; a list or an object, where it is the text of one."""
    if not isinstance(cell, str) or not (text := cell.strip()).startswith(("[", "{")):
        return cell
    if _ARRAY.fullmatch(text):  # as numpy prints numbers
        text = f"[{', '.join(text[1:-1].split())}]"
    for read in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return read(text)
    return cell


def _inside(cell: Any, keys: list[str]) -> Any:
    for key in keys:
        if isinstance(cell, dict):
            cell = cell.get(key)
        elif hasattr(cell, "__getitem__") and not isinstance(cell, str) and re.fullmatch(r"-?\d+", key):
            cell = cell[int(key)] if -len(cell) <= int(key) < len(cell) else None
        elif key == "mean" and isinstance(cell, list | np.ndarray):  # of a token's log-probabilities
            numbers = pd.to_numeric(pd.Series(cell, dtype=object), errors="coerce").dropna()
            cell = float(numbers.mean()) if len(numbers) else None
        else:
            return None
    return cell


def fields_inside(table: pd.DataFrame) -> list[str]:
    """Names of fields in the cells of a table, as far as the first cell of each column shows them."""

    def names(cell: Any, name: str) -> list[str]:
        inner = dict(enumerate(cell[:1])) if isinstance(cell, list | np.ndarray) else cell
        if not isinstance(inner, dict):
            return []
        return [one for key in inner for one in names(inner[key], f"{name}.{key}") or [f"{name}.{key}"]]

    found: list[str] = []
    for place, column in enumerate(table.columns[:MOST_FIELDS]):
        cells = table.iloc[:100, place]  # by place, since names may stand twice
        if cells.dtype == object:
            found += names(
                next((one for one in cells if isinstance(one, dict | list | np.ndarray)), None), column
            )
    return found
