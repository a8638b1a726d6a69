"""Many requests in flight, run from synchronous code."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from metacog.core.errors import MetacogError
from metacog.engines.asked import ASKED
from metacog.engines.base import GaveUp
from metacog.engines.batches import Batch
from metacog.engines.endpoint.http import Wire
from metacog.engines.endpoint.width import Width

T = TypeVar("T")


async def together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Results of work under way at the same time, in order.

    The first failure cancels the rest, waits for it and is raised. One that says that no more can be asked
    (:class:`GaveUp`) lets the rest come to its end first, so that no answer under way is lost.
    """
    jobs = [asyncio.ensure_future(one) for one in work]
    try:
        return list(await asyncio.gather(*jobs))
    except BaseException as error:
        if not isinstance(error, GaveUp):
            for job in jobs:
                job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        raise


class Client:
    """Sends requests to one path of one server, a bounded number at a time.

    Its event loop has a thread of its own, so that the engine also works inside a notebook.

    ``width``: requests in flight at most; ``fields``: fields of every request; they win over a request's own;
    ``batch``: answers the requests of conversations in the server's place; what examines the server is sent all the
    same.
    """

    def __init__(self, wire: Wire, path: str, width: Width, fields: dict[str, Any]) -> None:
        self.wire, self._path, self.width, self._fields = wire, path, width, fields
        self._loop, self._closed = asyncio.new_event_loop(), False
        self._thread = threading.Thread(target=self._loop.run_forever, name="endpoint", daemon=True)
        self._thread.start()
        self.batch: Batch | None = None

    def run(self, requests: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
        """Results in order; the first failure cancels the rest and is raised."""
        if self._closed:
            raise MetacogError("this engine is closed; make a new one")

        async def everything() -> list[T]:
            self.wire.given_up = None
            return await together(requests)

        return self._run(everything())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end; an interrupt cancels what is in flight."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def send(self, body: dict[str, Any], read: Callable[[Any], T], *, retries: int | None = None) -> T:
        whole, asked = {**body, **self._fields}, ASKED.get()
        if self.batch is not None and asked is not None:
            return self.wire.take(self.batch, asked, self._path, whole, read)
        async with self.width.slot():
            limits = self.wire.limited
            answer = await self.wire.post(self._path, whole, read, retries=retries)
            if self.wire.limited > limits:
                self.width.refused()
            return answer

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._run(self.wire.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        if not self._thread.is_alive():
            self._loop.close()
