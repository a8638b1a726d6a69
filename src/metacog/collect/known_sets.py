"""What the sets of ``config/datasets.yaml`` have in common, whatever an item of one is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
import pyarrow

from metacog.collect.downloads import dataset_files
from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.files import cut, json_lines, why
from metacog.core.paths import project_root

T = TypeVar("T")


def known_sets() -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = load_yaml(project_root() / "config" / "datasets.yaml", "datasets")
    return known["datasets"]


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
