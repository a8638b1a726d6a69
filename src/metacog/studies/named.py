"""Models under the names that readers know, in a result that is shown."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any

import pandas as pd
from pandas.api.types import is_object_dtype, is_string_dtype

from metacog.collect.models import load_models
from metacog.studies.study import Result


def with_labels(record: Any, names: Mapping[str, str] | None = None) -> Any:
    """A result in which every model of the registry goes by its label: its tables, verdicts and texts.

    Stored results name models as the registry, the command line and the folders of runs do. ``names`` are those that
    readers know of published models and question sets, by those of the paper's files.
    """
    labels = {name: entry.label for name, entry in load_models().items()} | dict(names or {})
    known = "|".join(sorted(map(re.escape, labels), key=len, reverse=True))
    # not in code (between backticks), in an option of a command, or in the path of a file
    pattern = re.compile(rf"(`[^`]*`)|(?<![\w./-])(?<!--model )({known})(?![\w/-]|\.\w)")

    def named(value: Any) -> Any:
        if isinstance(value, Enum):
            return value
        if isinstance(value, str):
            return pattern.sub(lambda found: found[1] or labels[found[2]], value)
        if isinstance(value, pd.DataFrame):
            frame = value.rename(columns=named, index=named)
            for place in range(frame.shape[1]):
                frame.isetitem(place, named(frame.iloc[:, place]))
            return frame
        if isinstance(value, pd.Series):
            texts = is_object_dtype(value.dtype) or is_string_dtype(value.dtype)
            return value.map(named) if texts else value
        if isinstance(value, Result):
            return Result({key: named(one) for key, one in value.items()})
        if isinstance(value, Mapping):
            return {named(key): named(one) for key, one in value.items()}
        if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
            return type(value)(named(one) for one in value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            changed = {f.name: named(getattr(value, f.name)) for f in dataclasses.fields(value) if f.init}
            return dataclasses.replace(value, **changed)
        return value

    return named(record)
