"""Starting a Python command as a fork of a process that has imported what it needs already.

``metacog book`` starts one such process (:mod:`metacog.book.forkserver`) and names its socket in the
environment. Without it, as on a cluster or from Snakemake called by hand, commands start as usual.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

#: Names the socket of the process that forks.
FORKSERVER = "METACOG_FORKSERVER"
#: Seconds to wait for a process that is still importing.
PATIENCE = 180.0
_PYTHONS = ("python", "python3")


def supported() -> bool:
    """Whether this system can fork safely, hand over open files and watch a process."""
    return (
        hasattr(os, "fork")
        and hasattr(os, "pidfd_open")
        and hasattr(socket, "recv_fds")
        and os.uname().sysname == "Linux"
    )


def module_call(command: Sequence[str]) -> list[str] | None:
    """A command as a module and its arguments; None if it runs no Python module."""
    program, *words = command
    if program == "metacog":
        return ["metacog.cli", *words]
    if program not in (*_PYTHONS, sys.executable):
        return None
    while words and words[0].startswith("-X"):  # such options tune a start that does not take place
        words = words[1:]
    return words[1:] if words[:1] == ["-m"] and len(words) > 1 else None


class ForkedProcess:
    """A command that runs in a fork; the part of :class:`subprocess.Popen` that we use.

    Attributes
    ----------
    args : list of str
    pid : int
    stdin, stdout, stderr : file or None
        Our ends of the pipes that were asked for.
    returncode : int or None
        As ``subprocess`` gives it.
    """

    def __init__(
        self, connection: socket.socket, args: Sequence[str], pid: int, pipes: Mapping[str, IO[bytes]]
    ) -> None:
        self.args, self.pid = list(args), pid
        self.stdin, self.stdout, self.stderr = (pipes.get(name) for name in ("stdin", "stdout", "stderr"))
        self.returncode: int | None = None
        self._connection = connection

    def poll(self) -> int | None:
        """Exit status if it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0.0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; the exit status.

        Raises
        ------
        subprocess.TimeoutExpired
        """
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                answer = _receive(self._connection)
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0) from None
            except OSError:
                answer = None
            if answer is None:  # nobody watches it any longer
                self.send_signal(signal.SIGKILL)
                self.returncode = -signal.SIGKILL
            else:
                self.returncode = int(answer["status"])
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it has not ended."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


def start(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    stdin: int | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
    start_new_session: bool = False,
) -> ForkedProcess | None:
    """Start a command as a fork; None if nobody forks for us, or not this one.

    Parameters
    ----------
    command : sequence of str
        ``metacog ...`` or ``python -m MODULE ...``.
    env : mapping, optional
        Environment, ours by default.
    cwd : str, optional
    stdin, stdout, stderr : int, optional
        As for :class:`subprocess.Popen`: ``PIPE``, a descriptor, for ``stderr`` also ``STDOUT``.
    start_new_session : bool
        Give it a session of its own.
    """
    environment = dict(os.environ if env is None else env)
    address = os.environ.get(FORKSERVER)
    call = module_call(command)
    if not address or call is None or not supported():
        return None
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        return None
    theirs: list[int] = []
    pipes: dict[str, IO[bytes]] = {}
    handed = [_end(name, given, theirs, pipes) for name, given in (("stdin", stdin), ("stdout", stdout))]
    handed.append(handed[1] if stderr == subprocess.STDOUT else _end("stderr", stderr, theirs, pipes))
    wanted = {
        "call": call,
        "environment": environment,
        "cwd": cwd or os.getcwd(),
        "new_session": start_new_session,
    }
    try:
        connection.settimeout(PATIENCE)
        _send(connection, wanted, handed)
        answer = _receive(connection)
    except OSError:
        answer = None
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    if answer is None or "pid" not in answer:
        connection.close()
        for pipe in pipes.values():
            pipe.close()
        return None
    return ForkedProcess(connection, command, answer["pid"], pipes)


def _end(name: str, given: int | None, theirs: list[int], pipes: dict[str, IO[bytes]]) -> int:
    """The descriptor that the command gets for one of its streams; our end of a pipe is kept in ``pipes``."""
    if given == subprocess.PIPE:
        reading, writing = os.pipe()
        ours, its = (writing, reading) if name == "stdin" else (reading, writing)
        pipes[name] = os.fdopen(ours, "wb" if name == "stdin" else "rb", 0 if name == "stdin" else -1)
        theirs.append(its)
        return its
    if given == subprocess.DEVNULL:
        theirs.append(os.open(os.devnull, os.O_RDWR))
        return theirs[-1]
    return {"stdin": 0, "stdout": 1, "stderr": 2}[name] if given is None else given


def _send(connection: socket.socket, message: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
    """Send one message, with open files if there are any."""
    body = json.dumps(message).encode() + b"\n"
    sent = socket.send_fds(connection, [body], list(descriptors)) if descriptors else 0
    connection.sendall(body[sent:])


def _receive(connection: socket.socket) -> dict[str, Any] | None:
    """The next message; None if the other side is gone.

    Read byte by byte after the first wait: messages are short, and no byte of a second one may be lost.
    """
    line = bytearray()
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            return None
        line += byte
        if len(line) == 1:
            connection.settimeout(PATIENCE)
    return dict(json.loads(line))
