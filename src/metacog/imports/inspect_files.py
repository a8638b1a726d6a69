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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.files import MALFORMED, cut, why
from metacog.imports.records import entries, first_record, objects

#: Newest version of the format that is known here: 3 is the one with folders.
NEWEST_VERSION = 3

#: Bytes that a file of a log may unpack to.
LARGEST = 1 << 28

_HEADERS = ("header.json", "_journal/start.json")

_ZSTANDARD = 93

_WHOLE = re.compile(r"samples/.+_epoch_\d+\.json", re.S)

_FOLDER = re.compile(r"(samples/.+_epoch_\d+/)sample\.json", re.S)

_REFERENCE = "attachment://"


@dataclass(frozen=True)
class Sample:
    """One sample of a log, and what gives the text that an attachment's name stands for, any other text as it is."""

    facts: dict[str, Any]
    attached: Callable[[str], str]


def files_of(path: Path) -> list[Path]:
    """Log files of a path: the file itself, or all ``.eval`` and ``.json`` logs in a folder."""
    if not path.is_dir():
        return [path]
    return sorted(f for f in path.rglob("*") if f.suffix == ".eval" or (f.suffix == ".json" and _is_log(f)))


def is_inspect(path: Path) -> bool:
    if path.is_dir():
        return bool(files_of(path))
    return path.suffix == ".eval" or (path.suffix == ".json" and path.is_file() and _is_log(path))


def _is_log(path: Path) -> bool:
    """Whether a JSON file has an Inspect log's first entries; reads no further than it must."""
    if (first := first_record(path)) is not None:
        return isinstance(first.get("eval"), dict) and "samples" in first
    found: set[str] = set()
    try:
        for key, _ in entries(path, "samples"):
            found.add(key)
            if "eval" in found and found & {"samples", "status"}:
                return True
    except (OSError, ValueError, RecursionError):
        return False
    return False


def logs_in(path: Path) -> Iterator[tuple[Path, dict[str, Any], Iterator[Sample]]]:
    """Each log of a file or folder with its header and its samples; a file may hold a list of logs."""
    for file in files_of(path):
        if file.suffix == ".json" and first_record(file) is not None:
            for log in objects(file):
                found = [_whole(one) for one in log.get("samples") or [] if isinstance(one, dict)]
                yield file, {key: value for key, value in log.items() if key != "samples"}, iter(found)
        else:
            yield file, header_of(file), samples_of(file)


def header_of(file: Path) -> dict[str, Any]:
    """Everything that a log says before its samples; versions that are not known here are refused."""
    with _named(file):
        header: Any = {}
        if file.suffix == ".json":
            for key, value in entries(file, "samples"):
                if key == "samples" and "eval" in header:
                    break
                if key != "samples":
                    header[key] = value
        else:
            with zipfile.ZipFile(file) as archive:
                header = json.loads(_member(archive, _HEADERS[_HEADERS[0] not in archive.namelist()]))
        if not isinstance(header, dict) or not isinstance(header.get("eval", {}), dict):
            raise ValueError("it has no header")
        version = header.get("version", 0)
    if isinstance(version, int) and version > NEWEST_VERSION:
        raise MetacogError(
            f"{file} is written in version {version} of Inspect's log format, of which versions to "
            f"{NEWEST_VERSION} are known here: convert it with an older inspect_ai, or export a table"
        )
    return header


def samples_of(file: Path) -> Iterator[Sample]:
    """The samples of a log, no more than one of them in memory; a log that has none is refused."""
    samples = _samples(file)
    with _named(file):
        if (first := next(samples, None)) is not None:
            yield first
            yield from samples
            return
    header = header_of(file)
    failed = header.get("status", "success") != "success"
    why_not = f"it ended as {_ended(header)}" if failed else "it was written with --no-log-samples"
    raise MetacogError(f"{file} is a log without samples: {why_not}")


def _ended(header: dict[str, Any]) -> str:
    error = header.get("error")
    said = error.get("message") if isinstance(error, dict) else error
    return f"{header['status']!r}" + (f" ({cut(str(said).strip(), 200)})" if said else "")


@contextmanager
def _named(file: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise MetacogError(f"there is no file at {file}") from None
    except NotImplementedError:  # zipfile: a compression it does not know
        raise MetacogError(
            f"{file} is packed in a way that this Python cannot unpack: turn it into JSON with "
            "`inspect log convert --to json` and import that"
        ) from None
    except (zipfile.BadZipFile, zlib.error, *MALFORMED) as error:
        raise MetacogError(f"{file} is not a readable Inspect log ({why(error)})") from None


def _samples(file: Path) -> Iterator[Sample]:
    if file.suffix == ".json":
        for key, value in entries(file, "samples"):
            if key == "samples" and isinstance(value, dict):
                yield _whole(value)
        return
    with zipfile.ZipFile(file) as archive:
        names = sorted(set(archive.namelist()))
        for name in names:
            if _WHOLE.fullmatch(name):
                yield _whole(json.loads(_member(archive, name)))
            elif folder := _FOLDER.fullmatch(name):
                yield _in_pieces(archive, names, folder[1])


def _whole(facts: dict[str, Any]) -> Sample:
    """A sample that is one piece of JSON: attachments stand in it, by their digest."""
    attachments = facts.get("attachments") or (facts.get("transcript") or {}).get("content") or {}
    return Sample(facts, lambda text: str(attachments.get(text.removeprefix(_REFERENCE), text)))


def _in_pieces(archive: zipfile.ZipFile, names: list[str], folder: str) -> Sample:
    """A sample in a folder of its own: attachments stand in pieces of a list, by their place in it."""
    facts = json.loads(_member(archive, f"{folder}sample.json"))
    with suppress(KeyError):
        facts["metadata"] = json.loads(_member(archive, f"{folder}metadata.json"))

    @cache
    def attachments() -> list[str]:
        """All of them; each piece is named by the place of its first."""
        first, end = f"{folder}attachments/", f"{folder}attachments0"  # "0" comes after "/"
        inside = names[bisect_left(names, first) : bisect_left(names, end)]
        starts = (name.removeprefix(first).removesuffix(".json") for name in inside)
        pieces = sorted(int(start) for start in starts if start.isdigit())
        return [text for start in pieces for text in json.loads(_member(archive, f"{first}{start}.json"))]

    def attached(text: str) -> str:
        place = text.removeprefix(_REFERENCE)
        named = place != text and place.isdigit() and int(place) < len(attachments())
        return attachments()[int(place)] if named else text

    return Sample(facts, attached)


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Contents of one file of a zip; also Zstandard (method 93), which zipfile learns in Python 3.14.

    The bytes stand behind the local header: 30 bytes, the name and an extra field, whose lengths are
    its last two numbers (PKWARE APPNOTE 4.3.7).
    """
    info = archive.getinfo(name)
    if info.file_size > LARGEST:
        raise zipfile.BadZipFile(f"{name} would unpack to more than {LARGEST / 1e6:.0f} MB")
    if info.compress_type != _ZSTANDARD or sys.version_info >= (3, 14):
        return archive.read(name)
    import pyarrow

    assert archive.fp is not None
    archive.fp.seek(info.header_offset)
    archive.fp.seek(sum(struct.unpack("<26xHH", archive.fp.read(30))), 1)
    packed = pyarrow.py_buffer(archive.fp.read(info.compress_size))
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as stream:
        content = stream.read(info.file_size + 1)
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile(f"{name} is damaged")
    return content
