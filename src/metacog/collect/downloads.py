"""Files from their publishers, with a checksum, into the cache."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.paths import cache_dir, data_home


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, as 64 hexadecimal digits."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def check_sha256(path: Path, expected: str, what: str) -> str:
    """Compare a file with its checksum.

    A verified file is remembered next to itself by size and time, so that gigabytes are not
    hashed on every start.

    Raises
    ------
    MetacogError
        If they differ; says how the file can be fetched again.
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
    try:
        seal.parent.mkdir(parents=True, exist_ok=True)
        seal.write_text(stamp)
    except OSError:
        pass  # only a shortcut for the next start
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
    pin.parent.mkdir(parents=True, exist_ok=True)
    pin.write_text(found)
    return found


def fetch(url: str, file: str, sha256: str | None, what: str) -> Path:
    """Path of a file: from the data folder if it lies there, else downloaded once.

    Parameters
    ----------
    url : str
        The publisher's address.
    file : str
        Path below ``METACOG_DATA_HOME`` and below the cache's ``data`` folder.
    sha256 : str or None
        Checksum; None pins the first download's.
    what : str
        Name for messages.

    Raises
    ------
    MetacogError
        If the download fails or the checksum differs.
    """
    home = data_home()
    if home is not None and (home / file).is_file():
        pinned_sha256(home / file, sha256, what)
        return home / file
    target = cache_dir() / "data" / file
    if not target.is_file():
        import pooch  # here: it comes with the extra `ask`

        try:
            pooch.retrieve(url, known_hash=sha256, fname=target.name, path=target.parent, progressbar=True)
        except ValueError as error:
            raise MetacogError(
                f"{what}: the download's checksum is wrong ({error}); nothing was kept"
            ) from None
        except Exception as error:
            raise MetacogError(
                f"{what}: could not download {url} ({type(error).__name__}). "
                f"Check the network, or put the file at {target} or below METACOG_DATA_HOME as {file}"
            ) from None
    pinned_sha256(target, sha256, what)
    return target


def dataset_files(name: str, entry: dict[str, Any]) -> list[Path]:
    """All files of one entry of ``config/datasets.yaml``."""
    parts = entry.get("parts") or [{key: entry.get(key) for key in ("url", "file", "sha256")}]
    return [fetch(part["url"], part["file"], part["sha256"], name) for part in parts]
