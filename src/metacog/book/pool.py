"""What a book is made by: tasks, which of them are stale and why, and the pool of processes that makes them.

A task is a process of its own: it fails, is stopped and runs out of memory alone. On Linux it is a fork of the standard
library's fork server, which has imported what tasks need (:mod:`metacog.book.preload`); elsewhere a fresh start.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.reduction import DupFd
from typing import Any

from metacog.core.code import module_file
from metacog.core.death import obituary
from metacog.core.errors import MetacogError
from metacog.core.events import STEP, emit
from metacog.core.files import shortage
from metacog.core.paths import project_root
from metacog.core.supervise import INTERRUPTED
from metacog.studies.registry import STUDIES

#: How processes start, and how where a source file has changed since the server imported it.
FORKS, FRESH = ("forkserver" if sys.platform == "linux" else "spawn"), "spawn"
PRELOADED = ["metacog.book.preload"]
#: How many threads array libraries start; one, since a process that forks must have no other, and each task is one.
THREADS = (
    "OMP_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)
#: Whether this process is a fork of the server: a kernel that it starts can be another.
forked = False
#: Exit status of a task that has told its failure.
TOLD = 3
_GRACE = 10.0


@dataclass(frozen=True)
class Task:
    """Something to make: ``call`` does it, given ``words``, in a process of its own.

    ``makes`` and ``reads`` are files below the project's root. ``parts`` says what it depends on now, by name; what
    it was made of last stands in the file ``mark``, or ``made`` says it. ``page`` names the page that it executes.
    ``alone``: it uses every processor, and no other runs beside it.
    """

    name: str
    call: Callable[..., object]
    words: tuple[str, ...]
    makes: tuple[str, ...]
    reads: tuple[str, ...]
    parts: Callable[[], dict[str, Any]]
    mark: str = ""
    made: Callable[[], dict[str, Any]] | None = None
    page: str = ""
    alone: bool = False

    def why(self) -> str:
        """Why it must be made, as far as what lies there tells; empty if it need not be."""
        root = project_root()
        lacking = [name for name in self.makes if not (root / name).is_file()]
        if lacking:
            return f"there is no {lacking[0]}"
        before, now = self.before(), json.loads(json.dumps(self.parts()))
        changed = [name for name in now if before.get(name) != now[name]]
        return (
            f"changed: {', '.join(_named(name, before.get(name), now[name]) for name in changed)}"
            if changed
            else ""
        )

    def before(self) -> dict[str, Any]:
        if self.made is not None:
            return self.made()
        try:
            found: dict[str, Any] = json.loads((project_root() / self.mark).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {}
        return found

    def begin(self) -> None:
        """Forget what it was made of: half of it may lie there from now on."""
        for name in self.makes:
            (project_root() / name).parent.mkdir(parents=True, exist_ok=True)
        if self.mark:
            (project_root() / self.mark).unlink(missing_ok=True)

    def keep(self, parts: Mapping[str, Any]) -> None:
        if self.mark:
            (project_root() / self.mark).write_text(json.dumps(parts, indent=1), encoding="utf-8")


def _named(name: str, before: Any, now: Any) -> str:
    """A part that changed; of several things the first that did."""
    if isinstance(now, dict) and isinstance(before, dict):
        other = [key for key in {**before, **now} if before.get(key) != now.get(key)]
        return f"{name} ({other[0]}{', ...' if len(other) > 1 else ''})"
    return name


def stale(tasks: Iterable[Task]) -> dict[str, tuple[Task, str]]:
    """Tasks that must be made, with the reason, by the first file that each makes; what others read comes first."""
    maker = {name: task for task in tasks for name in task.makes}
    found: dict[str, tuple[Task, str]] = {}
    known: dict[str, str] = {}
    seen: set[str] = set()

    def visit(task: Task) -> None:
        if task.makes[0] in seen:
            return
        seen.add(task.makes[0])
        for name in task.reads:
            if name in maker:
                visit(maker[name])
        new = next((known[name] for name in task.reads if name in known), "")
        if why := f"made again: {new}" if new else task.why():
            found[task.makes[0]] = task, why
            known.update(dict.fromkeys(task.makes, task.name))

    for task in maker.values():
        visit(task)
    return found


@dataclass
class Running:
    task: Task
    process: Any
    step: str
    parts: dict[str, Any]
    started: float


class Pool:
    """Makes tasks, so many at once, each when what it reads is there; those that others read stand first.

    All that they print goes to the descriptor ``output``; ``known`` are our source files as they were when it was found
    what is stale.
    """

    def __init__(
        self, tasks: Sequence[Task], workers: int, output: int, known: Mapping[str, tuple[int, int]]
    ) -> None:
        self.waiting, self.workers, self.output, self.known = list(tasks), workers, output, known
        self.running: list[Running] = []
        self._missing = {name for task in tasks for name in task.makes}
        self._count = 0
        os.environ.update(dict.fromkeys(THREADS, "1"))
        if FORKS == "forkserver":
            from multiprocessing.forkserver import ensure_running  # which other systems do not have

            from metacog.collect.keys import without_keys

            with _silent(), without_keys():  # kernels are forks of this server
                multiprocessing.set_forkserver_preload(PRELOADED)
                ensure_running()

    def start(self) -> Iterator[Running]:
        for task in list(self.waiting):
            if len(self.running) >= self.workers or any(one.task.alone for one in self.running):
                return
            if not self._missing.isdisjoint(task.reads):
                continue
            if task.alone and self.running:
                return
            self.waiting.remove(task)
            if all((project_root() / name).is_file() for name in task.reads if name.startswith("results/")):
                yield self._begin(task)

    def _begin(self, task: Task) -> Running:
        task.begin()
        self._count += 1
        step = f"{os.getpid()}-{self._count}"
        same = sources() == self.known
        how = FORKS if same else FRESH
        context: Any = multiprocessing.get_context(how)
        process = context.Process(
            target=_work,
            args=(task.call, task.words, task.name, step, how, dict(os.environ), Output(self.output)),
        )
        # of what is made of changed code it is not said what it was made of, so that it is made again
        running = Running(task, process, step, task.parts() if task.mark and same else {}, time.monotonic())
        with _as_other_main():
            process.start()
        self.running.append(running)
        return running

    def ended(self, seconds: float) -> list[Running]:
        """Those that end within so many seconds."""
        wait([one.process.sentinel for one in self.running], seconds)
        over = [one for one in self.running if one.process.exitcode is not None]
        for one in over:
            self.running.remove(one)
            if one.process.exitcode == 0:
                self._missing.difference_update(one.task.makes)
                if one.parts:
                    one.task.keep(one.parts)
        return over

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self.running:
            one.process.terminate()
        until = time.monotonic() + _GRACE
        for one in self.running:
            one.process.join(max(0.0, until - time.monotonic()))
            if one.process.exitcode is None:
                one.process.kill()
                one.process.join()


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """While the server starts: nothing that it says goes to a terminal."""
    kept = os.dup(2)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 2)  # what cannot be imported is told by the task that needs it
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@contextlib.contextmanager
def _as_other_main() -> Iterator[None]:
    """While a process starts: no command of ours that it would import again as its main module."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = type(sys)("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextlib.contextmanager
