"""``metacog book``: the pool makes what is stale, and a short account of it is printed."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from metacog.book.display import Display
from metacog.book.pool import Pool, Task, message, sources, stale
from metacog.collect.folder_lock import exclusive
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError, Stopped
from metacog.core.events import EVENTS, Event, Follower
from metacog.core.files import shortage
from metacog.core.machine import available_cpus
from metacog.core.paths import from_root, project_root
from metacog.core.supervise import asked_to_stop
from metacog.core.words import listed, plural

#: Name, among the logs, of the newest.
NEWEST = "newest.log"

#: Logs of earlier runs that are kept.
KEPT_LOGS = 20

#: Before the name of a step that a dry run would take.
PLANNED = "would run: "

_INTERVAL = 0.25


@dataclass
class Plan:
    """What is to be done.

    ``tasks`` holds what must be made, with the reason, by the first file that each makes; ``known`` our source files as
    they were.
    """

    tasks: dict[str, tuple[Task, str]]
    titles: dict[str, str]
    known: dict[str, tuple[int, int]]

    def reasons(self) -> str:
        """Each task, and below it why it must be made."""
        return "".join(f"{task.name}\n    {why}\n" for task, why in self.tasks.values())


def _planned(profile_name: str) -> Plan:
    known = sources()
    with _held_back():  # imported here: who only asks for help need not wait for it
        from metacog.book.chapters import unfilled
        from metacog.book.plan import workflow

        flow = workflow(profile_name)
        if missing := unfilled(flow.pages):
            raise MetacogError(
                f"the profile {profile_name} does not run what {plural(len(missing), 'page')} of the book would "
                f"show, such as {missing[0]}: `metacog run-chapter CHAPTER --profile {profile_name}` makes one page"
            )
        return Plan(stale(flow.tasks), {page.name: page.title for page in flow.pages}, known)


def _refuse_to_pay(plan: Plan) -> None:
    """Raise where models would be asked that have prices, or a server that wants a key: a book asks without a limit."""
    from metacog.collect.models import load_models

    models = load_models()
    asked = {task.words[3] for task, _ in plan.tasks.values() if task.alone}
    entries = [models[name] for name in sorted(asked) if name in models]
    if paid := [one.name for one in entries if one.prices or one.source.get("endpoint", {}).get("key_env")]:
        raise MetacogError(
            f"the book would ask {listed(paid)}, which costs money, without a limit: first run `metacog collect "
            f"--model {paid[0]} --max-cost AMOUNT` until nothing is left, or add `--ask-paid` to `metacog book`"
        )


def explain(profile_name: str) -> None:
    """Print what would be made, and why; then each step's name on a line."""
    load_profile(profile_name)
    plan = _planned(profile_name)
    print(plan.reasons(), flush=True)
    for task, _ in plan.tasks.values():
        print(f"{PLANNED}{task.name}")


def build(
    profile_name: str,
    *,
    cores: int | None = None,
    verbose: bool = False,
    out: TextIO | None = None,
    ask_paid: bool = False,
) -> None:
    """Bring the book up to date and say so, one line per step; the log holds all that steps print, ``verbose`` or not.

    A step that fails is told once those that do not rest on it are done, with what lacks for want of it. A model that
    costs money is asked only with ``ask_paid``.
    """
    load_profile(profile_name)  # an unknown name is told before anything is started
    out = out or sys.stdout
    started = time.monotonic()
    again = "make book" if profile_name == "default" else f"make book PROFILE={profile_name}"
    display = Display(out, live=not verbose)
    page = from_root(project_root() / "_build" / "html" / "index.html")
    copied = None
    try:
        with asked_to_stop(_interrupt):
            display.tick("looking for what is to be done ...")
            plan = _planned(profile_name)
            if not plan.tasks:
                seconds = time.monotonic() - started
                display.line(
                    f"book, profile {profile_name}: {page} is up to date, nothing to do ({seconds:.0f} s)"
                )
                return
            if not ask_paid:
                _refuse_to_pay(plan)
            display.total, display.titles = len(plan.tasks), plan.titles
            display.close()
            held = exclusive(project_root() / "results" / "logs", doing="making a book and writing to")
            with held, _Copied(_new_log(project_root()), out if verbose else None) as copied:
                _name_newest(copied.log)
                copied.say(plan.reasons())
                display.line(
                    f"book, profile {profile_name}: {display.total} steps; what is there already is not made "
                    f"again. Ctrl-C stops, `{again}` goes on"
                )
                _make(plan, cores or available_cpus(), display, copied)
    except KeyboardInterrupt:
        display.close()
        raise Stopped(f"stopped: {_kept(display)}; go on with `{again}`") from None
    display.close()
    if display.done < display.total:
        raise MetacogError(_account(plan, display, copied, again))
    with _held_back():
        from metacog.book.finish import said_otherwise

        for name, sentences in said_otherwise(profile_name).items():
            display.line(
                f"page {name}: written for other data, so plain lines stand there: {', '.join(sentences)}"
            )
    display.line(f"book: {display.done} steps in {time.monotonic() - started:.0f} s. Open {page}")
    display.line(f"the full log is {from_root(copied.log)}")


