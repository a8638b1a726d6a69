"""Croissant 1.0 metadata of tables (<https://docs.mlcommons.org/croissant/docs/croissant-spec.html>).

Types of fields are read from the files themselves, and so are checksums; only words are declared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow
import pyarrow.parquet as pq
import yaml

import metacog
from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.files import json_lines
from metacog.core.paths import project_root

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"

LICENCES = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "MIT": "https://opensource.org/license/mit",
    "Apache 2.0": "https://www.apache.org/licenses/LICENSE-2.0",
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
    """One file of a dataset; ``key`` is the field that identifies a record, empty where none does alone."""

    path: Path
    description: str
    key: str = ""


def own_citation() -> tuple[str, str]:
    """Who made this project, and how it is cited, as ``CITATION.cff`` says."""
    said = yaml.safe_load((project_root() / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(one["name"] for one in said["authors"])
    return authors, f"{authors}. {said['title']}. Version {said['version']}"


def declared() -> dict[str, Any]:
    """What ``config/croissant.yaml`` says of the data."""
    return load_yaml(project_root() / "config" / "croissant.yaml", "croissant")


def croissant(name: str, about: Mapping[str, Any], files: Sequence[File], url: str = "") -> dict[str, Any]:
    """The metadata of a dataset of which ``config/croissant.yaml`` says this; files lie beside the metadata."""
    said, (authors, citation) = declared(), own_citation()
    kind = "sc:Person" if "creator" in about else "sc:Organization"
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": name,
        "alternateName": about["title"],
        "description": about["description"],
        "license": LICENCES[about["licence"]],
        "creator": {"@type": kind, "name": about.get("creator", authors)},
        "datePublished": said["published"],
        "version": metacog.__version__,
        **({"url": url} if url else {}),
        "citeAs": about.get("cite", citation),
        "distribution": [_file_object(file) for file in files],
        "recordSet": [made for file in files if (made := _record_set(file, said["fields"]))],
    }


def text_of(metadata: Mapping[str, Any]) -> str:
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
    """Type of each field of a table, and whether it holds a list; fields that hold records are passed over."""
    if path.suffix == ".parquet":
        return _of_schema(pq.read_schema(path))
    if path.suffix == ".csv":
        return _of_schema(pyarrow.Schema.from_pandas(pd.read_csv(path), preserve_index=False))
    if path.suffix == ".jsonl":
        return _of_records([record for _, record in json_lines(path)])
    if path.suffix == ".json":
        return {}
    raise MetacogError(f"{path.name}: Croissant metadata are made of {', '.join(FORMATS)} files")


def _of_schema(schema: pyarrow.Schema) -> dict[str, tuple[str, bool]]:
    found = {column.name: _of_arrow(column.type) for column in schema}
    return {name: kind for name, kind in found.items() if kind is not None}


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
