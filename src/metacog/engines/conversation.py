"""One item's exchange with a model: a generator that yields requests and is sent the replies."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from metacog.engines.base import Generation, Served
from metacog.engines.requests import Choose, Form, Generate, Reply, Request, request_digest

#: What ``ask`` of a study is: it yields one request, or several that belong to the same step.
Asking = Generator[Request | Sequence[Request], Any, None]


def derive_seed(*parts: object) -> int:
    """A seed that depends on its parts alone, below 2**31 (what every server takes)."""
    text = json.dumps([str(part) for part in parts])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 33


@dataclass(frozen=True)
class Exchange:
    """A request that was made and the reply to it; ``served`` says who answered, where a server did."""

    step: int
    index: int
    request: Request
    reply: Reply
    served: tuple[Served, ...] = ()


class Stored(NamedTuple):
    """A reply that is known already.

    Attributes
    ----------
    digest : str
        Of the request that was answered.
    reply : callable
        Puts the stored reply behind a request.
    served : tuple of Served
    """

    digest: str
    reply: Callable[[Request], Reply]
    served: tuple[Served, ...] = ()


@dataclass(frozen=True)
class Drawn:
    """One sample of a request whose others are still to come: its place and the text that was drawn."""

    step: int
    index: int
    sample: int
    request: Request
    made: Generation
    served: tuple[Served, ...] = ()


class Conversation:
    """What is asked next, and the turns so far. Engines answer :attr:`pending`.

    Parameters
    ----------
    asking : generator
        Yields a request or a sequence of them; is sent the reply, or a list of replies.
    form : Form
        How turns become text for the model.
    seed : tuple
        What seeds are derived from, in addition to step, request and sample.
    one_turn : bool
        The study promises that nothing is asked after the first step, so no cache need be kept.
    heard : callable, optional
        Called with each exchange as it is made (an endpoint's journal), and with each :class:`Drawn` sample
        of a request that wants several.

    mark : str
        Tells it from another conversation about the same item, where calls are named (a batch).
    taken : callable, optional
        What the study is given of a reply, from the request and the reply; the whole by default. Exchanges keep
        the whole.

    Notes
    -----
    Requests of one step may be answered in any order; the generator goes on when all are.
    """

    def __init__(
        self,
        asking: Asking,
        form: Form,
        *,
        seed: tuple[object, ...] = (0,),
        one_turn: bool = False,
        heard: Callable[[Exchange | Drawn], object] | None = None,
        mark: str = "",
        taken: Callable[[Request, Reply], Reply] = lambda request, reply: reply,
    ) -> None:
        self.form, self.one_turn, self.heard, self.mark, self.taken = form, one_turn, heard, mark, taken
        self.exchanges: list[Exchange] = []
        self.pending: dict[int, Request] = {}
        self.step = -1
        self.drawn: dict[tuple[int, int, int], tuple[str, Generation, tuple[Served, ...]]] = {}
        self._asking, self._seed = asking, seed
        self._several, self._answers = False, {}  # type: tuple[bool, dict[int, Exchange]]
        self._go_on(None)

    @property
    def ended(self) -> bool:
        """Nothing is asked any more."""
        return not self.pending

    @property
    def replies(self) -> list[Reply]:
        """All replies so far as the study is given them, in the order of their requests."""
        return [self.taken(made.request, made.reply) for made in self.exchanges]

    def known_sample(self, index: int, sample: int) -> tuple[Generation, tuple[Served, ...]] | None:
        """A sample of a pending request that was drawn before, and who drew it."""
        found = self.drawn.get((self.step, index, sample))
        if found is None or found[0] != request_digest(self.pending[index]):
            return None
        return found[1:]

    def keep_sample(self, index: int, sample: int, made: Generation, served: tuple[Served, ...]) -> None:
        """Have one sample of several written down before the others are there."""
        if self.heard is not None:
            self.heard(Drawn(self.step, index, sample, self.pending[index], made, served))

    def answer(self, index: int, reply: Reply, served: Sequence[Served] = ()) -> None:
        """Give the reply to one pending request; after the last of a step the study goes on."""
        made = Exchange(self.step, index, self.pending.pop(index), reply, tuple(served))
        self._answers[index] = made
        if self.heard is not None:
            self.heard(made)
        if not self.pending:
            done = [self._answers[i] for i in sorted(self._answers)]
            self.exchanges += done
            self._answers = {}
            given = [self.taken(e.request, e.reply) for e in done]
            self._go_on(given if self._several else given[0])

    def replay(self, known: Mapping[tuple[int, int], Stored]) -> bool:
        """Answer from stored replies as far as they go.

        Parameters
        ----------
        known : mapping
            By step and index.

        Returns
        -------
        bool
            False if a request differs from the one that was answered: the conversation would now go on
            another way, and nothing after that was replayed.
        """
        heard, self.heard = self.heard, None
        try:
            while True:
                found = [(i, r) for i, r in self.pending.items() if (self.step, i) in known]
                if not found:
                    return True
                for index, request in found:
                    stored = known[self.step, index]
                    if stored.digest != request_digest(request):
                        return False
                    self.answer(index, stored.reply(request), stored.served)
        finally:
            self.heard = heard

    def _go_on(self, answer: Any) -> None:
        try:
            asked = next(self._asking) if self.step < 0 else self._asking.send(answer)
        except StopIteration:
            return
        self.step += 1
        self._several = not isinstance(asked, Request)
        requests: list[Any] = list(asked) if self._several else [asked]  # type: ignore[arg-type, list-item]
        if not requests:
            raise ValueError("a step of a conversation asks nothing")
        self.pending = {i: self._seeded(i, request) for i, request in enumerate(requests)}

    def _seeded(self, index: int, request: Request) -> Request:
        def seed(sample: int) -> int:
            return derive_seed(*self._seed, self.step, index, sample)

        if isinstance(request, Generate) and request.seeds is None:
            return replace(request, seeds=tuple(seed(j) for j in range(request.n_samples)))
        if isinstance(request, Choose) and request.seed is None:
            return replace(request, seed=seed(0))
        return request
