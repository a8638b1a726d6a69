"""What may be spent on a server: requests, tokens and money, held before they are passed.

Before a request is sent, the most that it can take is set aside; its answer's count then takes that place. A request
that no longer fits waits for those under way, whose answers mostly take less than was set aside, and if it does not
fit then, nothing more is sent. So a limit is never passed, what was paid for is kept, and the last requests before a
limit are made one by one. A request for a batch keeps the most that it can take, since its answer comes later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from metacog.engines.base import GaveUp, Spent

#: Tokens that a chat template is taken to add to a prompt until an answer's count says how many.
TEMPLATE = 256


class LimitReached(GaveUp):
    """The next request would pass a limit."""


@dataclass(frozen=True)
class Prices:
    """Prices per million tokens, in whatever currency the model's entry has them."""

    prompt: float
    answer: float

    def of(self, read: float, written: float) -> float:
        return (self.prompt * read + self.answer * written) / 1e6


@dataclass
class Tally:
    """What was spent."""

    #: Requests that were sent, tries again included.
    requests: int = 0
    #: Tokens of prompts and answers, and those of hidden reasoning among the latter. A request whose answer did
    #: not come back whole, or says no tokens, counts with the most it can have taken.
    read: int = 0
    written: int = 0
    hidden: int = 0
    #: Requests of that kind.
    uncounted: int = 0
    cost: float = 0.0

    def add(self, other: Tally) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def since(self, before: Tally) -> Tally:
        return Tally(*(getattr(self, one.name) - getattr(before, one.name) for one in fields(self)))

    def times(self, factor: float) -> Tally:
        """So many times as much, in whole requests and tokens."""
        made = {one.name: getattr(self, one.name) * factor for one in fields(self)}
        return Tally(**{name: value if name == "cost" else round(value) for name, value in made.items()})


@dataclass(frozen=True)
class Limits:
    """What may be spent in all; None is no limit."""

    requests: int | None = None
    tokens: int | None = None
    cost: float | None = None


@dataclass(eq=False)
class Charge:
    """One request under way: what is set aside for it, and what it took as far as that is known."""

    read: int
    written: int
    hidden: int = 0
    counted: bool = False
    free: bool = False

    def takes(self, spent: Spent | None) -> None:
        if spent is not None:
            self.read, self.written, self.hidden = spent.read, spent.written, spent.hidden
            self.counted = True

    def takes_nothing(self) -> None:
        self.read = self.written = 0
        self.counted = self.free = True


class Budget:
    """What may be spent, what has been, and what is set aside for requests under way.

    ``promised``: the most that requests in a batch file can take, whose answers are not there yet; ``settled``:
    called with the :class:`Tally` of each request when it has ended.
    """

    def __init__(self, limits: Limits | None = None, spent: Tally | None = None) -> None:
        self.limits, self.spent, self.promised = limits or Limits(), spent or Tally(), Tally()
        self.prices: Prices | None = None
        self.settled: Callable[[Tally], object] | None = None
        self._under_way: list[Charge] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._template: int | None = None
        self._over = 0

    def turn_to(self, prices: Prices | None, settled: Callable[[Tally], object] | None = None) -> None:
        if prices != self.prices:
            self._template, self._over = None, 0
        self.prices, self.settled = prices, settled

    async def take(self, body: Mapping[str, Any]) -> Charge:
        """Set aside what one request can take at most, once it fits; :class:`LimitReached` if it never will."""
        while True:
            charge = self.bound(body)
            option = self._passed(charge)
            if not option:
                self._under_way.append(charge)
                return charge
            if not self._under_way:
                raise LimitReached(self._stopped(option))
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting

    def promise(self, body: Mapping[str, Any]) -> str:
        """Set aside what a request in a batch file can take at most; the option whose limit forbids it, or empty."""
        charge = self.bound(body)
        option = self._passed(charge)
        if not option:
            self.promised.add(self.tally(charge))
        return option

    def bound(self, body: Mapping[str, Any]) -> Charge:
        """The most that a request can take: a token is a byte at least, and the answer has its own limit."""
        template = self._template
        if template is None:
            template = TEMPLATE if "messages" in body else 8
        return Charge(_bytes(body) + template, _most_written(body) + self._over)

    def settle(self, charge: Charge, body: Mapping[str, Any]) -> None:
        self._under_way.remove(charge)
        if charge.counted and not charge.free:
            self._template = max(self._template or 0, charge.read - _bytes(body), 0)
            self._over = max(self._over, charge.written - _most_written(body))
        self.count(charge)
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    def count(self, charge: Charge) -> None:
        took = self.tally(charge)
        self.spent.add(took)
        if self.settled is not None:
            self.settled(took)

    def tally(self, charge: Charge) -> Tally:
        cost = self.prices.of(charge.read, charge.written) if self.prices else 0.0
        return Tally(1, charge.read, charge.written, charge.hidden, int(not charge.counted), cost)

    def _passed(self, charge: Charge) -> str:
        """Option of the limit that one more request would pass; empty for none."""
        limits, all_in = self.limits, Tally()
        for one in (self.spent, self.promised, *map(self.tally, self._under_way), self.tally(charge)):
            all_in.add(one)
        passed = {
            "--max-requests": limits.requests is not None and all_in.requests > limits.requests,
            "--max-tokens-total": limits.tokens is not None and all_in.read + all_in.written > limits.tokens,
            "--max-cost": limits.cost is not None and all_in.cost > limits.cost,
        }
        return next((option for option, holds in passed.items() if holds), "")

    def _stopped(self, option: str) -> str:
        limits, spent = self.limits, self.spent
        what = {
            "--max-requests": f"{spent.requests:,} of {limits.requests or 0:,} requests",
            "--max-tokens-total": f"{spent.read + spent.written:,} of {limits.tokens or 0:,} tokens",
            "--max-cost": f"{spent.cost:.4g} of {limits.cost or 0:g} in cost",
        }[option]
        return (
            f"stopped before a limit is passed: {what} are spent, and the next request could take more than is "
            f"left. Every reply so far is kept; the same command with a higher {option} goes on from there"
        )


def _bytes(body: Mapping[str, Any]) -> int:
    turns = body.get("messages")
    if turns is None:
        return len(str(body.get("prompt", "")).encode())
    return sum(len(str(turn.get("content", "")).encode()) for turn in turns)


def _most_written(body: Mapping[str, Any]) -> int:
    return int(body.get("max_tokens") or body.get("max_completion_tokens") or 0)
