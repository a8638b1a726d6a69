"""Files: written whole or not at all, and read line by line."""

from __future__ import annotations

import csv
import errno
import hashlib
import json
import math
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from metacog.core.errors import MetacogError

_MEANING = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RuntimeError)
#: What is raised where a file holds something else than it should.
MALFORMED = (*_MEANING, OSError, MemoryError, csv.Error)


#: What a disk answers that takes nothing: it is full, read-only or broken, or the folder is somebody else's.
_NO_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM}
KEPT = "what was written before is safe, and the same command goes on from there"


def shortage(error: BaseException) -> str:
    """What is said where there was no room to write or no memory, and what to do; empty for any other error."""
    if isinstance(error, MemoryError):
        return f"memory ran out: close other programs, or take a smaller model; {KEPT}"
    if not isinstance(error, OSError) or error.errno not in _NO_WRITING:
        return ""
    what = f" {error.filename}" if error.filename else ""
    return f"could not write{what}: {error.strerror}. Make room or choose another folder; {KEPT}"


@contextmanager
def reading(path: Path | str, what: str) -> Iterator[None]:
    """Read a file that other people or programs made: whatever is wrong with it is one short error.

    ``path`` may be what a set of files is called; ``what`` is what it should be, in words.
    """
    try:
        yield
    except FileNotFoundError as error:
        raise MetacogError(f"there is no file at {error.filename or path}") from None
    except MALFORMED as error:
        raise MetacogError(f"{path} is not a readable {what} ({why(error)})") from None


def why(error: BaseException) -> str:
    """What went wrong, in one short line."""
    if isinstance(error, KeyError):
        return cut(f"it lacks {error}")
    return cut((str(error).splitlines() or [""])[0] or type(error).__name__)


def cut(text: str, most: int = 300) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


#: A whole number so long may be none that a float can be.
_LONG = re.compile(r"\d{309}")


def from_json(text: str) -> Any:
    """A value from JSON; halves of characters, which cannot be written to a file, become question marks.

    Whole numbers that are too large for a float are infinite, as others are. What is no JSON, or nested too deeply, is
    a ``ValueError``.
    """
    try:
        value = json.loads(text, parse_int=_whole if _LONG.search(text) else None)
        if "\\ud" in text.lower():
            value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def _whole(digits: str) -> float:
    return bounded(int(digits))


def bounded(number: int) -> float:
    """A whole number, or infinity for one that no float can be."""
    try:
        float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
    return number


@contextmanager
def replacing(path: Path, mode: str = "w", *, newline: str | None = None) -> Iterator[IO[Any]]:
    """Write a file, UTF-8 or bytes, under a temporary name; where the block ends well it is on disk and renamed.

    Where that fails, what was there before stays, and nothing else is left behind.
    """
    temporary = path.with_name(f"{path.name}.tmp{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, mode, encoding=None if "b" in mode else "utf-8", newline=newline) as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        error.filename = path
        what = f"could not write {path}: {error.strerror or error}. Choose another folder"
        raise MetacogError(shortage(error) or what) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def _sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, so that a rename survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_of(path: Path) -> str:
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Records of a JSON-lines file, each with the number of its line; empty lines are passed over.

    The error names the first line that is no JSON object.
    """
    try:
        with open(path, encoding="utf-8-sig") as handle:
            for number, line in enumerate(handle, start=1):
                if not line.strip():
                    continue
                try:
                    record = from_json(line)
                except ValueError as error:
                    raise MetacogError(
                        f"{path}, line {number}: not valid JSON ({getattr(error, 'msg', why(error))})"
                    ) from None
                if not isinstance(record, dict):
                    raise MetacogError(f"{path}, line {number}: not a JSON object")
                yield number, record
    except FileNotFoundError:
        raise MetacogError(f"there is no file at {path}") from None
    except UnicodeDecodeError:
        raise MetacogError(f"{path} is not UTF-8 text: delete it and fetch it again") from None
    except OSError as error:
        raise MetacogError(f"{path} cannot be read ({error.strerror})") from None
