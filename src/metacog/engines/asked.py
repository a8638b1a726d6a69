"""Which request calls to a server are made for, from where the request is known down to the wire."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from metacog.engines.base import Served


@dataclass
class Asked:
    """A request that calls are made for: its name, in a batch file too, and who answered, each once."""

    name: str
    served: list[Served] = field(default_factory=list)

    def note(self, served: Served) -> None:
        if served not in self.served:
            self.served.append(served)


#: What the calls of this task are made for; None outside of conversations (the probe).
ASKED: ContextVar[Asked | None] = ContextVar("asked", default=None)


@contextmanager
def asking(name: str, served: list[Served]) -> Iterator[None]:
    """Calls within the block are made under a name, and who answers them is added to a list."""
    token = ASKED.set(Asked(name, served))
    try:
        yield
    finally:
        ASKED.reset(token)