def _make(plan: Plan, workers: int, display: Display, copied: _Copied) -> None:
    """Have the pool make the tasks, and show what happens."""
    notes = Follower(copied.notes)
    os.environ[EVENTS] = str(copied.notes)
    with Pool([task for task, _ in plan.tasks.values()], workers, copied.end, plan.known) as pool:
        while True:
            for one in pool.start():
                about = {"name": one.task.name, "page": one.task.page}
                display.take(Event("start", one.step, time.time(), about))
            if not pool.running:
                break
            over = pool.ended(_INTERVAL)
            for event in notes.new():
                display.take(event)
            display.tick()
            for one in over:
                ended: dict[str, Any] = {"seconds": time.monotonic() - one.started}
                if one.process.exitcode == 0:
                    display.take(Event("end", one.step, time.time(), ended))
                elif one.step in display.running:  # it did not say itself what it died of
                    ended["message"] = message(one.process.exitcode, one.task.name)
                    display.take(Event("fail", one.step, time.time(), ended))


class _Copied:
    """Copies all that is printed to the log, and to another place if one is named; ``end`` is what is printed to."""

    def __init__(self, log: Path, echo: TextIO | None) -> None:
        self.log, self.notes = log, log.with_suffix(".jsonl")
        self._handle, self._echo = open(log, "wb", buffering=0), echo
        self.wrong = ""
        reading, self.end = os.pipe()
        self._copier = threading.Thread(target=self._copy, args=(reading,), daemon=True)
        self._copier.start()

    def __enter__(self) -> _Copied:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.end)
        self._copier.join(timeout=5)
        with contextlib.suppress(OSError):
            self.notes.unlink(missing_ok=True)

    def say(self, text: str) -> None:
        """Put a text there itself; where there is no room for it, whoever prints it need not wait."""
        try:
            self._handle.write(text.encode())
        except OSError as error:
            error.filename = error.filename or self._handle.name
            self.wrong = self.wrong or shortage(error)
        if self._echo is not None:
            self._echo.write(text)
            self._echo.flush()

    def _copy(self, reading: int) -> None:
        with open(reading, "rb") as lines:
            for line in lines:
                self.say(line.decode(errors="replace"))


@contextlib.contextmanager
def _held_back() -> Iterator[None]:
    """Hold a wish to stop back until the block is done.

    If Ctrl-C falls into an import, Python ends the program by that signal even where it was handled, and no
    exit status of ours counts.
    """
    came: list[int] = []
    with asked_to_stop(lambda number, _: came.append(number)):
        yield
    if came:
        raise KeyboardInterrupt


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


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
    link = log.with_name(f".{log.name}.link")
    with contextlib.suppress(OSError):
        link.symlink_to(log.name)
        link.replace(log.parent / NEWEST)  # at once: whoever looks finds a log, the last or this one


def _account(plan: Plan, display: Display, copied: _Copied, again: str) -> str:
    log = copied.log
    lines = [copied.wrong] if copied.wrong else [*display.failures.values()]
    if display.failures:
        lines += _lacking(plan, display)
    return "\n".join(
        [*lines, f"{_kept(display)}. Mend it, then go on with `{again}`", f"the full log is {from_root(log)}"]
    )


def _lacking(plan: Plan, display: Display) -> list[str]:
    """What was not made for want of the steps that failed: pages by their titles, other steps by number."""
    steps = [(task.name, task.page) for task, _ in plan.tasks.values()]
    named = [(display.name(name, page), page) for name, page in steps if name not in display.made]
    waiting = [(name, page) for name, page in named if name not in display.failures]
    if not waiting:
        return []
    pages = [name for name, page in waiting if page]
    of_pages = f", among them {plural(len(pages), 'page')}: {'; '.join(pages)}" if pages else ""
    return [f"not made for want of that: {plural(len(waiting), 'step')}{of_pages}"]


def _kept(display: Display) -> str:
    of = f" of {display.total}" if display.total else ""
    return f"{display.done}{of} steps are done and kept, and so is what was collected"
