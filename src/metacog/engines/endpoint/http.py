"""The wire of the endpoint engine: one asynchronous client, retries, and rate limits.

Every request is tried again after a dropped connection, a hang, a 5xx answer or a reply that
cannot be read, with exponential backoff and full jitter (each wait is uniform between zero and
a bound that doubles). ``Retry-After`` and ``x-ratelimit-*`` headers are obeyed by all requests
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

import httpx

from metacog.core.errors import MetacogError
from metacog.engines.base import Spent
from metacog.engines.endpoint.address import Secret, is_loopback
from metacog.engines.endpoint.limits import limit_wait

T = TypeVar("T")

#: Statuses that a later try may mend.
RETRYABLE = frozenset({408, 409, 425, 500, 502, 503, 504, 520, 522, 524, 529})
_KEPT = "Trials of finished blocks are kept: the same command goes on from there"


class BadReply(Exception):
    """A reply that cannot be used, though another try may bring a good one."""


class GaveUp(MetacogError):
    """Every try failed (``status`` is the last HTTP status, 0 if there was none)."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Refused(MetacogError):
    """The server refused a request for good (``status`` is its HTTP status)."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Patience:
    """How long to put up with a server.

    Attributes
    ----------
    timeout : float
        Seconds until a request without a full answer counts as hung.
    retries : int
        Further tries after the first.
    backoff, max_backoff : float
        First and largest bound of the random wait between tries, in seconds.
    limit_wait : float
        Longest time, in seconds, that one request waits for rate limits.
    """

    timeout: float = 120.0
    retries: int = 6
    backoff: float = 0.5
    max_backoff: float = 30.0
    limit_wait: float = 600.0


class Wire:
    """Posts JSON to one server.

    Parameters
    ----------
    url : str
        Checked base address.
    key : Secret
    patience : Patience
    transport : httpx.AsyncBaseTransport, optional
        Stands in for the network in tests.
    sleep, clock, rng
        Stand in for time and chance in tests.
    """

    def __init__(
        self,
        url: str,
        key: Secret,
        patience: Patience,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: random.Random | None = None,
    ) -> None:
        self.url, self.patience = url, patience
        self.retried = 0
        #: Tokens of all answers so far; None once an answer did not say.
        self.spent: Spent | None = Spent(0, 0)
        self._key, self._sleep, self._clock = key, sleep, clock
        self._rng = rng or random.Random()
        self._not_before = -float("inf")
        self._client = httpx.AsyncClient(
            headers=key.headers(),
            timeout=httpx.Timeout(patience.timeout, connect=min(10.0, patience.timeout), pool=None),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=64),
            transport=transport,
            trust_env=not is_loopback(url),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def post(
        self, path: str, body: dict[str, Any], read: Callable[[Any], T], *, retries: int | None = None
    ) -> T:
        """Send one request until it is answered; ``read`` turns the JSON into a result.

        Raises
        ------
        Refused
            If the server refuses the request for good.
        MetacogError
            If every try failed (:class:`GaveUp`), or rate limits ask for too long a wait.
        """
        tries = 1 + (self.patience.retries if retries is None else retries)
        begun, failed, limited = self._clock(), 0, 0
        while True:
            await self._wait_for_limit()
            outcome = await self._attempt(path, body, read)
            if not isinstance(outcome, _Failure):
                return outcome
            self.retried += 1
            if outcome.limited:
                limited += 1
                wait = max(outcome.wait or 0.0, self._jitter(limited if outcome.wait is None else 0))
                if self._clock() - begun + wait > self.patience.limit_wait:
                    raise MetacogError(
                        f"{self.url} limits the rate of requests and asks to wait {wait:.0f} s more "
                        f"({outcome.what}). {_KEPT}; lower `concurrency`, or come back later"
                    )
                if outcome.wait is not None:
                    self._not_before = max(self._not_before, self._clock() + outcome.wait)
                    wait = self._jitter(0)  # the gate holds everyone; each then starts at a moment of its own
            else:
                failed += 1
                if failed >= tries:
                    raise GaveUp(
                        f"{self.url}{path} failed {failed} times, last: {outcome.what}. "
                        f"Check that the server is up and has memory to spare. {_KEPT}",
                        outcome.status,
                    )
                wait = self._jitter(failed)
            await self._sleep(wait)

    def _jitter(self, failures: int) -> float:
        """Full jitter: uniform between zero and the bound of that many failures."""
        p = self.patience
        return self._rng.uniform(0.0, min(p.max_backoff, p.backoff * 2.0 ** max(0, failures - 1)))

    async def _wait_for_limit(self) -> None:
        while (wait := self._not_before - self._clock()) > 0:
            if wait > self.patience.limit_wait:
                raise MetacogError(
                    f"{self.url} allows no further request for {wait:.0f} s. {_KEPT}; come back then"
                )
            await self._sleep(wait)

    async def _attempt(self, path: str, body: dict[str, Any], read: Callable[[Any], T]) -> T | _Failure:
        timeout = self.patience.timeout
        try:
            async with asyncio.timeout(timeout):  # httpx alone would wait for ever on a trickle of bytes
                response = await self._client.post(self.url + path, json=body)
        except (TimeoutError, httpx.TimeoutException):
            return _Failure(f"no full answer within {timeout:g} s")
        except httpx.TransportError as error:
            return _Failure(f"the connection failed ({type(error).__name__})")
        status = response.status_code
        if status != 200:
            return self._not_ok(response, path)
        wait = limit_wait(response.headers, refused=False)
        if wait:
            self._not_before = max(self._not_before, self._clock() + wait)
        try:
            payload = response.json()
            self._count(payload)
            return read(payload)
        except ValueError:
            return _Failure("the reply was no JSON")
        except BadReply as error:
            return _Failure(self._key.mask(str(error)))

    def _count(self, payload: Any) -> None:
        usage = (payload.get("usage") if isinstance(payload, dict) else None) or {}
        read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if self.spent and isinstance(read, int) and isinstance(written, int):
            self.spent = Spent(self.spent.read + read, self.spent.written + written)
        else:
            self.spent = None

    def _not_ok(self, response: httpx.Response, path: str) -> _Failure:
        status, message = response.status_code, self._message(response)
        what = f"HTTP {status}{': ' + message if message else ''}"
        if status == 429 and "insufficient_quota" in response.text:
            raise Refused(f"{self.url}: the account's quota is spent ({what}). {_KEPT}", status)
        if status == 429 or (status == 503 and "retry-after" in response.headers):
            return _Failure(what, limited=True, wait=limit_wait(response.headers, refused=True))
        # a 500 that speaks of the request itself will not go away
        final = re.search(r"logits?_all|logprobs|validation error|context window|not supported", message)
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

    def _message(self, response: httpx.Response) -> str:
        """The server's own words, short, on one line, without the key."""
        try:
            words = response.json()
            for name in ("error", "message"):
                words = words.get(name, words) if isinstance(words, dict) else words
            text = words if isinstance(words, str) else str(words)
        except ValueError:
            text = response.text
        return self._key.mask(" ".join(text.split()))[:300]


@dataclass(frozen=True)
class _Failure:
    what: str
    limited: bool = False
    wait: float | None = None
    status: int = 0
