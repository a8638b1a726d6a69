"""How far a long piece of work has come: a bar on a terminal, few lines without one."""

from __future__ import annotations

import sys
import time
from typing import Any

from metacog.core.events import emit

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
    """``43 % of 9,128 trials, 34.8 a second, 2:29 min left``; the rate leaves out ``first``, done before this start."""
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

    ``what`` is what is being done, as in "collecting smollm2-135m on bank"; ``unit`` is in the plural.
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
