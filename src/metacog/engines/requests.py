"""What a study asks of an engine, and what it is told: requests and replies.

A request holds turns, never a rendered prompt: how turns become text (chat template or plain text with
examples) is chosen by model and stands between requests and engine (:class:`Form`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Protocol, TypeAlias

from metacog.engines.base import Generation, Message, Renderer, ScoredText


def user(content: str) -> Message:
    """A turn of the user."""
    return Message(role="user", content=content)


def assistant(content: str) -> Message:
    """A turn of the assistant."""
    return Message(role="assistant", content=content)


class Form(Protocol):
    """How turns become the text one model sees."""

    @property
    def stop(self) -> tuple[str, ...]:
        """Texts that end a turn of the assistant, in addition to the model's own end token."""
        ...

    @property
    def lead(self) -> str:
        """What stands between a rendered prompt and the assistant's first word."""
        ...

    @property
    def mark(self) -> str:
        """What a question begins with; empty where nothing stands before it."""
        ...

    def render(self, turns: Sequence[Message], engine: Renderer) -> str:
        """The prompt, with the assistant's turn opened."""
        ...

    def messages(self, turns: Sequence[Message]) -> tuple[Message, ...] | None:
        """The same as turns for a chat endpoint; None where the prompt is plain text."""
        ...


@dataclass(frozen=True)
class Generate:
    """Let the assistant write.

    Attributes
    ----------
    turns : tuple of Message
    max_tokens : int
    temperatures : tuple of float
    n : int
        Samples at each temperature; they share one reading of the prompt.
    stop : tuple of str or None
        Texts that end the answer; None takes those of the model's form.
    count_stop_token : bool
        Count the tokens that hold the stop text.
    seeds : tuple of int or None
        One a sample, only where a pre-registration fixes them; derived by the runner otherwise.
    """

    turns: tuple[Message, ...]
    max_tokens: int
    temperatures: tuple[float, ...] = (0.0,)
    n: int = 1
    stop: tuple[str, ...] | None = None
    count_stop_token: bool = False
    seeds: tuple[int, ...] | None = None

    kind: ClassVar[str] = "generate"

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", tuple(self.turns))
        object.__setattr__(self, "temperatures", tuple(float(t) for t in self.temperatures))
        if self.seeds is not None and len(self.seeds) != self.n_samples:
            raise ValueError(f"{len(self.seeds)} seeds for {self.n_samples} samples")

    @property
    def n_samples(self) -> int:
        """Samples in all, those of the first temperature first."""
        return len(self.temperatures) * self.n

    @property
    def sample_temperatures(self) -> tuple[float, ...]:
        """Temperature of each sample."""
        return tuple(t for t in self.temperatures for _ in range(self.n))


def check_options(options: Sequence[str]) -> None:
    """Refuse, with a ValueError, options among which nobody can choose."""
    if not options or not all(options) or len(set(options)) < len(options):
        raise ValueError("options must be at least one, different, and not empty")


@dataclass(frozen=True)
class Choose:
    """Let the assistant choose among closed options.

    Attributes
    ----------
    turns : tuple of Message
    options : tuple of str
        As they would be written, without a space before them.
    temperature : float
        0 takes the most probable (the first on a tie); else one is drawn from
        ``softmax(logprobs / temperature)``.
    form : str
        ``label``: options that are single tokens after what they share are read at one position;
        others are scored whole, as in ``text``. ``text``: sum over the option's tokens and the token
        that ends the turn. ``first``: the first token in which they differ, whatever follows; it must
        tell them apart. The reply names what was done.
    fallback : str
        Where a server cannot score options: ``parse`` lets the assistant write and looks for one of
        them (the reply's form is then ``parsed``); ``fail`` raises.
    max_tokens : int
        Of such a written answer.
    seed : int or None
        Derived by the runner if None.
    """

    turns: tuple[Message, ...]
    options: tuple[str, ...]
    temperature: float = 0.0
    form: str = "label"
    fallback: str = "parse"
    max_tokens: int = 16
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
        """Text of the first sample."""
        return self.samples[0].text

    def turns(self, sample: int = 0) -> tuple[Message, ...]:
        """The conversation so far, going on from one of the samples."""
        return (*self.asked, assistant(self.samples[sample].text.strip()))


@dataclass(frozen=True)
class Chosen:
    """Reply to :class:`Choose`.

    Attributes
    ----------
    options : tuple of str
    logprobs : tuple of float
        Raw log-probability of each option in the reply's form; NaN where the choice was parsed.
    probabilities : tuple of float
        ``logprobs`` renormalised over the options.
    chosen : str
        The option taken; empty where a written answer named none, or several.
    form : str
        ``label``, ``text``, ``first`` or ``parsed``; ``open`` is ``text`` without the token that ends
        the turn (a server whose end token is not known).
    text : str
        What the assistant wrote, where the choice was parsed.
    """

    options: tuple[str, ...]
    logprobs: tuple[float, ...]
    probabilities: tuple[float, ...]
    chosen: str
    form: str
    text: str = ""
    asked: tuple[Message, ...] = ()

    def probability(self, option: str) -> float:
        """Probability of one option among the options."""
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
