"""What a newcomer sees while set-up works: stages with their times, and how far the long ones are."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from metacog.core.progress import duration

#: Seconds between two lines on progress where there is no terminal to redraw one.
EVERY = 30.0


class Stages:
    """Prints one line a stage; on a terminal the line of the running stage is redrawn."""

    def __init__(
        self,
        n_stages: int,
        out: TextIO | None = None,
        *,
        verbose: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.n_stages = n_stages
        self.out = out or sys.stdout
        self.redraws = self.out.isatty() and not verbose
        self.clock = clock
        self.begun = clock()
        self.result = ""
        self._title = ""
        self._stage_begun = self._shown = self.begun

    @contextmanager
    def stage(self, number: int, title: str) -> Iterator[None]:
        """One stage: its line is finished with the time it took, or left standing if it fails."""
        self._title, self.result = f"[{number}/{self.n_stages}] {title}", ""
        self._stage_begun = self._shown = self.clock()
        if self.redraws:
            self._draw(self._title)
        try:
            yield
        except BaseException:
            self.echo(f"{self._title}: stopped after {duration(self.clock() - self._stage_begun)}")
            raise
        ending = f" ({self.result})" if self.result else ""
        self.echo(f"{self._title}{ending}: {duration(self.clock() - self._stage_begun)}")

    def progress(self, text: str) -> None:
        """How far the running stage is: redrawn, or at most one line every :data:`EVERY` seconds."""
        now = self.clock()
        if self.redraws:
            if now - self._shown >= 0.2:
                self._shown = now
                self._draw(f"{self._title}: {text}, {duration(now - self._stage_begun)}")
        elif now - self._shown >= EVERY:
            self._shown = now
            self.echo(f"      {text}, {duration(now - self._stage_begun)}")

    def echo(self, text: str) -> None:
        if self.redraws:
            self.out.write("\r\x1b[K")
        self.out.write(text + "\n")
        self.out.flush()

    @property
    def seconds(self) -> float:
        return self.clock() - self.begun

    def _draw(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        self.out.write(f"\r\x1b[K{text[:width]}")
        self.out.flush()
