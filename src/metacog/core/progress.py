"""How far a long piece of work has come: a bar on a terminal, few lines without one.

Notes from a process to the one that watches it: JSON lines in a file that the environment names.

A command started by hand has no such file, and then nothing is written.

Running a command in a process of its own, so that its death can be told and nobody outlives anybody.

A process that dies of an illegal instruction or is killed for want of memory cannot say so itself.
Its parent can. The child's standard input is a pipe that the parent holds: it ends when the parent
does, however that happens, and the child then ends too.

What it means when a process dies of a signal, and what to do about it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

#: Names the file of notes.
EVENTS = "METACOG_EVENTS"
#: Names the step of the book that a process works for.
STEP = "METACOG_STEP"


@dataclass(frozen=True)
class Event:
    """One note: what kind it is, the step it belongs to, when it was written, and its facts."""

    kind: str
    step: str
    time: float
    facts: dict[str, Any] = field(default_factory=dict)


def emit(kind: str, **facts: Any) -> None:
    """Write a note, if somebody reads them; a note that cannot be written is no reason to stop."""
    path = os.environ.get(EVENTS)
    if not path:
        return
    note = {"kind": kind, "step": os.environ.get(STEP, ""), "time": time.time(), "facts": facts}
    with contextlib.suppress(OSError):
        place = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:  # one write, so that notes of several processes do not run into each other
            os.write(place, f"\n{json.dumps(note)}\n".encode())  # a line of its own, also after half of one
        finally:
            os.close(place)


def so_far() -> list[Event]:
    """Notes written so far by this process and by others that the same one watches."""
    path = os.environ.get(EVENTS)
    return Follower(Path(path)).new() if path else []


class Follower:
    """Reads a file of notes while it grows.

    Parameters
    ----------
    path : Path
        Need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = 0

    def new(self) -> list[Event]:
        """Notes written since the last call; half a line is left for the next, and is none if it never ends."""
        try:
            with open(self.path, "rb") as handle:
                handle.seek(self._read)
                text = handle.read()
        except FileNotFoundError:
            return []
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        notes = []
        for line in whole.splitlines():
            with contextlib.suppress(ValueError):  # empty, or what a killed process had of its note
                notes.append(Event(**json.loads(line)))
        return notes


#: Without a terminal: seconds between two lines, and the share by which the work must have moved on ...
LINE_SECONDS, LINE_SHARE = 30.0, 0.1
#: ... unless so many seconds have passed without a line.
SILENT_SECONDS = 600.0
_NOTE_SECONDS = 0.5


class Pace:
    """Says when another line is due, so that a log of hours stays short."""

    def __init__(self, share: float = 0.0) -> None:
        self._shown, self._share = time.monotonic(), share

    def due(self, share: float) -> bool:
        """True if a line at this share of the work should be printed now; it is then counted as printed."""
        now = time.monotonic()
        waited = now - self._shown
        moved = share - self._share >= LINE_SHARE - 1e-9
        if waited < LINE_SECONDS or not (moved or waited >= SILENT_SECONDS):
            return False
        self._shown, self._share = now, share
        return True


def duration(seconds: float) -> str:
    """Seconds as people say them: ``45 s``, ``2:29 min``, ``1:05 h``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02d} h"


def share_and_time_left(total: int, done: int, first: int, seconds: float, unit: str) -> str:
    """``43 % of 9,128 trials, 34.8 a second, 2:29 min left``.

    Parameters
    ----------
    total, done : int
    first : int
        Done before this start; the rate counts what came after.
    seconds : float
        Since this start.
    unit : str
    """
    text = f"{100 * done // max(total, 1)} % of {total:,} {unit}"
    if done <= first or seconds <= 0:
        return text
    rate = (done - first) / seconds
    return f"{text}, {rate:.1f} a second, {duration((total - done) / rate)} left"


def remark(text: str) -> None:
    """Print a line above whatever bar is drawn, and note it for a watching process."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        tqdm.write(text, file=sys.stderr)
    else:
        print(text, file=sys.stderr, flush=True)
    emit("remark", text=text)


class Progress:
    """The bar of one piece of work; also notes its state for a watching process.

    Parameters
    ----------
    what : str
        What is being done, as in "collecting smollm2-135m on bank".
    total, done : int
    unit : str
        Of ``total``, in the plural.
    show : bool
        False prints nothing.
    """

    def __init__(
        self, what: str, total: int, done: int = 0, *, unit: str = "trials", show: bool = True
    ) -> None:
        self.what, self.total, self.done, self.unit = what, total, done, unit
        self._first, self._show, self._begun = done, show, False
        self._bar: Any = None
        self._started = self._noted = time.monotonic()
        self._pace = Pace(done / max(total, 1))
        self._note()

    def begin(self) -> None:
        """Draw the bar; the time that loading took before does not count towards the rate."""
        if self._begun:
            return
        self._begun, self._started = True, time.monotonic()
        if self._show and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                total=self.total, initial=self.done, desc=self.what, unit=f" {self.unit}", mininterval=0.5
            )

    def turn_to(self, what: str, kept: int = 0) -> None:
        """Go on with the next part of the work, of which ``kept`` was done before this start."""
        self.what = what
        self.done += kept
        self._first += kept
        if self._bar is not None:
            self._bar.set_description(what, refresh=False)
            self._bar.initial += kept
            self._bar.update(kept)
        self._note()

    def update(self, n: int) -> None:
        """Count ``n`` more as done."""
        self.done += n
        if self._bar is not None:
            self._bar.update(n)
        elif self._show and self.done < self.total and self._pace.due(self.done / max(self.total, 1)):
            seconds = time.monotonic() - self._started
            words = share_and_time_left(self.total, self.done, self._first, seconds, self.unit)
            print(f"{self.what}: {words}", file=sys.stderr, flush=True)
        if self.done >= self.total or time.monotonic() - self._noted >= _NOTE_SECONDS:
            self._note()

    def close(self) -> None:
        """Leave the bar as it stands."""
        if self._bar is not None:
            self._bar.close()

    def _note(self) -> None:
        self._noted = time.monotonic()
        emit(
            "progress",
            what=self.what,
            total=self.total,
            done=self.done,
            first=self._first,
            unit=self.unit,
            seconds=self._noted - self._started,
        )


