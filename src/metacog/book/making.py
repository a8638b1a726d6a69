"""``metacog book``: Snakemake decides what must be run again, and a short account of it is printed.

What a reader sees while the book is made: one line per step, and on a terminal one line that changes.

Steps are numbered as they end, since several may run at once.

The process that forks for one ``metacog book``: where its socket lies, when it starts, and its end.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from tqdm import tqdm

from metacog.book.forked import FORKSERVER, supported
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError, Stopped
from metacog.core.machine import available_cpus
from metacog.core.paths import from_root, project_root
from metacog.core.progress import EVENTS, LIFELINE, Event, Follower, Pace, share_and_time_left
from metacog.core.words import plural

#: Below the number of a step.
INDENT = " " * 8


@dataclass
class Running:
    """A step that has begun and not ended."""

    name: str
    short: str
    started: float
    progress: dict[str, Any] | None = None
    noted: float = 0.0
    pace: Pace = field(default_factory=Pace)


@dataclass(frozen=True)
class Failure:
    """A step that failed, and its message."""

    name: str
    message: str


class Display:
    """Turns notes into lines.

    Parameters
    ----------
    out : text stream
        A changing line is drawn only if it is a terminal.
    titles : mapping
        Titles of pages by name, shown instead of the plain name of a step that executes one.
    live : bool
        False draws no changing line even on a terminal.
    """

    def __init__(self, out: TextIO, titles: Mapping[str, str] | None = None, *, live: bool = True) -> None:
        self.out, self.titles = out, dict(titles or {})
        self.total = 0
        self.done = 0
        self.failures: list[Failure] = []
        self.running: dict[str, Running] = {}
        self._live = live and out.isatty()
        self._drawn = False

    def take(self, event: Event) -> None:
        """Take in one note and print what it calls for."""
        if event.kind == "start":
            page = event.facts["page"]
            plain = event.facts["name"]
            self.running[event.step] = Running(self.name(plain, page), page or plain, event.time)
        elif event.kind == "progress" and event.step in self.running:
            self._progress(self.running[event.step], event)
        elif event.kind == "remark" and event.step in self.running:
            self.line(f"{INDENT}{self.running[event.step].name}: {event.facts['text']}")
        elif event.kind in ("end", "fail") and event.step in self.running:
            step = self.running.pop(event.step)
            seconds = f"{event.facts['seconds']:.0f} s"
            if event.kind == "end":
                self.done += 1
                self.line(f"{self._number()} {step.name} ... {seconds}")
            else:
                self.failures.append(Failure(step.name, event.facts["message"]))
                self.line(f"{' ' * len(self._number())} {step.name} ... FAILED after {seconds}")

    def name(self, plain: str, page: str = "") -> str:
        """What a step is called: by the title of the page that it executes, if it does."""
        return f"{self.titles[page]} ({page})" if page in self.titles else plain

    def line(self, text: str) -> None:
        """Print a line that stays."""
        self._wipe()
        print(text, file=self.out, flush=True)

    def tick(self, idle: str = "") -> None:
        """Redraw the changing line: the bar of what is under way, or ``idle`` where nothing is."""
        if not self._live:
            return
        columns = max(20, shutil.get_terminal_size().columns - 1)
        text = self._status(columns - len(INDENT)) or idle
        if text:
            self.out.write(f"\r{(INDENT + text)[:columns]}\x1b[K")
            self.out.flush()
            self._drawn = True
        else:
            self._wipe()

    def close(self) -> None:
        """Take the changing line away."""
        self._wipe()

    def _number(self) -> str:
        total = str(self.total) if self.total else "?"
        return f"[{self.done:>{len(total)}}/{total}]"

    def _progress(self, step: Running, event: Event) -> None:
        facts = event.facts
        step.progress, step.noted = facts, event.time
        share = facts["done"] / max(facts["total"], 1)
        if not self.out.isatty() and facts["done"] < facts["total"] and step.pace.due(share):
            words = share_and_time_left(
                facts["total"], facts["done"], facts["first"], facts["seconds"], facts["unit"]
            )
            self.line(f"{INDENT}{step.name}: {words}")

    def _status(self, columns: int) -> str:
        steps = list(self.running.values())
        for step in steps:
            if step.progress is not None and step.progress["done"] < step.progress["total"]:
                return _bar(step, columns)
        now = time.time()
        names = [steps[0].name] if len(steps) == 1 else [step.short for step in steps]
        return ", ".join(f"{n} {now - s.started:.0f} s" for n, s in zip(names, steps, strict=True))

    def _wipe(self) -> None:
        if self._drawn:
            self.out.write("\r\x1b[K")
            self.out.flush()
            self._drawn = False


def _bar(step: Running, columns: int) -> str:
    facts = step.progress or {}
    return tqdm.format_meter(
        facts["done"],
        facts["total"],
        facts["seconds"] + time.time() - step.noted,
        ncols=columns,
        prefix=step.name,
        unit=f" {facts['unit']}",
        initial=facts["first"],
    )


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


#: Name, among the logs, of the newest.
NEWEST = "newest.log"
#: Logs of earlier runs that are kept.
KEPT_LOGS = 20
#: Before the name of a step that a dry run would take.
PLANNED = "would run: "
#: Rules that run nothing, so that they are no steps.
NO_STEPS = {"all", "total"}
_INTERVAL = 0.25
_STOP_SECONDS = 20.0


def explain(profile_name: str, *, cores: int | None = None) -> None:
    """Print what would be run, and why, in Snakemake's own words; then each step's name on a line of its own."""
    load_profile(profile_name)
    outcome, names = _planned(profile_name, cores)
    print(outcome.stdout, flush=True)
    if outcome.returncode:
        raise MetacogError("the plan could not be made; the reason is named above")
    for name, _ in names:
        print(f"{PLANNED}{name}")


def _planned(
    profile_name: str, cores: int | None = None
) -> tuple[subprocess.CompletedProcess[str], list[tuple[str, str]]]:
    """What Snakemake says that it would do, and each step's name with the page that it executes."""
    outcome = subprocess.run(
        [*_command(profile_name, cores), "--dry-run", "--printshellcmds"],
        cwd=project_root(),
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines = re.findall(r"\bpython -m metacog\.book step (.+)", outcome.stdout)
    steps = [shlex.split(line) for line in lines]
    return outcome, [(words[0], words[2] if words[1] == "--page" else "") for words in steps]


def build(
    profile_name: str, *, cores: int | None = None, verbose: bool = False, out: TextIO | None = None
) -> None:
    """Bring the book up to date and say so, one line per step.

    Parameters
    ----------
    profile_name : str
    cores : int, optional
        Steps and threads at once; all processors by default.
    verbose : bool
        Print all that the steps print, too. The log holds it in any case.
    out : text stream, optional
        Standard output by default.

    Raises
    ------
    MetacogError
        If a step fails, once those that do not rest on it are done; it names the step, its message, what lacks for
        want of it, and the log. What finished is kept.
    Stopped
        After Ctrl-C, or a signal that asks to stop.
    """
    load_profile(profile_name)  # an unknown name is told before anything is started
    out = out or sys.stdout
    started = time.monotonic()
    log = _new_log(project_root())
    again = "make book" if profile_name == "default" else f"make book PROFILE={profile_name}"
    display = Display(out, live=not verbose)
    with forks() as prepared, _Run(_command(profile_name, cores), log, out if verbose else None) as run:
        try:
            with _asked_to_stop():
                status = _follow(run, display, profile_name, again, prepared)
        except KeyboardInterrupt:
            display.close()
            raise Stopped(f"stopped: {_kept(display)}; go on with `{again}`") from None
    seconds = time.monotonic() - started
    if status:
        raise MetacogError(_account(profile_name, display, log, again))
    page = from_root(project_root() / "_build" / "html" / "index.html")
    if not display.done:
        log.unlink()
        display.line(f"book, profile {profile_name}: {page} is up to date, nothing to do ({seconds:.0f} s)")
        return
    display.line(f"book: {display.done} steps in {seconds:.0f} s. Open {page}")
    display.line(f"the full log is {from_root(log)}")


def _follow(run: _Run, display: Display, profile_name: str, again: str, prepared: Forks) -> int:
    """Show what happens until Snakemake has ended; its exit status."""
    notes = Follower(run.notes)
    while True:
        ended = run.poll()
        if run.steps and not display.total:
            display.total = run.steps
            prepared.start()
            _name_newest(run.log)
            display.line(
                f"book, profile {profile_name}: {run.steps} steps; what is there already is not made again. "
                f"Ctrl-C stops, `{again}` goes on"
            )
            with _held_back():
                display.titles = _titles(profile_name)
        for event in notes.new():
            display.take(event)
        if ended is not None:
            display.close()
            return ended
        display.tick("looking for what is to be done ..." if not display.total else "")
        time.sleep(_INTERVAL)


def _titles(profile_name: str) -> dict[str, str]:
    """Titles of all pages by name. Imported here: where nothing is to be done, nothing need be read."""
    from metacog.book.chapters import pages

    return {page.name: page.title for page in pages(load_profile(profile_name))}


class _Run:
    """Snakemake as a child: all it prints goes to the log."""

    def __init__(self, command: list[str], log: Path, echo: TextIO | None) -> None:
        self.log, self.notes = log, log.with_suffix(".jsonl")
        self.steps = 0
        self._counting = False
        self._child = subprocess.Popen(
            command,
            cwd=project_root(),
            env={**_environment(), EVENTS: str(self.notes), LIFELINE: "1"},
            stdin=subprocess.PIPE,  # steps inherit it, and end when it does
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._copier = threading.Thread(target=self._copy, args=(log, echo), daemon=True)
        self._copier.start()

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self.notes.unlink(missing_ok=True)

    def poll(self) -> int | None:
        """Exit status, once all that was printed has been copied."""
        status = self._child.poll()
        if status is not None:
            self._copier.join(timeout=5)
        return status

    def _copy(self, log: Path, echo: TextIO | None) -> None:
        assert self._child.stdout is not None
        with open(log, "wb", buffering=0) as handle:
            for line in self._child.stdout:
                handle.write(line)
                text = line.decode(errors="replace")
                self._count(text)
                if echo is not None:
                    echo.write(text)
                    echo.flush()

    def _count(self, line: str) -> None:
        """Count the steps in Snakemake's table of rules and their numbers, which it prints first."""
        if line.startswith("Job stats:"):
            self._counting, self._found = True, 0
        elif self._counting and (row := re.match(r"(\w+)\s+(\d+)\s*$", line)):
            self._found += 0 if row[1] in NO_STEPS else int(row[2])
            if row[1] == "total":
                self._counting, self.steps = False, self._found

    def _stop(self) -> None:
        """End Snakemake if it still runs: steps go with the lifeline, it then starts no others."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        if self._child.poll() is None:
            self._child.terminate()
            try:
                self._child.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()


@contextlib.contextmanager
def _held_back() -> Iterator[None]:
    """Hold a wish to stop back until the block is done.

    If Ctrl-C falls into an import, Python ends the program by that signal even where it was handled, and no
    exit status of ours counts.
    """
    came: list[int] = []
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                number = getattr(signal, name)
                before[number] = signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt


@contextlib.contextmanager
def _asked_to_stop() -> Iterator[None]:
    """Signals that ask a process to end do what Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                before[name] = signal.signal(getattr(signal, name), interrupt)
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _command(profile_name: str, cores: int | None) -> list[str]:
    return [
        sys.executable,
        "-m",
        "metacog.book",
        "snakemake",
        "--snakefile",
        "workflow/Snakefile",
        "--directory",
        str(project_root()),
        "--cores",
        str(cores or available_cpus()),
        "--config",
        f"profile={profile_name}",
        "--rerun-incomplete",
        "--rerun-triggers",
        "mtime",
        "params",
        "input",
        "--nolock",
        "--keep-going",  # a model's dead server is no reason not to ask the others
        # It looks again for what it may start each time this span is over. With a span of a second, as by default,
        # that took an eighth of a core in a whole book. A step that ends wakes it at once.
        "--max-jobs-per-timespan",
        "10000/1m",
    ]


def _environment() -> dict[str, str]:
    """Ours, with this installation's commands first on the path."""
    here = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ.get('PATH', '')}"}


def _new_log(root: Path) -> Path:
    """A log named by the time; the oldest are taken away."""
    folder = root / "results" / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    for old in sorted(folder.glob("book-*.log"))[: -KEPT_LOGS + 1]:
        old.unlink(missing_ok=True)
    name = f"book-{time.strftime('%Y%m%d-%H%M%S')}"
    taken = len(list(folder.glob(f"{name}*.log")))  # by another book that began in the same second
    log = folder / (f"{name}-{taken}.log" if taken else f"{name}.log")
    log.touch()
    return log


def _name_newest(log: Path) -> None:
    """Link to a log by a name that is always the same; where there are no links, it has its own name only."""
    with contextlib.suppress(OSError):
        (log.parent / NEWEST).unlink(missing_ok=True)
        (log.parent / NEWEST).symlink_to(log.name)


def _account(profile_name: str, display: Display, log: Path, again: str) -> str:
    """The message about a run that failed."""
    lines = [failure.message for failure in display.failures]
    if lines:
        lines += _lacking(profile_name, display)
    else:  # no step failed: Snakemake did, or what it reads is wrong
        if not display.total:
            _check_plan(profile_name)
        text = log.read_text(encoding="utf-8", errors="replace").splitlines()
        lines = ["the steps could not be planned or run:", *(f"  {line}" for line in text[-12:])]
    _name_newest(log)
    return "\n".join(
        [*lines, f"{_kept(display)}. Mend it, then go on with `{again}`", f"the full log is {from_root(log)}"]
    )


def _lacking(profile_name: str, display: Display) -> list[str]:
    """What was not made for want of the steps that failed: pages by their titles, other steps by number."""
    failed = {failure.name for failure in display.failures}
    names = [(display.name(name, page), page) for name, page in _planned(profile_name)[1]]
    waiting = [(name, page) for name, page in names if name not in failed]
    if not waiting:
        return []
    pages = [name for name, page in waiting if page]
    of_pages = f", among them {plural(len(pages), 'page')}: {'; '.join(pages)}" if pages else ""
    return [f"not made for want of that: {plural(len(waiting), 'step')}{of_pages}"]


def _check_plan(profile_name: str) -> None:
    """Make the plan here as Snakemake did, so that our own errors are told in one sentence."""
    from metacog.book.plan import workflow

    for target in workflow(profile_name).targets:
        target.key()


def _kept(display: Display) -> str:
    of = f" of {display.total}" if display.total else ""
    return f"{display.done}{of} steps are done and kept, and so is what was collected"
