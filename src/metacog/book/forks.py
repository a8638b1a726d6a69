"""The process that forks for one ``metacog book``: where its socket lies, when it starts, and its end."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from metacog.book.forked import FORKSERVER, supported
from metacog.core.paths import project_root

#: Variables that Snakemake sets to the threads of a step; one, but for steps that ask a model.
THREADS = (
    "OMP_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


@dataclass
class Forks:
    """A socket that steps know of, and the process behind it once there are steps.

    Parameters
    ----------
    listener : socket, optional
        None where this system cannot fork.
    """

    listener: socket.socket | None = None
    server: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process; who asks before it has imported everything waits."""
        if self.listener is None:
            return
        descriptor = self.listener.fileno()
        environment = {k: v for k, v in os.environ.items() if k != FORKSERVER}
        self.server = subprocess.Popen(
            [sys.executable, "-m", "metacog.book", "forkserver", str(descriptor)],
            cwd=project_root(),
            env=environment | dict.fromkeys(THREADS, "1"),
            stdin=subprocess.PIPE,  # it ends when this does
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # what cannot be imported is told by the step that needs it
            pass_fds=[descriptor],
        )
        self._let_go()

    def stop(self) -> None:
        """End the process, with what it still runs."""
        self._let_go()
        if self.server is not None and self.server.stdin is not None:
            self.server.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.server.wait(5.0)
            if self.server.poll() is None:
                self.server.kill()
                self.server.wait()

    def _let_go(self) -> None:
        """Leave the socket to the process alone: where that dies, who asks is told at once."""
        if self.listener is not None:
            self.listener.close()
            self.listener = None


@contextlib.contextmanager
def forks() -> Iterator[Forks]:
    """Prepare a socket, name it in the environment, and take both away at the end."""
    if not supported():
        yield Forks()
        return
    before = os.environ.get(FORKSERVER)
    with tempfile.TemporaryDirectory(prefix="metacog-") as folder:
        address = str(Path(folder) / "forks")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(address)
        listener.listen(64)
        os.environ[FORKSERVER] = address
        prepared = Forks(listener)
        try:
            yield prepared
        finally:
            prepared.stop()
            os.environ.pop(FORKSERVER)
            if before is not None:
                os.environ[FORKSERVER] = before