def _server_of_pool() -> Iterator[None]:
    """In a task, while its kernel starts: let the server that the task is a fork of fork again.

    A task knows where that server listens, but not that it runs, and would start another, which has imported nothing.
    Where a Python's server wants a key (``_forkserver_authkey``), which its forks are not given, the other is started.
    """
    from multiprocessing import forkserver

    server: Any = forkserver._forkserver  # type: ignore[attr-defined]
    if (
        server._forkserver_pid is None
        and server._forkserver_address
        and not hasattr(server, "_forkserver_authkey")
    ):
        server.ensure_running = lambda: None
    try:
        yield
    finally:
        vars(server).pop("ensure_running", None)


def sources() -> dict[str, tuple[int, int]]:
    """State of the source files of all packages of ours."""
    rooms = [
        module_file(top) for top in sorted({"metacog", *(package.partition(".")[0] for package in STUDIES)})
    ]
    files = sorted(file for room in rooms if room for file in room.parent.rglob("*.py"))
    return {str(file): (at.st_mtime_ns, at.st_size) for file in files for at in [file.stat()]}


class Output:
    """A descriptor that a process which is being started gets for its own."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __reduce__(self) -> tuple[Any, ...]:
        return _detached, (DupFd(self.descriptor),)


def _detached(descriptor: Any) -> int:
    return int(descriptor.detach())


def message(status: int, name: str) -> str:
    """What is said of a task that did not say it itself."""
    return obituary(status, name) or f"{name} failed without a word"


def _end_with_parent() -> None:
    """In a task or kernel: end when the process that asked for it does, however that happens."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(INTERRUPTED)  # at any moment, as kill -9 would; what is stored survives that

    threading.Thread(target=watch, daemon=True, name="lifeline").start()


