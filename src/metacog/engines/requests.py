"""What a study asks of an engine, and what it is told: requests and replies.

A request holds turns, never a rendered prompt: how turns become text (chat template or plain text with
examples) is chosen by model and stands between requests and engine (:class:`Form`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

from metacog.engines.base import Generation, Message, Renderer, ScoredText, Served


def user(content: str) -> Message:
    return Message(role="user", content=content)


def assistant(content: str) -> Message:
    return Message(role="assistant", content=content)


class Form(Protocol):
    """How turns become the text one model sees."""

    @property
    def stop(self) -> tuple[str, ...]:
        """Texts that end a turn of the assistant, in addition to the model's own end token."""

    @property
    def lead(self) -> str:
        """What stands between a rendered prompt and the assistant's first word."""

    @property
    def mark(self) -> str:
        """What a question begins with; empty where nothing stands before it."""

    def render(self, turns: Sequence[Message], engine: Renderer) -> str:
        """The prompt, with the assistant's turn opened."""

    def messages(self, turns: Sequence[Message]) -> tuple[Message, ...] | None:
        """The same as turns for a chat endpoint; None where the prompt is plain text."""


@dataclass(frozen=True)
class Generate:
    """Let the assistant write."""

    turns: tuple[Message, ...]
    max_tokens: int
    temperatures: tuple[float, ...] = (0.0,)
    #: Samples at each temperature; they share one reading of the prompt.
    n: int = 1
    stop: tuple[str, ...] | None = None
    count_stop_token: bool = False
    #: One a sample, only where a pre-registration fixes them; derived by the runner otherwise.
    seeds: tuple[int, ...] | None = None

    kind: ClassVar[str] = "generate"

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", tuple(self.turns))
        object.__setattr__(self, "temperatures", tuple(float(t) for t in self.temperatures))
        if self.seeds is not None and len(self.seeds) != self.n_samples:
            raise ValueError(f"{len(self.seeds)} seeds for {self.n_samples} samples")

    @property
    def n_samples(self) -> int:
        return len(self.temperatures) * self.n

    @property
    def sample_temperatures(self) -> tuple[float, ...]:
        return tuple(t for t in self.temperatures for _ in range(self.n))


def check_options(options: Sequence[str]) -> None:
    if not options or not all(options) or len(set(options)) < len(options):
        raise ValueError("options must be at least one, different, and not empty")


@dataclass(frozen=True)
class Choose:
    """Let the assistant choose among closed options."""

    turns: tuple[Message, ...]
    #: As they would be written, without a space before them.
    options: tuple[str, ...]
    #: 0 takes the most probable (the first on a tie); else one is drawn from ``softmax(logprobs / temperature)``.
    temperature: float = 0.0
    #: ``label``: options that are single tokens after what they share are read at one position; others are scored
    #: whole, as in ``text``. ``text``: sum over the option's tokens and the token that ends the turn. ``first``: the
    #: first token in which they differ, whatever follows; it must tell them apart. The reply names what was done.
    form: str = "label"
    #: Where a server cannot score options: ``parse`` lets the assistant write and looks for one of them (the
    #: reply's form is then ``parsed``); ``fail`` raises.
    fallback: str = "parse"
    #: Of such a written answer.
    max_tokens: int = 16
    #: Derived by the runner if None.
    seed: int | None = None

    kind: ClassVar[str] = "choose"

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", tuple(self.turns))
        object.__setattr__(self, "options", tuple(self.options))
        check_options(self.options)
        if self.form not in ("label", "text", "first") or self.fallback not in ("parse", "fail"):
            raise ValueError("form must be label, text or first, and fallback parse or fail")


@dataclass(frozen=True)
class Score:
    """Log-probabilities of given continuations, exactly as they would follow the prompt."""

    turns: tuple[Message, ...]
    continuations: tuple[str, ...]

    kind: ClassVar[str] = "score"

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", tuple(self.turns))
        object.__setattr__(self, "continuations", tuple(self.continuations))


Request: TypeAlias = Generate | Choose | Score


