"""Running a command in a process of its own, so that its death can be told and nobody outlives anybody.

A process that dies of an illegal instruction or is killed for want of memory cannot say so itself. Its parent can. The
child's standard input is a pipe that the parent holds: it ends when the parent does, however that happens, and the
child then ends too.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from metacog.core.death import obituary, signal_of
from metacog.core.events import EVENTS, Follower

#: Set for a process whose standard input ends with its parent.
LIFELINE = "METACOG_LIFELINE"
#: Seconds that a process which was asked to end may take.
GRACE = 5.0
#: Exit status after an interruption, as shells have it.
INTERRUPTED = 130
#: This program, whatever lies in the working folder (-P).
METACOG = (sys.executable, "-P", "-m", "metacog")


_children: set[subprocess.Popen[bytes]] = set()


@dataclass(frozen=True)
class Ended:
    """How a child ended: its status as ``subprocess`` gives it, and whether we had been asked to stop."""

    status: int
    stopped: bool


def hold_lifeline() -> bool:
    """In a supervised process: end with the parent from now on. True if there is such a parent."""
    if LIFELINE not in os.environ:
        return False
    del os.environ[LIFELINE]

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        for child in list(_children):
            child.terminate()
        os._exit(INTERRUPTED)  # at any moment, as kill -9 would; parts are written to survive that

    threading.Thread(target=wait, daemon=True, name="lifeline").start()
    return True


def run_child(command: Sequence[str], environment: dict[str, str] | None = None) -> Ended:
    """Run a command to its end, ``environment`` added to ours; a signal to us that asks to stop is passed on."""
    whole = {**os.environ, **(environment or {}), LIFELINE: "1"}
    child = subprocess.Popen(list(command), stdin=subprocess.PIPE, env=whole)
    _children.add(child)
    with _passing_on(child) as stopped:
        status = child.wait()
    return Ended(status, stopped.is_set())


@contextlib.contextmanager
def _passing_on(child: subprocess.Popen[bytes]) -> Iterator[threading.Event]:
    """While it lasts, signals that ask us to stop stop the child; the event says that one came."""
    stopped = threading.Event()

    def stop(number: int, _: FrameType | None) -> None:
        stopped.set()
        if number == signal.SIGINT:  # a terminal has sent it to the child as well
            late = threading.Timer(GRACE, child.terminate)
            late.daemon = True
            late.start()
        else:
            child.terminate()

    try:
        with asked_to_stop(stop):
            yield stopped
    finally:
        _children.discard(child)
        if child.stdin is not None:
            child.stdin.close()


@contextlib.contextmanager
def asked_to_stop(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """While it lasts, a signal that asks us to stop goes to a handler; in the main thread, which alone gets them."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                before[name] = signal.signal(getattr(signal, name), handler)
    try:
        yield
    finally:
        for name, former in before.items():
            signal.signal(getattr(signal, name), former)


def run_self(arguments: Sequence[str], doing: str, complain: Callable[[str], object]) -> int:
    """Run this program in a child and say in one sentence if that died; the child's status, or 128 and its signal.

    ``doing`` is what it does, in case the child dies before it has reported it; ``complain`` takes the sentence.
    """
    with tempfile.TemporaryDirectory(prefix="metacog-") as folder:
        notes = Path(folder) / "events.jsonl"
        ended = run_child([*METACOG, *arguments], {EVENTS: str(notes)})
        reported = [event.facts["what"] for event in Follower(notes).new() if event.kind == "progress"]
    kept = "what was collected is kept, and the same command goes on from there"
    if ended.stopped and ended.status:
        complain(f"stopped: {kept}")
        return INTERRUPTED
    sentence = obituary(ended.status, reported[-1] if reported else doing)
    if sentence is None:
        return ended.status
    complain(f"{sentence}. {kept.capitalize()}")
    return 128 + signal_of(ended.status)
