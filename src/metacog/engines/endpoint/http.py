"""The wire of the endpoint engine: one asynchronous client, retries, and rate limits.

Every request is tried again after a dropped connection, a hang, a 5xx answer or a reply that
cannot be read, with exponential backoff and full jitter (each wait is uniform between zero and
a bound that doubles). A server that is not there, since it refuses connections or loads its model still, is waited for
in minutes and not in tries. ``Retry-After`` and ``x-ratelimit-*`` headers are obeyed by all requests
in flight together. The key lives in the client's header and in a masked holder, nowhere else.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2

from metacog.core.errors import MetacogError
from metacog.core.events import emit, so_far
from metacog.core.progress import duration, remark
from metacog.engines.asked import ASKED, Asked
from metacog.engines.base import GaveUp, Spent
from metacog.engines.batches import Batch, Deferred
from metacog.engines.budget import Budget, Charge
from metacog.engines.endpoint.address import Secret, is_loopback
from metacog.engines.endpoint.told import read_served, read_usage, told_error, words_of
from metacog.engines.endpoint.waits import limit_wait

T = TypeVar("T")

#: Statuses that a later try may mend.
RETRYABLE = frozenset({408, 409, 425, 500, 502, 503, 504, 520, 522, 524, 529})


_KEPT = "Trials of finished blocks are kept: the same command goes on from there"

#: Bytes that an answer may have.
LARGEST = 1 << 26


class BadReply(Exception):
    """A reply that cannot be used, though another try may bring a good one."""


class Refused(MetacogError):
    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Patience:
    """How long to put up with a server."""

    #: Seconds until a request without a full answer counts as hung.
    timeout: float = 120.0
    retries: int = 6
    #: First and largest bound of the random wait between tries, in seconds.
    backoff: float = 0.5
    max_backoff: float = 30.0
    limit_wait: float = 600.0
    #: Longest time, in seconds, that a server which is not there is waited for; none gives up at the first try.
    server_wait: float = 600.0


#: Kind of the note that a server was waited for in vain: other steps of the same book then wait no more.
GONE = "gone"


class Wire:
    """Posts JSON to one server."""

    def __init__(
        self,
        url: str,
        key: Secret,
        patience: Patience,
        *,
        budget: Budget | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: random.Random | None = None,
    ) -> None:
        self.url, self.patience, self.budget = url, patience, budget or Budget()
        self.retried = 0
        #: Rate limits that were met.
        self.limited = 0
        #: Tokens of all answers so far; None once an answer did not say.
        self.spent: Spent | None = Spent(0, 0)
        #: The server's own name of the model, from its first answer; no other model's answer is taken.
        self.served_model = ""
        #: Why no further request is to be sent: one has failed for good. Those under way come to their end.
        self.given_up: GaveUp | None = None
        self._away_since: float | None = None
        gone = any(note.kind == GONE and note.facts["url"] == url for note in so_far())
        self._server_wait = 0.0 if gone else patience.server_wait
        self._pauses: set[asyncio.Future[Any]] = set()
        self._key, self._sleep, self._clock = key, sleep, clock
        self._rng = rng or random.Random()
        self._not_before = -float("inf")
        self._client = httpx2.AsyncClient(
            headers=key.headers(),
            timeout=httpx2.Timeout(patience.timeout, connect=min(10.0, patience.timeout), pool=None),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=64),
            transport=transport,
            trust_env=not is_loopback(url),
        )

    async def close(self) -> None:
        await self._client.aclose()

    async def post(
        self, path: str, body: dict[str, Any], read: Callable[[Any], T], *, retries: int | None = None
    ) -> T:
        """Send one request until it is answered; ``read`` turns the JSON into a result."""
        tries = 1 + (self.patience.retries if retries is None else retries)
        begun, failed, limited, away = self._clock(), 0, 0, 0
        while True:
            await self._wait_for_limit()
            if self.given_up is not None:
                raise self.given_up
            charge = await self.budget.take(body)
            try:
                outcome = await self._attempt(path, body, read, charge)
            finally:
                self.budget.settle(charge, body)
            if not isinstance(outcome, _Failure):
                return outcome
            self.retried += 1
            if outcome.away:
                away += 1
                wait = self._until_back(outcome.what, away)
                begun += wait
            elif outcome.limited:
                limited += 1
                self.limited += 1
                wait = max(outcome.wait or 0.0, self._jitter(limited if outcome.wait is None else 0))
                if self._clock() - begun + wait > self.patience.limit_wait:
                    asks = "" if outcome.wait is None else f" and asks to wait {wait:.0f} s more"
                    raise self._give_up(
                        f"{self.url} limits the rate of requests{asks} "
                        f"({outcome.what}). {_KEPT}; lower `concurrency`, or come back later",
                        429,
                    )
                if outcome.wait is not None:
                    self._not_before = max(self._not_before, self._clock() + outcome.wait)
                    wait = self._jitter(0)  # the gate holds everyone; each then starts at a moment of its own
            else:
                failed += 1
                if failed >= tries:
                    raise self._give_up(
                        f"{self.url}{path} failed {failed} times, last: {outcome.what}. "
                        f"Check that the server is up, serves that model and has memory to spare. {_KEPT}",
                        outcome.status,
                    )
                wait = self._jitter(failed)
            await self._pause(wait)

    def _until_back(self, what: str, tries: int) -> float:
        """Seconds until a server that is not there is tried again; says once that it is waited for."""
        limit = self._server_wait
        if self._away_since is None:
            self._away_since = self._clock()
            if limit:
                remark(f"{self.url} cannot be reached ({what}): waiting for it, up to {duration(limit)}")
        left = self._away_since + limit - self._clock()
        if left > 0:
            return min(left, self._jitter(tries))
        if not self.patience.server_wait:
            raise self._give_up(
                f"{self.url} cannot be reached ({what}): check the address, and that the server is up", 0
            )
        emit(GONE, url=self.url)
        waited = f"was waited for {duration(limit)}" if limit else "was waited for in vain before"
        raise self._give_up(f"{self.url} cannot be reached ({what}), and {waited}. {_KEPT}", 0)

    def _give_up(self, why: str, status: int) -> GaveUp:
        self.given_up = GaveUp(why, status)
        for pause in self._pauses:
            pause.cancel()
        return self.given_up

    def take(
        self, batch: Batch, asked: Asked, path: str, body: dict[str, Any], read: Callable[[Any], T]
    ) -> T:
        """A batch's answer in the place of the server's, counted once; :class:`Deferred` if there is none."""
        payload = batch.answer(asked, path, body)
        if batch.is_new(asked):
            charge = Charge(0, 0)
            self._count(payload, charge)
            self.budget.count(charge)
        try:
            self._note_served(payload)
            return read(payload)
        except BadReply as error:
            batch.reject(asked, str(error))
            raise Deferred(f"an answer of the batch cannot be used: {error}") from None

    def _jitter(self, failures: int) -> float:
        """Full jitter: uniform between zero and the bound of that many failures."""
        p = self.patience
        return self._rng.uniform(0.0, min(p.max_backoff, p.backoff * 2.0 ** max(0, failures - 1)))

    async def _wait_for_limit(self) -> None:
        while (wait := self._not_before - self._clock()) > 0:
            if wait > self.patience.limit_wait:
                raise self._give_up(
                    f"{self.url} allows no further request for {wait:.0f} s. {_KEPT}; come back then", 429
                )
            await self._pause(wait)

    async def _pause(self, seconds: float) -> None:
        """Wait; not to the end where another request has failed for good."""
        if self.given_up is not None:
            raise self.given_up
        pause = asyncio.ensure_future(self._sleep(seconds))
        self._pauses.add(pause)
        try:
            await pause
        except asyncio.CancelledError:
            if self.given_up is None:
                raise
            raise self.given_up from None
        finally:
            self._pauses.discard(pause)

    async def _attempt(
        self, path: str, body: dict[str, Any], read: Callable[[Any], T], charge: Charge
    ) -> T | _Failure:
        timeout = self.patience.timeout
        try:
            async with asyncio.timeout(timeout):  # httpx2 alone would wait for ever on a trickle of bytes
                response = await self._answer(path, body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            charge.takes_nothing()
            what = self._key.mask(f"{type(error).__name__}: {error}")
            return _Failure(what, away="CERTIFICATE" not in what)
        except (TimeoutError, httpx2.TimeoutException):
            return _Failure(f"no full answer within {timeout:g} s")
        except httpx2.RequestError as error:
            return _Failure(f"the connection failed ({type(error).__name__})")
        if response is None:
            return _Failure(f"the answer goes on behind {LARGEST / 1e6:.0f} MB")
        status = response.status_code
        if (
            status == 503 and "loading model" in response.text.lower()
        ):  # llama-server listens before it can answer
            charge.takes_nothing()
            return _Failure("HTTP 503: it loads its model", away=True)
        self._away_since = None
        try:
            payload, found = response.json(), ""
        except (ValueError, RecursionError):
            payload, found = response.text, "the reply was no JSON"
        if status != 200:
            charge.takes_nothing()
            return self._not_ok(status, f"HTTP {status}", words_of(payload), response, path)
        wait = limit_wait(response.headers, refused=False)
        if wait:
            self._not_before = max(self._not_before, self._clock() + wait)
        if under := told_error(payload):
            charge.takes_nothing()
            named, words = under
            return self._not_ok(named, "an error under status 200", words, response, path)
        if found:
            return _Failure(f"{found}: {self._key.mask(words_of(payload))!r}")
        try:
            self._count(payload, charge)
            self._note_served(payload)
            return read(payload)
        except BadReply as error:
            return _Failure(self._key.mask(str(error)))

    async def _answer(self, path: str, body: dict[str, Any]) -> httpx2.Response | None:
        """An answer with all that was sent; None where that is too much to be one."""
        async with self._client.stream("POST", self.url + path, json=body) as response:
            pieces, size = [], 0
            async for piece in response.aiter_bytes():
                pieces.append(piece)
                size += len(piece)
                if size > LARGEST:
                    return None
            response._content = b"".join(pieces)  # as its own aread() does
        return response

    def _count(self, payload: Any, charge: Charge) -> None:
        took = read_usage(payload.get("usage") if isinstance(payload, dict) else None)
        charge.takes(took)
        self.spent = Spent(*map(sum, zip(self.spent, took, strict=True))) if self.spent and took else None

    def _note_served(self, payload: Any) -> None:
        """Hold an answer against the model that answered first, and note who made it."""
        served = read_served(payload)
        if served is None:
            return
        self.served_model = self.served_model or served.model
        if served.model and served.model != self.served_model:
            raise BadReply(
                f"another model answered: {served.model[:80]!r}, where {self.served_model[:80]!r} was asked so far"
            )
        asked = ASKED.get()
        if asked is not None:
            asked.note(served)

    def _not_ok(
        self, status: int, which: str, message: str, response: httpx2.Response, path: str
    ) -> _Failure:
        message = self._key.mask(message)
        what = f"{which}{': ' + message if message else ''}"
        if status == 429 and "insufficient_quota" in response.text:
            raise Refused(f"{self.url}: the account's quota is spent ({what}). {_KEPT}", status)
        if status == 429 or (status == 503 and "retry-after" in response.headers):
            return _Failure(what, limited=True, wait=limit_wait(response.headers, refused=True))
        # a 500 that speaks of the request itself will not go away
        final = re.search(
            r"logits?_all|logprobs|validation error|context window|not supported|grammar|json_schema"
            r"|response_format|guided_choice|structured_outputs",
            message,
        )
        if status in RETRYABLE and not final:
            return _Failure(what, status=status)
        advice = {
            401: "check the key in the environment variable that key_env names",
            403: "check the key and what it may use",
            404: "check the url (it usually ends in /v1) and the model's name",
        }.get(status, "check the url, the model's name and the server's own log")
        if 300 <= status < 400:
            advice = "the server sends elsewhere; write its final address as the url"
        raise Refused(f"{self.url}{path} refused the request ({what}): {advice}", status)


@dataclass(frozen=True)
class _Failure:
    what: str
    limited: bool = False
    away: bool = False
    wait: float | None = None
    status: int = 0