def request_digest(request: Request) -> str:
    """Short hash of everything a request asks for, its seeds included."""
    text = json.dumps([request.kind, asdict(request)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Generated:
    """Reply to :class:`Generate`: one generation a sample, in the request's order."""

    samples: tuple[Generation, ...]
    asked: tuple[Message, ...] = ()

    @property
    def text(self) -> str:
        return self.samples[0].text

    def turns(self, sample: int = 0) -> tuple[Message, ...]:
        """The conversation so far, going on from one of the samples."""
        return (*self.asked, assistant(self.samples[sample].text.strip()))


@dataclass(frozen=True)
class Chosen:
    """Reply to :class:`Choose`."""

    options: tuple[str, ...]
    #: Raw log-probability of each option in the reply's form; NaN where the choice was parsed.
    logprobs: tuple[float, ...]
    #: ``logprobs`` renormalised over the options.
    probabilities: tuple[float, ...]
    #: The option taken; empty where a written answer named none, or several.
    chosen: str
    #: ``label``, ``text``, ``first`` or ``parsed``; ``open`` is ``text`` without the token that ends the turn (a
    #: server whose end token is not known).
    form: str
    #: What the assistant wrote, where the choice was parsed.
    text: str = ""
    asked: tuple[Message, ...] = ()

    def probability(self, option: str) -> float:
        return self.probabilities[self.options.index(option)]

    def turns(self) -> tuple[Message, ...]:
        """The conversation so far, with the choice as the assistant's turn."""
        return (*self.asked, assistant(self.chosen or self.text.strip()))


@dataclass(frozen=True)
class Scored:
    """Reply to :class:`Score`: one score a continuation."""

    scores: tuple[ScoredText, ...]
    asked: tuple[Message, ...] = ()


Reply: TypeAlias = Generated | Chosen | Scored


def to_record(reply: Reply) -> dict[str, Any]:
    """A reply as JSON can hold it; turns are left out, since the request has them."""
    record = asdict(reply)
    del record["asked"]
    for sample in record.get("samples", ()):
        for name in ("n_thought", "ends", "ran_on"):
            if not sample[name]:
                del sample[name]
    return record


def from_record(request: Request, record: Mapping[str, Any]) -> Reply:
    """The reply that :func:`to_record` wrote down, put back behind its request."""
    if isinstance(request, Generate):
        return Generated(tuple(_rebuilt(Generation, made) for made in record["samples"]), request.turns)
    if isinstance(request, Choose):
        values: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in record.items()}
        return Chosen(**values, asked=request.turns)
    return Scored(tuple(_rebuilt(ScoredText, made) for made in record["scores"]), request.turns)


def _rebuilt(kind: Any, record: Mapping[str, Any]) -> Any:
    values = {field.name: record[field.name] for field in fields(kind) if field.name in record}
    return kind(**{name: tuple(v) if isinstance(v, list) else v for name, v in values.items()})


# One item's exchange with a model: a generator that yields requests and is sent the replies.

#: What ``ask`` of a study is: it yields one request, or several that belong to the same step.
Asking = Generator[Request | Sequence[Request], Any, None]


#: Seeds lie below this number, which every server takes.
SEEDS = 2**31


def derive_seed(*parts: object) -> int:
    """A seed that depends on its parts alone, below :data:`SEEDS`."""
    return (
        int.from_bytes(hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).digest()[:8]) >> 33
    )


@dataclass(frozen=True)
class Exchange:
    """A request that was made and the reply to it; ``served`` says who answered, where a server did."""

    step: int
    index: int
    request: Request
    reply: Reply
    served: tuple[Served, ...] = ()


class Stored(NamedTuple):
    """A reply that is known already: the digest of its request, and what puts it behind a request."""

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

    ``seed``: what seeds are derived from, in addition to step, request and sample; ``one_turn``: the study promises
    that nothing is asked after the first step, so no cache need be kept; ``mark``: tells it from another
    conversation about the same item, where calls are named (a batch); ``taken``: what the study is given of a
    reply, from the request and the reply; the whole by default. Exchanges keep the whole.

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
        """Answer from stored replies, by step and index, as far as they go.

        False if a request differs from the one that was answered: the conversation would now go on another way, and
        nothing after that was replayed.
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

    def told_whole_by(self, known: Mapping[tuple[int, int], Stored]) -> bool:
        """Replay stored replies; whether they are those of this conversation to its end, and no more."""
        return self.replay(known) and self.ended and len(self.exchanges) == len(known)

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