#: What mends a build of llama.cpp that does not fit.
REBUILD = (
    "build it again here with `rm -rf .venv && make setup`, or for processors that differ with "
    "`make setup PORTABLE=1`"
)
_COMPILED = (
    "a fault in compiled code, most likely in llama.cpp",
    (f"{REBUILD}; if it comes back, report it with what `metacog doctor` prints"),
)
#: Signal to cause and remedy. By name, since not every system knows every signal.
_MEANINGS = {
    "SIGILL": ("llama.cpp was built for another processor than this one", REBUILD),
    "SIGKILL": (
        "the system ended it, most likely because memory ran out",
        "close other programs, or take a smaller model or a smaller `width` or `n_ctx` in the profile's "
        "engine settings",
    ),
    "SIGSEGV": _COMPILED,
    "SIGFPE": _COMPILED,
    "SIGBUS": (
        "a file it had open was cut short, or the disk is full",
        "make room, then let `metacog doctor` check the models' files",
    ),
    "SIGABRT": (
        "a library gave up",
        "the lines printed before say why; `metacog doctor` says what to mend",
    ),
    "SIGTERM": ("somebody asked it to end", "start it again"),
    "SIGHUP": ("its terminal was closed", "start it again"),
    "SIGINT": ("it was interrupted", "start it again"),
}
_UNKNOWN = "nothing more is known", "run `metacog doctor`, and report it with what that prints"


def signal_of(status: int) -> int:
    """The signal that ended a process, 0 if none did.

    Parameters
    ----------
    status : int
        As ``subprocess`` gives it (-4 for signal 4), or as a shell does (132).
    """
    number = -status if status < 0 else status - 128
    return number if 0 < number < 65 else 0


def signal_name(number: int) -> str:
    """A signal's name, such as ``SIGKILL``."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def obituary(status: int, doing: str) -> str | None:
    """One sentence on a process that a signal ended: cause and remedy; None if it ended by itself.

    Parameters
    ----------
    status : int
        As for :func:`signal_of`.
    doing : str
        What it did, as in "collecting smollm2-135m on bank"; the sentence begins with it.
    """
    number = signal_of(status)
    if not number:
        return None
    name = signal_name(number)
    cause, remedy = _MEANINGS.get(name, _UNKNOWN)
    return f"{doing}: its process died of {name} ({cause}): {remedy}"


#: Set for a process whose standard input ends with its parent.
LIFELINE = "METACOG_LIFELINE"
#: Seconds that a process which was asked to end may take.
GRACE = 5.0
#: Exit status after an interruption, as shells have it.
INTERRUPTED = 130
#: This program, whatever lies in the working folder (-P).
METACOG = (sys.executable, "-P", "-m", "metacog.cli")


_children: set[subprocess.Popen[bytes]] = set()


@dataclass(frozen=True)
class Ended:
    """How a child ended: its status as ``subprocess`` gives it, and whether we had been asked to stop."""

    status: int
    stopped: bool


def hold_lifeline(*, hand_on: bool = False, grace: float = 0.0) -> bool:
    """In a supervised process: end with the parent from now on. True if there is such a parent.

    Parameters
    ----------
    hand_on : bool
        Children that inherit standard input and the environment can hold the same lifeline.
    grace : float
        Seconds that this process has, once the parent has ended, to end by itself.
    """
    if LIFELINE not in os.environ:
        return False
    if not hand_on:
        del os.environ[LIFELINE]

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        time.sleep(grace)
        for child in list(_children):
            child.terminate()
        os._exit(INTERRUPTED)  # at any moment, as kill -9 would; parts are written to survive that

    threading.Thread(target=wait, daemon=True, name="lifeline").start()
    return True


def run_child(
    command: Sequence[str],
    environment: dict[str, str] | None = None,
    output: Callable[[str], object] | None = None,
) -> Ended:
    """Run a command to its end; a signal to us that asks to stop is passed on.

    Parameters
    ----------
    command : sequence of str
    environment : dict, optional
        Added to ours.
    output : callable, optional
        Takes each line the child prints; by default the child prints where we do.
    """
    options: dict[str, Any] = (
        {} if output is None else {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    )
    options |= {"stdin": subprocess.PIPE, "env": {**os.environ, **(environment or {}), LIFELINE: "1"}}
    child = subprocess.Popen(list(command), **options)
    _children.add(child)
    with _passing_on(child) as stopped:
        if output is not None:
            for line in child.stdout or ():
                output(line.decode(errors="replace"))
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
    """Run this program in a child and say in one sentence if that died.

    Parameters
    ----------
    arguments : sequence of str
        Of the ``metacog`` command.
    doing : str
        What it does, in case the child dies before it has reported it.
    complain : callable
        Takes the sentence.

    Returns
    -------
    int
        Exit status: the child's, or 128 and its signal, as shells have it.
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


# How Jupyter kernels are started, for chapters and for reports on imported trials.

#: Arguments of a kernel that says no word on ports that are not encrypted, or on its end.
QUIET = ("--log-level=CRITICAL",)
