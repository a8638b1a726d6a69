"""What is imported and where its results go: one file, several, or a folder of them; and no import over another.

A folder without logs holds tables, one a person or a model: the file's name is then a column of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.words import listed, plural
from metacog.imports import harness, inspect_files
from metacog.imports.tables import TABLE_SUFFIXES, read_table

#: Column that names the file of a row, where there are several.
FILE = "file"


def is_log(path: Path) -> bool:
    """Whether a path is a log of a harness, or a folder that holds some."""
    return harness.is_harness(path) or inspect_files.is_inspect(path)


def files_of(paths: Sequence[Path]) -> list[Path]:
    """The files that were named, with the tables below folders in their place; a folder of logs stays one."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir() and not path.is_file():  # nor a pipe, which never ends
            raise MetacogError(f"there is no file at {path}")
        if not path.is_dir() or is_log(path):
            found.append(path)
            continue
        tables = sorted(f for f in path.rglob("*") if f.suffix.lower() in TABLE_SUFFIXES and f.is_file())
        tables = [f for f in tables if not any(part.startswith(".") for part in f.relative_to(path).parts)]
        if not tables:
            raise MetacogError(
                f"{path} is a folder without logs and without tables: name a file, a folder of tables "
                f"({', '.join(TABLE_SUFFIXES)}), or one of samples_*.jsonl or .eval"
            )
        found += tables
    found = list(dict.fromkeys(found))
    if len(found) > 1 and (logs := [f for f in found if is_log(f)]):
        others = [f for f in found if f not in logs]
        apart = f"{logs[0].name} is a log and {others[0].name} is none: import them apart" if others else ""
        named = f"{plural(len(logs), 'log')} were named: put them into one folder and name that"
        raise MetacogError(apart or named)
    return found


def called(paths: Sequence[Path]) -> str:
    """What the data are called where nobody named them: the file, the folder, or the folder of several files."""
    if len(paths) == 1:
        return paths[0].name or paths[0].resolve().name
    folders = {path.resolve().parent for path in paths}
    return folders.pop().name if len(folders) == 1 else f"{paths[0].stem}-and-{len(paths) - 1}-more"


def read_files(files: Sequence[Path], read: Callable[[Path], pd.DataFrame] = read_table) -> pd.DataFrame:
    """The rows of all files below each other, the file's name in :data:`FILE` where there are several."""
    tables = [read(path) for path in files]
    if len(tables) == 1:
        return tables[0]
    first = [str(c) for c in tables[0].columns]
    for path, table in zip(files, tables, strict=True):
        lacking = [c for c in first if c not in table]
        more = [str(c) for c in table if c not in first]
        if lacking or more:
            what = f"lacks {listed(lacking[:4])}" if lacking else f"has {listed(more[:4])} besides"
            raise MetacogError(
                f"{path.name} has other columns than {files[0].name}: it {what}. Name the files of one kind alone, as "
                "with a pattern, or give all the same columns"
            )
    column = FILE if FILE not in first else "name of the file"
    names = _names(files)
    return pd.concat(
        [table[first].assign(**{column: name}) for table, name in zip(tables, names, strict=True)],
        ignore_index=True,
    )


def _names(files: Sequence[Path]) -> list[str]:
    """Names of files without their endings; with as many folders before them as tell them apart."""
    for depth in range(1, max(len(f.parts) for f in files) + 1):
        names = ["/".join(f.with_suffix("").parts[-depth:]) for f in files]
        if len(set(names)) == len(names):
            return names
    return [str(f) for f in files]


def numbered(names: Sequence[str]) -> bool:
    """Whether names differ in a number alone, as ``sub-01`` and ``sub-02`` do."""
    return len({re.sub(r"\d+", "#", name) for name in names}) == 1 and len(names) > 1


def digest_of(files: Sequence[Path], request: Any) -> dict[str, str]:
    """What tells an import from another: digests of the files' contents and of the options."""
    contents = hashlib.sha256()
    for path in files:
        for one in sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]:
            contents.update(one.name.encode())
            with one.open("rb") as handle:
                contents.update(hashlib.file_digest(handle, "sha256").digest())
    options = {name: value for name, value in asdict(request).items() if name != "replace"}
    told = json.dumps(options, sort_keys=True, default=str)
    return {"files": contents.hexdigest(), "options": hashlib.sha256(told.encode()).hexdigest()}


def held_by(folder: Path) -> dict[str, Any] | None:
    """What ``import.json`` of a folder says; None where it holds no import."""
    try:
        facts = json.loads((folder / "import.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {} if (folder / "import.json").exists() else None
    return facts if isinstance(facts, dict) else {}


def free_folder(
    folder: Path, digest: dict[str, str], *, chosen: bool, replace: bool, echo: Callable[[str], object]
) -> Path:
    """Where results go without loss of another import: the folder, or ``NAME-2``, ``NAME-3`` and so on.

    An import of the same data with the same options is made again in its place; in a folder that the user has chosen,
    :func:`set_aside` keeps what is there.
    """
    free, n = folder, 1
    while not chosen and not replace and _another(free, digest):
        n += 1
        free = folder.with_name(f"{folder.name}-{n}")
    if free != folder:
        echo(f"{folder.name} holds {_told(folder, digest)}, which stays: results go to {free}")
    return free


def set_aside(folder: Path, digest: dict[str, str], *, replace: bool, echo: Callable[[str], object]) -> None:
    """Move the files of another import out of the way, into ``earlier-1``, ``earlier-2`` and so on; or remove them."""
    if not _another(folder, digest):
        return
    told, held = _told(folder, digest), held_by(folder) or {}
    there = [folder / name for name in (*held.get("files", ()), "import.json", "report.html")]
    there = [path for path in dict.fromkeys(there) if path.parent == folder and path.exists()]
    try:
        with TemporaryDirectory(dir=folder) as gone:
            n = 1 + sum(one.is_dir() for one in folder.glob("earlier-*"))
            target = Path(gone) if replace else folder / f"earlier-{n}"
            target.mkdir(exist_ok=replace)
            for path in there:
                path.rename(target / path.name)
    except OSError as error:
        raise MetacogError(f"could not write to {folder}: {error.strerror or error}") from error
    echo(f"{folder.name} held {told}: " + ("replaced, as asked" if replace else f"moved to {target}"))


def _another(folder: Path, digest: dict[str, str]) -> bool:
    """Whether a folder holds an import of other data or with other options."""
    held = held_by(folder)
    return held is not None and held.get("digest") != digest


def _told(folder: Path, digest: dict[str, str]) -> str:
    held = held_by(folder) or {}
    what = f"an import of {held['name']}" if held.get("name") else "another import"
    return what + " with other options" * (held.get("digest", {}).get("files") == digest["files"])
