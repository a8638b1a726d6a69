"""The lock on a folder that is written to."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from metacog.core.errors import MetacogError
from metacog.core.files import shortage

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
