"""What a reader sees while the book is made: one line per step, and on a terminal one line that changes.

Steps are numbered as they end, since several may run at once.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from tqdm import tqdm

from metacog.core.events import Event
from metacog.core.progress import Pace, share_and_time_left

#: Below the number of a step.
INDENT = " " * 8


@dataclass
class Running:
    name: str
    plain: str
    short: str
    started: float
    progress: dict[str, Any] | None = None
    noted: float = 0.0
    pace: Pace = field(default_factory=Pace)


class Display:
    """Turns notes into lines; a changing line is drawn only on a terminal, and only if ``live``."""

    def __init__(self, out: TextIO, *, live: bool = True) -> None:
        self.out = out
        self.titles: Mapping[str, str] = {}
        self.total = 0
        self.done = 0
        self.made: set[str] = set()
        self.failures: dict[str, str] = {}
        self.running: dict[str, Running] = {}
        self._live = live and out.isatty()
        self._drawn = False

    def take(self, event: Event) -> None:
        if event.kind == "start":
            page = event.facts["page"]
            plain = event.facts["name"]
            self.running[event.step] = Running(self.name(plain, page), plain, page or plain, event.time)
        elif event.kind == "progress" and event.step in self.running:
            self._progress(self.running[event.step], event)
        elif event.kind == "remark" and event.step in self.running:
            self.line(f"{INDENT}{self.running[event.step].name}: {event.facts['text']}")
        elif event.kind in ("end", "fail") and event.step in self.running:
            step = self.running.pop(event.step)
            seconds = f"{event.facts['seconds']:.0f} s"
            if event.kind == "end":
                self.done += 1
                self.made.add(step.plain)
                self.line(f"{self._number()} {step.name} ... {seconds}")
            else:
                self.failures[step.name] = event.facts["message"]
                self.line(f"{' ' * len(self._number())} {step.name} ... FAILED after {seconds}")

    def name(self, plain: str, page: str = "") -> str:
        """What a step is called: by the title of the page that it executes, if it does."""
        return f"{self.titles[page]} ({page})" if page in self.titles else plain

    def line(self, text: str) -> None:
        self.close()
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
            self.close()

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

    def close(self) -> None:
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
