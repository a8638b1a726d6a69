"""Files: written whole or not at all, and read line by line."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from metacog.core.errors import MetacogError


@contextmanager
def replacing(path: Path, mode: str = "w", *, newline: str | None = None) -> Iterator[IO[Any]]:
    """Write a file under a temporary name; where the block ends well it is flushed to disk and renamed.

    Parameters
    ----------
    path : Path
        Final name; the folder is made if need be.
    mode : {"w", "wb"}
        UTF-8 text or bytes.
    newline : str, optional
        As :func:`open` takes it.

    Raises
    ------
    MetacogError
        If the disk is full or the folder cannot be written; what was there before stays, and nothing else
        is left behind.
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
        raise MetacogError(
            f"could not write {path}: {error.strerror or error}. Make room or choose another folder; "
            "what was written before is safe, and the same command goes on from there"
        ) from error
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
    """SHA-256 of a file, as 64 hexadecimal digits."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Records of a JSON-lines file, each with the number of its line; empty lines are passed over.

    Raises
    ------
    MetacogError
        If there is no such file, or it is no UTF-8 text; naming the first line that is no JSON object.
    """
    try:
        with open(path, encoding="utf-8-sig") as handle:
            for number, line in enumerate(handle, start=1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except json.JSONDecodeError as error:
                    raise MetacogError(f"{path}, line {number}: not valid JSON ({error.msg})") from None
                if not isinstance(record, dict):
                    raise MetacogError(f"{path}, line {number}: not a JSON object")
                yield number, record
    except FileNotFoundError:
        raise MetacogError(f"there is no file at {path}") from None
    except UnicodeDecodeError:
        raise MetacogError(f"{path} is not UTF-8 text: delete it and fetch it again") from None
