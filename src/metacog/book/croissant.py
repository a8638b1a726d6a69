"""Croissant 1.0 metadata of tables (<https://docs.mlcommons.org/croissant/docs/croissant-spec.html>).

Types of fields are read from the files themselves, and so are checksums; only words are declared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow
import pyarrow.parquet as pq

import metacog
from metacog.core.errors import MetacogError
from metacog.core.files import json_lines

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
LICENCES = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "MIT": "https://opensource.org/license/mit",
}
#: Media types by the ending of a file.
FORMATS = {
    ".jsonl": "application/jsonlines",
    ".json": "application/json",
    ".csv": "text/csv",
    ".parquet": "application/x-parquet",
}
#: Types of schema.org for Python's.
TYPES = {bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float", str: "sc:Text"}
#: The context that the specification gives.
_CROISSANT_TERMS = (
    "citeAs",
    "column",
    "equivalentProperty",
    "extract",
    "field",
    "fileObject",
    "fileProperty",
    "fileSet",
    "format",
    "includes",
    "isLiveDataset",
    "jsonPath",
    "key",
    "md5",
    "parentField",
    "path",
    "recordSet",
    "references",
    "regex",
    "repeated",
    "replace",
    "samplingRate",
    "separator",
    "source",
    "subField",
    "transform",
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _CROISSANT_TERMS},
}


@dataclass(frozen=True)
class File:
    """One file of a dataset.

    Attributes
    ----------
    path : Path
    description : str
    key : str
        Field that identifies a record; empty where none does alone.
    """

    path: Path
    description: str
    key: str = ""


@dataclass(frozen=True)
class Dataset:
    """What is said of a dataset.

    Attributes
    ----------
    name, title, description : str
    licence : str
        One of :data:`LICENCES`.
    creator : str
    published : str
        Day of publication, ``YYYY-MM-DD``.
    files : tuple of File
    url : str
        Where it can be found; empty if that is not known.
    cite : str
        How to cite it.
    fields : mapping
        What fields mean, by their names.
    person : bool
        Whether the creator is one person.
    """

    name: str
    title: str
    description: str
    licence: str
    creator: str
    published: str
    files: tuple[File, ...]
    url: str = ""
    cite: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    person: bool = False


def croissant(dataset: Dataset) -> dict[str, Any]:
    """The metadata of a dataset, whose files are named relative to the metadata's own place."""
    said: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": dataset.name,
        "alternateName": dataset.title,
        "description": dataset.description,
        "license": LICENCES[dataset.licence],
        "creator": {"@type": "sc:Person" if dataset.person else "sc:Organization", "name": dataset.creator},
        "datePublished": dataset.published,
        "version": metacog.__version__,
    }
    if dataset.url:
        said["url"] = dataset.url
    if dataset.cite:
        said["citeAs"] = dataset.cite
    said["distribution"] = [_file_object(file) for file in dataset.files]
    said["recordSet"] = [made for file in dataset.files if (made := _record_set(file, dataset.fields))]
    return said


def text_of(metadata: Mapping[str, Any]) -> str:
    """The metadata as it is written to a file."""
    return json.dumps(metadata, indent=1, ensure_ascii=False) + "\n"


def _file_object(file: File) -> dict[str, Any]:
    content = file.path.read_bytes()
    return {
        "@type": "cr:FileObject",
        "@id": file.path.name,
        "name": file.path.name,
        "description": file.description,
        "contentUrl": file.path.name,
        "contentSize": f"{len(content)} B",
        "encodingFormat": FORMATS[file.path.suffix],
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _record_set(file: File, words: Mapping[str, str]) -> dict[str, Any]:
    """The records of a table; empty for a file that is none."""
    name = file.path.stem
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{column}",
            "name": column,
            "description": words.get(column, column.replace("_", " ")),
            "dataType": kind,
            **({"repeated": True} if repeated else {}),
            "source": {"fileObject": {"@id": file.path.name}, "extract": {"column": column}},
        }
        for column, (kind, repeated) in field_types(file.path).items()
    ]
    if not fields:
        return {}
    said = {"@type": "cr:RecordSet", "@id": name, "name": name, "description": file.description}
    return {**said, **({"key": {"@id": f"{name}/{file.key}"}} if file.key else {}), "field": fields}


def field_types(path: Path) -> dict[str, tuple[str, bool]]:
    """Type of each field of a table, and whether it holds a list; fields that hold records are passed over.

    Raises
    ------
    MetacogError
        If the file is of a kind that is not known.
    """
    if path.suffix == ".parquet":
        found = {column.name: _of_arrow(column.type) for column in pq.read_schema(path)}
        return {name: kind for name, kind in found.items() if kind is not None}
    if path.suffix == ".csv":
        table = pd.read_csv(path)
        return {str(name): (_of_column(table[name]), False) for name in table}
    if path.suffix == ".jsonl":
        return _of_records([record for _, record in json_lines(path)])
    if path.suffix == ".json":
        return {}
    raise MetacogError(f"{path.name}: Croissant metadata are made of {', '.join(FORMATS)} files")


def _of_records(records: list[dict[str, Any]]) -> dict[str, tuple[str, bool]]:
    found: dict[str, tuple[str, bool]] = {}
    for name in dict.fromkeys(key for record in records for key in record):
        values = [record[name] for record in records if record.get(name) is not None]
        repeated = any(isinstance(value, list) for value in values)
        single = [one for value in values for one in (value if isinstance(value, list) else [value])]
        kinds = {type(one) for one in single}
        if kinds == {int, float}:
            kinds = {float}
        if dict not in kinds:
            found[name] = (TYPES[kinds.pop()] if len(kinds) == 1 else TYPES[str], repeated)
    return found


def _of_column(values: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(values):
        return TYPES[bool]
    if pd.api.types.is_integer_dtype(values):
        return TYPES[int]
    return TYPES[float] if pd.api.types.is_float_dtype(values) else TYPES[str]


def _of_arrow(kind: pyarrow.DataType) -> tuple[str, bool] | None:
    types = pyarrow.types
    if types.is_list(kind) or types.is_large_list(kind):
        inner = _of_arrow(kind.value_type)
        return None if inner is None else (inner[0], True)
    if types.is_dictionary(kind):
        return _of_arrow(kind.value_type)
    if types.is_struct(kind) or types.is_map(kind):
        return None
    if types.is_boolean(kind):
        return TYPES[bool], False
    if types.is_integer(kind):
        return TYPES[int], False
    return (TYPES[float] if types.is_floating(kind) else TYPES[str]), False
