"""Files of Inspect: ``.eval`` (a zip of JSON) and ``.json``, read sample by sample.

A sample of an ``.eval`` log is one member, ``samples/ID_epoch_N.json``, or a folder of members,
``samples/ID_epoch_N/``: its facts in ``sample.json``, what the evaluation knew of it in ``metadata.json``, and
messages, events, calls and attachments in numbered pieces. One log may hold both. Names may hold slashes.
"""

from __future__ import annotations

import json
import re
import struct
import sys
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.json_stream import entries

#: Newest version of the format that is known here: 3 is the one with folders.
NEWEST_VERSION = 3

_HEADERS = ("header.json", "_journal/start.json")
_ZSTANDARD = 93
_WHOLE = re.compile(r"samples/.+_epoch_\d+\.json", re.S)
_FOLDER = re.compile(r"(samples/.+_epoch_\d+/)sample\.json", re.S)
_REFERENCE = "attachment://"


@dataclass(frozen=True)
class Sample:
    """One sample of a log.

    Attributes
    ----------
    facts : dict
        As the log has it.
    attached : callable
        Gives the text that an attachment's name stands for, and any other text back as it is.
    """

    facts: dict[str, Any]
    attached: Callable[[str], str]


def files_of(path: Path) -> list[Path]:
    """Log files of a path: the file itself, or all ``.eval`` and ``.json`` logs in a folder."""
    if not path.is_dir():
        return [path]
    return sorted(f for f in path.rglob("*") if f.suffix == ".eval" or (f.suffix == ".json" and _is_log(f)))


def is_inspect(path: Path) -> bool:
    """True for an Inspect log, or a folder that holds one."""
    if path.is_dir():
        return bool(files_of(path))
    return path.suffix == ".eval" or (path.suffix == ".json" and path.is_file() and _is_log(path))


def _is_log(path: Path) -> bool:
    """Whether a JSON file has an Inspect log's first entries; reads no further than it must."""
    found: set[str] = set()
    try:
        for key, _ in entries(path, "samples"):
            found.add(key)
            if "eval" in found and found & {"samples", "status"}:
                return True
    except (OSError, ValueError):
        return False
    return False


def header_of(file: Path) -> dict[str, Any]:
    """Everything that a log says before its samples.

    Raises
    ------
    MetacogError
        If it cannot be read, or is of a version of the format that is not known here.
    """
    with _named(file):
        header = _json_header(file) if file.suffix == ".json" else _zip_header(file)
        version = header.get("version", 0)
    if isinstance(version, int) and version > NEWEST_VERSION:
        raise MetacogError(
            f"{file} is written in version {version} of Inspect's log format, of which versions to "
            f"{NEWEST_VERSION} are known here: convert it with an older inspect_ai, or export a table"
        )
    return header


def _json_header(file: Path) -> dict[str, Any]:
    header: dict[str, Any] = {}
    for key, value in entries(file, "samples"):
        if key == "samples" and "eval" in header:
            break
        if key != "samples":
            header[key] = value
    return header


def _zip_header(file: Path) -> dict[str, Any]:
    with zipfile.ZipFile(file) as archive:
        members = set(archive.namelist())
        name = next((name for name in _HEADERS if name in members), _HEADERS[-1])
        header: dict[str, Any] = json.loads(_member(archive, name))
    return header


def samples_of(file: Path) -> Iterator[Sample]:
    """The samples of a log, one at a time: no more than one of them is in memory.

    Raises
    ------
    MetacogError
        If the log cannot be read, or has no samples.
    """
    with _named(file):
        found = False
        for sample in _json_samples(file) if file.suffix == ".json" else _zip_samples(file):
            found = True
            yield sample
    if not found:
        raise MetacogError(f"{file} is a log without samples: it was written with --no-log-samples")


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """Errors of reading a file, with its name."""
    try:
        yield
    except FileNotFoundError:
        raise MetacogError(f"there is no file at {file}") from None
    except NotImplementedError:  # zipfile: a compression it does not know
        raise MetacogError(
            f"{file} is packed in a way that this Python cannot unpack: turn it into JSON with "
            "`inspect log convert --to json` and import that"
        ) from None
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, OSError) as error:
        raise MetacogError(f"{file} is not a readable Inspect log ({error})") from None


def _json_samples(file: Path) -> Iterator[Sample]:
    for key, value in entries(file, "samples"):
        if key == "samples" and isinstance(value, dict):
            yield _whole(value)


def _zip_samples(file: Path) -> Iterator[Sample]:
    with zipfile.ZipFile(file) as archive:
        names = sorted(set(archive.namelist()))
        for name in names:
            if _WHOLE.fullmatch(name):
                yield _whole(json.loads(_member(archive, name)))
            elif folder := _FOLDER.fullmatch(name):
                yield _in_pieces(archive, names, folder[1])


def _whole(facts: dict[str, Any]) -> Sample:
    """A sample that is one piece of JSON: attachments stand in it, by their digest."""
    attachments = facts.get("attachments") or {}

    def attached(text: str) -> str:
        return str(attachments.get(text.removeprefix(_REFERENCE), text))

    return Sample(facts, attached)


def _in_pieces(archive: zipfile.ZipFile, names: list[str], folder: str) -> Sample:
    """A sample in a folder of its own: attachments stand in pieces of a list, by their place in it."""
    facts = json.loads(_member(archive, f"{folder}sample.json"))
    metadata = f"{folder}metadata.json"
    place = bisect_left(names, metadata)
    if names[place : place + 1] == [metadata]:
        facts["metadata"] = json.loads(_member(archive, metadata))
    pieces: list[str] | None = None

    def attached(text: str) -> str:
        nonlocal pieces
        place = text.removeprefix(_REFERENCE)
        if place == text or not place.isdigit():
            return text
        if pieces is None:
            pieces = list(_listed(archive, names, f"{folder}attachments/"))
        return pieces[int(place)] if int(place) < len(pieces) else text

    return Sample(facts, attached)


def _listed(archive: zipfile.ZipFile, names: list[str], folder: str) -> Iterator[str]:
    """Elements of a list that is kept in pieces, each named by the place of its first element."""
    first = bisect_left(names, folder)
    last = bisect_left(names, f"{folder[:-1]}0")  # "0" comes after "/"
    starts = (name[len(folder) :].removesuffix(".json") for name in names[first:last])
    for start in sorted(int(start) for start in starts if start.isdigit()):
        yield from json.loads(_member(archive, f"{folder}{start}.json"))


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Contents of one file of a zip; also Zstandard (method 93), which zipfile learns in Python 3.14.

    The bytes stand behind the local header: 30 bytes, the name and an extra field, whose lengths are
    its last two numbers (PKWARE APPNOTE 4.3.7).
    """
    info = archive.getinfo(name)
    if info.compress_type != _ZSTANDARD or sys.version_info >= (3, 14):
        return archive.read(name)
    import pyarrow

    assert archive.fp is not None
    archive.fp.seek(info.header_offset)
    lengths = struct.unpack("<26xHH", archive.fp.read(30))
    archive.fp.seek(sum(lengths), 1)
    packed = pyarrow.py_buffer(archive.fp.read(info.compress_size))
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as stream:
        content = stream.read()
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile(f"{name} is damaged")
    return content
