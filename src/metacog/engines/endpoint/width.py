"""How many requests are in flight: a number that is given, or one that is found while answers come.

A server with a GPU answers hundreds of requests in the time of one, a small one answers them one after another. So
twice as many are sent as long as answers then come faster; what was found is kept when they no longer do. The requests
are those that are to be asked anyway.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

#: Requests in flight to begin with, and at most.
FIRST, MOST = 8, 1024

#: Answers a slot in one round of measuring, and how much faster the next width must be.
ROUND, GAIN = 4, 1.2


class Width:
    """Slots for requests in flight.

    ``longest``: seconds that an answer may take. At twice the width a server that queues takes twice as long, so no
    more are sent where the longest so far took half of it: it would seem to hang.
    """

    def __init__(
        self, given: int | None, *, longest: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.now, self.found = given or FIRST, given is not None
        self._longest, self._clock = longest, clock
        self._slots = asyncio.Semaphore(self.now)
        self._busy = self._owed = self._waiting = 0
        self._n, self._seconds, self._slowest, self._best = 0, 0.0, 0.0, 0.0
        self._last: float | None = None
        self._since = clock()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        self._busy += 1
        full, begun = self._waiting > 0 or self._busy >= self.now, self._clock()
        try:
            yield
            if not self.found:
                self._answered(begun, full)
        finally:
            self._busy -= 1
            if self._owed:
                self._owed -= 1
            else:
                self._slots.release()

    def refused(self) -> None:
        """A rate limit was met: half as many, and no more are tried."""
        if not self.found:
            self._settle(max(1, self.now // 2))

    def _answered(self, begun: float, full: bool) -> None:
        """Count an answer, by when it was asked for, and whether no slot was to spare then.

        Time counts from one answer to the next, of those that were asked for while others waited or all slots were
        taken: between two blocks, and where little is asked, a server has nothing to do.
        """
        now = self._clock()
        if begun < self._since:
            return  # it was asked for at another width
        last, self._last = self._last, now if full else None
        if last is None or self._last is None:
            return
        self._n, self._seconds = self._n + 1, self._seconds + now - last
        self._slowest = max(self._slowest, now - begun)
        if self._n < ROUND * self.now:
            return
        rate = self._n / max(self._seconds, 1e-9)
        if rate < GAIN * self._best:
            self._settle(self.now // 2)
        elif 2 * self._slowest > self._longest or 2 * self.now > MOST:
            self._settle(self.now)
        else:
            self._best = rate
            self._set(2 * self.now)
            self._n, self._seconds, self._slowest, self._last = 0, 0.0, 0.0, None
            self._since = self._clock()

    def _settle(self, n: int) -> None:
        self.found = True
        self._set(n)

    def _set(self, n: int) -> None:
        """So many slots from now on; those that are taken are given back as they become free."""
        self._owed += self.now - n
        self.now = n
        while self._owed < 0:
            self._owed += 1
            self._slots.release()