def _take_over(environment: Mapping[str, str], output: int) -> None:
    """In a task or kernel: the asking process's environment and output; no input."""
    _end_with_parent()
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    os.environ.update(environment)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    for place in (1, 2):
        os.dup2(output, place)
    os.close(output)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]


def _work(
    call: Callable[..., object],
    words: Sequence[str],
    name: str,
    step: str,
    how: str,
    environment: Mapping[str, str],
    output: int,
) -> None:
    """In a task's process: make it, and tell why not."""
    global forked
    forked = how == "forkserver"
    _take_over(environment, output)
    os.environ[STEP] = step
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(INTERRUPTED))  # what it has started ends with it
    started = time.monotonic()
    print(f"{name} ...", flush=True)
    try:
        call(*words)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        if not isinstance(error, MetacogError):
            traceback.print_exc()
        said = _said(error)
        print(f"{name} failed: {said}", file=sys.stderr, flush=True)
        emit("fail", name=name, seconds=time.monotonic() - started, message=said)
        sys.exit(TOLD)
    print(f"{name} ... {time.monotonic() - started:.0f} s", flush=True)


def _said(error: Exception) -> str:
    if isinstance(error, MetacogError):
        return str(error)
    return shortage(error) or traceback.format_exception_only(error)[-1].strip()


class KernelProcess:
    """A Jupyter kernel in a process of the same server; the part of :class:`subprocess.Popen` that its manager uses.

    ``command`` is ``python -m MODULE ...``, as Jupyter would start it.
    """

    stdin = stdout = stderr = None

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: str) -> None:
        words = list(command)[list(command).index("-m") + 1 :]
        context: Any = multiprocessing.get_context(FORKS)
        self._process = context.Process(
            target=_kernel, args=(words, dict(environment), folder, Output(1)), daemon=True
        )
        with _as_other_main(), _server_of_pool():
            self._process.start()
        self.pid = self._process.pid

    def poll(self) -> int | None:
        found: int | None = self._process.exitcode
        return found

    def wait(self, timeout: float | None = None) -> int | None:
        self._process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired("kernel", timeout or 0.0)
        return self.poll()

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _kernel(words: list[str], environment: Mapping[str, str], folder: str, output: int) -> None:
    """In a kernel's process: run it as ``python -m`` would, in a session of its own."""
    _take_over(environment, output)
    os.setsid()
    os.chdir(folder)
    if "matplotlib" in sys.modules:  # libraries choose this when a kernel imports them
        import matplotlib
        import pandas as pd

        if "MPLBACKEND" not in os.environ:
            matplotlib.rcParams["backend"] = "module://matplotlib_inline.backend_inline"
        pd.set_option("display.max_columns", 20)
    sys.argv = list(words)
    sys.path[0] = folder
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
