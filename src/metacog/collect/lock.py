"""The lock on a run's folder: one process at a time collects into it."""

from __future__ import annotations

import contextlib
import errno
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns where the system has no locks; exclusive() says it better
    import filelock

from metacog.core.errors import MetacogError

#: What file systems answer that know no locks (some network file systems, unless mounted with them).
_NO_LOCKS = {
    getattr(errno, name) for name in ("ENOSYS", "ENOLCK", "ENOTSUP", "EOPNOTSUPP") if hasattr(errno, name)
}


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Hold a run folder for one process; the lock goes with the process, however it ends.

    Where the system or the file system has no locks, a marker file stands for one. It is taken away
    at the end, and a marker of a process of this machine that has died is not minded.

    Raises
    ------
    MetacogError
        If another process is collecting into the folder, or it cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = _acquire(folder)
    except filelock.Timeout:
        raise MetacogError(
            f"another process is collecting into {folder}: wait for it, or choose another folder"
        ) from None
    except OSError as error:
        raise MetacogError(f"cannot write to {folder}: {error.strerror or error}") from error
    try:
        yield
    finally:
        lock.release()


def _acquire(folder: Path) -> filelock.BaseFileLock:
    """A lock of the operating system where there is one, else a marker."""
    if not issubclass(filelock.FileLock, filelock.SoftFileLock):
        lock = filelock.FileLock(folder / "lock", blocking=False, fallback_to_soft=False)
        try:
            lock.acquire()
            return lock
        except OSError as error:
            if isinstance(error, filelock.Timeout) or error.errno not in _NO_LOCKS:
                raise
    marker = folder / "lock.held"
    print(
        f"the file system of {folder} has no locks: the file {marker.name} stands for one. Should a run be "
        "killed on another machine, delete that file",
        file=sys.stderr,
    )
    soft = filelock.SoftFileLock(marker, blocking=False)
    try:
        soft.acquire()
    except filelock.Timeout:
        raise MetacogError(
            f"another process is collecting into {folder}, or was killed on another machine: wait for the "
            f"first; for the second delete {marker}"
        ) from None
    return soft
