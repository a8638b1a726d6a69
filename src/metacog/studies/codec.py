"""A frozen record as files, and back: JSON for what is plain, parquet for tables, npy for arrays.

Every table has a csv next to it, for people; the record is read back from the parquet.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.studies.study import Result

RECORD = "result.json"


def write_record(record: Any, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write a record's files into an empty folder, with the facts of its making."""
    content = {"made_by": dict(facts), "record": _encode(record, "", folder)}
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    (folder / RECORD).write_text(text, encoding="utf-8")


def read_facts(folder: Path) -> dict[str, Any]:
    """What made the record in a folder; empty if none lies there or it cannot be read."""
    try:
        return json.loads((folder / RECORD).read_text(encoding="utf-8"))["made_by"]
    except (OSError, ValueError, KeyError):
        return {}


def read_record(folder: Path, tops: tuple[str, ...] = ("metacog",)) -> Any:
    """The record in a folder; a class outside the packages ``tops`` is refused."""
    try:
        content = json.loads((folder / RECORD).read_text(encoding="utf-8"))["record"]
        return _decode(content, folder, tops)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError) as error:
        raise MetacogError(
            f"the stored result {folder} cannot be read ({error}): delete that folder"
        ) from None


def _encode(value: Any, place: str, folder: Path) -> Any:
    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, enum.Enum)):
        return value
    if isinstance(value, enum.Enum):
        return {"enum": _name(type(value)), "value": value.value}
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, np.generic):
        return _encode(value.item(), place, folder)
    if isinstance(value, pd.DataFrame):
        value.to_parquet(folder / f"{place}.parquet")
        value.to_csv(folder / f"{place}.csv", index=False)
        return {"table": place}
    if isinstance(value, np.ndarray):
        np.save(folder / f"{place}.npy", value, allow_pickle=False)
        return {"array": place}
    if dataclasses.is_dataclass(value):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        inner = {k: _encode(v, _join(place, k), folder) for k, v in fields.items()}
        return {"class": _name(type(value)), "fields": inner}
    if isinstance(value, dict) and not place:
        if hidden := [name for name in value if hasattr(dict, str(name))]:
            raise MetacogError(
                f"a part of a result cannot be called {hidden[0]!r}, which every dict has already"
            )
        return {"result": {k: _encode(v, k, folder) for k, v in value.items()}}
    if isinstance(value, Mapping):
        pairs = enumerate(value.items())
        return {
            "pairs": [[_encode(k, "", folder), _encode(v, _join(place, k, i), folder)] for i, (k, v) in pairs]
        }
    if isinstance(value, tuple | list):
        inner_list = [_encode(v, _join(place, str(i)), folder) for i, v in enumerate(value)]
        return {"tuple": inner_list} if isinstance(value, tuple) else {"list": inner_list}
    raise MetacogError(
        f"{place}: a {type(value).__name__} cannot be stored; results hold tables, arrays and plain values"
    )


def _join(place: str, key: Any, number: int | None = None) -> str:
    """A file's name from the way to it; a key that is no plain name gives its number instead."""
    part = (
        key
        if isinstance(key, str) and key.replace("-", "_").isidentifier()
        else str(key if number is None else number)
    )
    return f"{place}.{part}" if place else part


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _class(name: str, tops: tuple[str, ...]) -> Any:
    module, _, kind = name.partition(":")
    if module.split(".")[0] not in tops:
        raise MetacogError(f"a stored result names {name}, which is not ours: delete it")
    return getattr(importlib.import_module(module), kind)


def _decode(content: Any, folder: Path, tops: tuple[str, ...]) -> Any:
    if not isinstance(content, dict):
        return content
    (kind, value), *_ = content.items()
    if kind == "float":
        return float(value)
    if kind == "enum":
        return _class(value, tops)(content["value"])
    if kind == "table":
        return pd.read_parquet(folder / f"{value}.parquet")
    if kind == "array":
        return np.load(folder / f"{value}.npy", allow_pickle=False)
    if kind == "class":
        fields = {k: _decode(v, folder, tops) for k, v in content["fields"].items()}
        return _class(value, tops)(**fields)
    if kind == "result":
        return Result({k: _decode(v, folder, tops) for k, v in value.items()})
    if kind == "pairs":
        return {_decode(k, folder, tops): _decode(v, folder, tops) for k, v in value}
    inner = [_decode(v, folder, tops) for v in value]
    return tuple(inner) if kind == "tuple" else inner
