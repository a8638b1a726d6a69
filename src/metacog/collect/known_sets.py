"""What the sets of ``config/datasets.yaml`` have in common, whatever an item of one is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
import pyarrow

from metacog.collect.downloads import dataset_files
from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.files import cut, json_lines, why
from metacog.core.paths import data_home, in_cache, project_root

T = TypeVar("T")

#: Sets that stand in for others, by what they are called then (:func:`standing_in`).
_STAND_INS: dict[str, dict[str, Any]] = {}


def known_sets() -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = load_yaml(project_root() / "config" / "datasets.yaml", "datasets")
    return {**known["datasets"], **_STAND_INS}


@contextmanager
def standing_in() -> Iterator[dict[str, str]]:
    """Know a stand-in for each set whose files are not here: the names of the stand-ins, by the sets' names.

    A stand-in has the items of the set that the entry names (``stand_in``), as often as it takes to have as many as
    there are in the set itself (``n_items``). It is there to count what asking would take; nobody asks it.
    """
    known, names = known_sets(), {}
    for name, entry in known.items():
        if "stand_in" in entry and not _is_here(entry):
            base, _, part = entry["stand_in"].partition(":")
            names[name] = f"{base} for {name}" + f":{part}" * bool(part)
            _STAND_INS[f"{base} for {name}"] = {
                **known[base],
                "as_many": entry["n_items"],
                "n_options": entry.get("n_options", 0),
            }
    try:
        yield names
    finally:
        _STAND_INS.clear()


def _is_here(entry: dict[str, Any]) -> bool:
    home = data_home()
    files = [part["file"] for part in entry.get("parts", [entry])]
    return all(
        (home is not None and (home / one).is_file()) or in_cache("data", one).is_file() for one in files
    )


def as_many(items: Sequence[T], entry: dict[str, Any]) -> list[T]:
    """Items of a set; of a stand-in as many as are wanted, each repeated under names of its own."""
    if "as_many" not in entry:
        return list(items)
    numbered = zip(itertools.count(), itertools.cycle(items), strict=False)
    return [
        replace(one, id=f"{one.id}~{number // len(items)}")  # type: ignore[type-var, attr-defined]
        for number, one in itertools.islice(numbered, entry["as_many"])
    ]


def files_of(name: str, entry: dict[str, Any]) -> list[Path]:
    """Files of an entry: the project's own, or its publisher's, fetched if need be."""
    return [project_root() / entry["path"]] if "path" in entry else dataset_files(name, entry)


def from_json_lines(path: Path, make: Callable[[dict[str, Any], int], T], wanted: str) -> list[T]:
    """What ``make`` gives of each record and its line's number."""
    found = []
    for number, record in json_lines(path):
        try:
            found.append(make(record, number))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise MetacogError(f"{path}, line {number}: expected JSON with {wanted}") from None
    return found


def read_parquet(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """A publisher's table, which must have some columns."""
    try:
        table = pd.read_parquet(path)
    except (OSError, pyarrow.ArrowException, NotImplementedError) as error:
        raise MetacogError(
            f"{path} is not a readable parquet file ({why(error)}): delete it and fetch it again"
        ) from None
    missing = [name for name in columns if name not in table]
    if missing:
        raise MetacogError(f"{path} lacks the columns {', '.join(missing)}")
    return table


def check_texts(texts: Iterable[Any]) -> None:
    """Refuse what is no text, as where an answer is a list of answers."""
    for one in texts:
        if not isinstance(one, str):
            raise TypeError(f"{cut(repr(one), 60)} stands where a text should")


def check_ids(ids: Sequence[str], name: str) -> None:
    if repeated := len(ids) - len(set(ids)):
        raise MetacogError(f"set {name!r} repeats {repeated} ids")
