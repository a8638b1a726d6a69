"""Files from their publishers, with a checksum, into the cache."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.files import replacing, sha256_of
from metacog.core.paths import cache_dir, data_home, in_cache


def check_sha256(path: Path, expected: str, what: str) -> str:
    """Compare a file with its checksum.

    A verified file is remembered next to itself by size and time, so that gigabytes are not hashed on every start.
    """
    stat = path.stat()
    stamp = f"{expected} {stat.st_size} {stat.st_mtime_ns}"
    seal = cache_dir() / "verified" / hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:24]
    if seal.is_file() and seal.read_text() == stamp:
        return expected
    found = sha256_of(path)
    if found != expected:
        raise MetacogError(
            f"{what}: {path} has sha256 {found[:12]}..., expected {expected[:12]}...: "
            "the file is damaged or another version; delete it and fetch it again"
        )
    with contextlib.suppress(OSError):  # only a shortcut for the next start
        seal.parent.mkdir(parents=True, exist_ok=True)
        seal.write_text(stamp)
    return expected


def pinned_sha256(path: Path, expected: str | None, what: str) -> str:
    """Checksum of a file that may not have a published one yet.

    With ``expected``, as :func:`check_sha256`. Without, the checksum of the first use is kept
    in the cache and later uses are held to it.
    """
    if expected:
        return check_sha256(path, expected, what)
    pin = cache_dir() / "pins" / hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:24]
    if pin.is_file():
        return check_sha256(path, pin.read_text().strip(), what)
    found = sha256_of(path)
    with replacing(pin) as handle:  # half a checksum would pass for that of another file
        handle.write(found)
    return found


def fetch(url: str, file: str, sha256: str | None, what: str, otherwise: str = "") -> Path:
    """Path of a file: from the data folder if it lies there, else downloaded once.

    ``file``: path below ``METACOG_DATA_HOME`` and below the cache's ``data`` folder; ``sha256``: checksum; None
    pins the first download's; ``otherwise``: what else can be done where it cannot be had.
    """
    home = data_home()
    if home is not None and (home / file).is_file():
        pinned_sha256(home / file, sha256, what)
        return home / file
    target = in_cache("data", file)
    if not target.is_file():
        put = f"Check the network, or put the file at {target} or below METACOG_DATA_HOME as {file}"
        retrieve(url, target, sha256, what, put + otherwise)
    pinned_sha256(target, sha256, what)
    return target


def retrieve(url: str, target: Path, sha256: str | None, what: str, otherwise: str) -> None:
    """Download a file to its place; ``otherwise`` says what else can be done."""
    import pooch  # here: it comes with the extra `ask`

    try:
        pooch.retrieve(url, known_hash=sha256, fname=target.name, path=target.parent, progressbar=True)
    except ValueError as error:
        raise MetacogError(f"{what}: the download's checksum is wrong ({error}); nothing was kept") from None
    except Exception as error:
        raise MetacogError(
            f"{what}: could not download {url} ({type(error).__name__}). {otherwise}"
        ) from None


def dataset_files(name: str, entry: dict[str, Any]) -> list[Path]:
    parts = entry.get("parts") or [{key: entry.get(key) for key in ("url", "file", "sha256")}]
    other = (
        f"; for a paper, --instead {name}={entry['stand_in']} asks a set of this book"
        if "stand_in" in entry
        else ""
    )
    return [fetch(part["url"], part["file"], part["sha256"], name, other) for part in parts]
