"""What counts as a breach, and one input judged.

A breach is an exception that is not the house's short error, an input that takes more than :data:`SECONDS` of the
processor and more than :data:`TIMES` what pandas takes for a wide table then and there, or memory beyond
:data:`BYTES`, a message of more than :data:`LETTERS`, or a file outside its folder.
"""

from __future__ import annotations

import gc
import io
import resource
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

SECONDS = 2.0
#: A machine that is busy, or a process that holds much, is slow at everything: its own pace is measured beside.
TIMES = 4.0
BYTES = 1 << 30
LETTERS = 3_100
#: Seconds of the processor after which an input is stopped.
HANG = 15.0


@dataclass(frozen=True)
class Breach:
    """What an input did that it must not; ``where`` is the function of the package that it was in last."""

    target: str
    kind: str
    what: str
    where: str
    data: bytes

    @property
    def name(self) -> str:
        """The same for inputs that find the same."""
        return f"{self.target}: {self.kind} {self.what.split(':')[0]} in {self.where}"


class Escaped(Exception):
    """A file was written outside its folder."""


class Hang(BaseException):
    """An input took too long to be waited for."""


def judge(target: str, read: Callable[[bytes], object], data: bytes) -> Breach | None:
    """Give an input to a target; what it did wrong, or None."""
    from metacog.core.errors import MetacogError
    from metacog.sdt import InputError

    begun = time.process_time()
    try:
        with _stopped(), _uncollected():
            read(data)
    except (MetacogError, InputError) as error:
        if len(str(error)) > LETTERS:
            return Breach(target, "message", f"{len(str(error))} letters", _where(error), data)
    except (Exception, Hang) as error:
        memory = isinstance(error, MemoryError)
        kind = "time" if isinstance(error, Hang) else "memory" if memory else "exception"
        first = (str(error).splitlines() or [""])[0][:200]
        return Breach(target, kind, f"{type(error).__name__}: {first}", _where(error), data)
    if (took := time.process_time() - begun) > SECONDS and took > TIMES * _pace():
        return Breach(target, "time", f"{took:.1f} s", "", data)
    return None


def confirmed(target: str, read: Callable[[bytes], object], data: bytes) -> Breach | None:
    """A breach that the same input shows twice, so that what is loaded once is not taken for time."""
    found = judge(target, read, data)
    return judge(target, read, data) if found is not None and found.kind == "time" else found


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if f"{Path('src') / 'metacog'}" in f.filename.replace("\\", "/")]
    return f"{Path(ours[-1].filename).stem}.{ours[-1].name}" if ours else ""


def _pace() -> float:
    """Seconds of the processor that pandas takes here and now to read a table of 30,000 columns."""
    wide = io.StringIO("," * 30_000 + "\n1\n")
    begun = time.process_time()
    with _uncollected():
        pd.read_csv(wide)
    return time.process_time() - begun


@contextmanager
def _uncollected() -> Any:
    """Without the collection of garbage, which takes the longer the more the process holds from before."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


@contextmanager
def _stopped() -> Any:
    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def limit_memory(more: int = BYTES) -> None:
    """Let this process take so many bytes more than it has, and no more (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
