"""Run a program with its chatter in the log, and say in one sentence why it failed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from metacog.core.errors import MetacogError


class Failed(MetacogError):
    """A program failed; the message is one sentence.

    ``hopeless`` is True where another way to build llama.cpp would fail alike (no disk, no network).
    """

    def __init__(self, message: str, *, hopeless: bool = False) -> None:
        super().__init__(message)
        self.hopeless = hopeless


class Log:
    """The log file: everything that programs print, with the commands that were run."""

    def __init__(self, path: Path, echo: Callable[[str], object] | None = None) -> None:
        self.path, self.echo = path, echo
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = open(path, "w", encoding="utf-8", errors="replace")
        except OSError as error:
            raise MetacogError(f"cannot write the log {path} ({error.strerror}): make room there") from None

    def write(self, line: str) -> None:
        with contextlib.suppress(OSError):  # a full disk is told of by whatever fills it
            self._file.write(line + "\n")
            self._file.flush()
        if self.echo:
            self.echo(line)


def run(
    command: Sequence[str],
    log: Log,
    *,
    doing: str,
    on_line: Callable[[str], object] = lambda line: None,
    environment: Mapping[str, str] | None = None,
) -> None:
    log.write("$ " + " ".join(f"{k}={v!r}" for k, v in (environment or {}).items()) + " " + " ".join(command))
    last: deque[str] = deque(maxlen=400)
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**inherited(), **(environment or {})},
            start_new_session=True,
        )
    except OSError as error:
        raise Failed(
            f"{doing} failed: {command[0]} cannot be run ({error.strerror})", hopeless=True
        ) from None
    assert process.stdout is not None
    try:
        for line in process.stdout:
            line = line.rstrip("\n")
            log.write(line)
            last.append(line)
            on_line(line)
        code = process.wait()
    except BaseException:
        _end(process)
        raise
    log.write(f"(exit status {code})")
    if code != 0:
        raise explain(doing, last, code)


#: What the output says, the sentence for it, and whether no other build could help.
_REASONS: tuple[tuple[str, str, bool], ...] = (
    (
        r"No space left on device|ENOSPC|Disk quota exceeded",
        "the disk is full: make room where the clone, the cache (METACOG_CACHE) and temporary files "
        "(TMPDIR) lie; set-up needs about 4 GB",
        True,
    ),
    (
        r"DO NOT MATCH THE HASHES|Expected sha256",
        "a downloaded package is not the one that requirements.lock pins (its checksum differs): try again; "
        "if that does not help, the index or a cache in between serves another file",
        True,
    ),
    (
        r"[Nn]ame resolution|Name or service not known|nodename nor servname|Connection refused|Max retries|"
        r"NewConnectionError|ConnectTimeout|Read timed out|Network is unreachable|ProxyError|"
        r"Connection to \S+ timed out",
        "the package index cannot be reached: check the network (and the proxy), then try again",
        True,
    ),
    (r"No matching distribution found for (\S+)", "the package index has no {0} for this system", True),
    (r"ensurepip is not|No module named (ensurepip|venv)", "", True),
    (r"Permission denied: '([^']+)'", "{0} cannot be written: mend its permissions", True),
    (r"exit code: -(?:2|15)\b", "somebody ended it; the same command begins it again", True),
    (
        r"Killed signal terminated program|exit code: -9\b|virtual memory exhausted|cannot allocate memory|"
        r"out of memory",
        "the compiler was killed, most likely because memory ran out: close programs, or build one file at a "
        "time with CMAKE_BUILD_PARALLEL_LEVEL=1 make setup",
        True,
    ),
    (r"(?:fatal )?error: (?!subprocess-exited)(.+)", "{0}", False),
    (r"ERROR: (.+)", "{0}", False),
)


def explain(doing: str, lines: Sequence[str], code: int) -> Failed:
    text = "\n".join(lines)
    for pattern, sentence, hopeless in _REASONS:
        if match := re.search(pattern, text):
            if not sentence:
                sentence = (
                    "this Python has no venv with pip: install it (Debian and Ubuntu: apt install "
                    "python3-venv), or name another Python with make PYTHON=python3.12"
                )
            return Failed(f"{doing} failed: {sentence.format(*match.groups())}", hopeless=hopeless)
    return Failed(f"{doing} failed with exit status {code}")


def inherited() -> dict[str, str]:
    """This process's variables, without the path by which it found its own source."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def _end(process: subprocess.Popen[str]) -> None:
    """End a program and what it started: pip does not end its compilers when it is ended."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()
