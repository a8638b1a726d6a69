"""Input and output of an engine: messages, tasks, generations, scores and choices.

Log-probabilities are natural logarithms of the **raw** next-token distribution (softmax at temperature 1),
whatever the sampling temperature was.

What decides the last bits of a local engine's numbers; a plan names it without loading the engine.

The error that ends a round of requests: what is under way comes to its end, and nothing more is sent.

What an engine can do: declared by a local engine, found out by an endpoint's probe.

Which request calls to a server are made for, from where the request is known down to the wire.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypedDict

from metacog.core.errors import MetacogError

#: Changes when the order of decoding does, and with it the last bits.
SCHEDULE = "streams-1"
#: Tokens decoded at once at most, and sequences written at once.
N_BATCH, WIDTH = 512, 48
#: Settings of the engine that decide the last bits, with their defaults.
DEFAULTS: dict[str, object] = {
    "n_batch": N_BATCH,
    "width": WIDTH,
    "n_seq": None,
    "n_gpu_layers": 0,
    "flash_attn": True,
}


class GaveUp(MetacogError):
    """No further request can be answered now, in whatever way it is asked.

    Every try of one failed, or a rate limit asks for too long a wait (``status`` is the last HTTP status, or 0).
    """

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


#: Each capability in words that finish "it cannot ...".
WORDS = {
    "own_logprobs": "tell log-probabilities of its own tokens",
    "score_text": "score given texts",
    "score_options": "score given options",
    "hold_options": "hold a written answer to given options",
    "seeds": "take a seed",
    "system_turns": "take a system turn",
    "thinking": "think before it answers",
}


@dataclass(frozen=True)
class Capabilities:
    """What an engine can do, and why it cannot do the rest.

    Attributes
    ----------
    own_logprobs : bool
        Raw log-probabilities of the tokens it writes, each in its own place: NLP is made of them.
    score_text : bool
        Log-probabilities of given texts behind a prompt (forced decoding).
    score_options : bool
        Probabilities of given options, by scoring them or from the first token's alternatives. Where it
        cannot, a choice is written out and parsed.
    hold_options : bool
        An answer that is written out can be held to given options, by a grammar, a list of choices or a JSON
        schema; asked of a server that cannot score given texts.
    seeds : bool
        A seed may be given with each draw; whether a server then draws the same again is its affair.
    system_turns : bool
        A system turn is taken as such; where not, it is put into the first user turn.
    thinking : bool
        Replies may begin with a think block, which is taken off.
    why : mapping of str to str
        Reasons, by name, for what it cannot do, as far as they are known.
    """

    own_logprobs: bool = True
    score_text: bool = True
    score_options: bool = True
    seeds: bool = True
    system_turns: bool = True
    thinking: bool = False
    why: Mapping[str, str] = field(default_factory=dict)
    hold_options: bool = True

    def lacking(self, needed: Iterable[str]) -> dict[str, str]:
        """What it lacks of some capabilities, each with the reason."""
        return {
            name: self.why.get(name) or f"its engine cannot {WORDS[name]}"
            for name in needed
            if not getattr(self, name)
        }


#: A local engine's: everything.
ALL = Capabilities()


@dataclass
class Asked:
    """A request that calls are made for.

    Attributes
    ----------
    name : str
        Names the call in a batch file; another call of the same request has another name.
    served : list of Served
        Who answered, each once.
    """

    name: str
    served: list[Served] = field(default_factory=list)

    def note(self, served: Served) -> None:
        """Add who answered."""
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


class Message(TypedDict):
    """One turn of a conversation: ``role`` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True)
class Sample:
    """One draw wanted from a prompt.

    Attributes
    ----------
    temperature : float
        Sampling temperature; 0 is greedy.
    seed : int
        Seed of this draw alone; the same seed, schedule and machine give the same tokens.
    """

    temperature: float
    seed: int


@dataclass(frozen=True)
class GenerationTask:
    """A fully rendered prompt and the samples wanted of it.

    Attributes
    ----------
    prompt : str
        The text as the model sees it (chat templates already applied, without the
        beginning-of-sequence token, which the engine adds where the model wants one).
    samples : tuple of Sample
        One generation is made for each.
    messages : tuple of Message or None
        The same prompt as chat turns, for engines that talk to a chat endpoint.
    """

    prompt: str
    samples: tuple[Sample, ...]
    messages: tuple[Message, ...] | None = None


@dataclass(frozen=True)
class Generation:
    """One generated answer.

    Attributes
    ----------
    text : str
        The answer up to, and without, the stop sequence.
    token_ids : tuple of int
        Ids of the counted tokens (empty for endpoints that do not tell them).
    token_logprobs : tuple of float
        Raw log-probability of each counted token, natural log, shape ``(n_tokens,)``; empty for endpoints
        that do not tell them.
    n_tokens : int
        Number of counted tokens, L of the paper's equation for NLP. Where an endpoint tells no tokens it is
        what the endpoint counts of the reply, or the number of its words.
    sum_logprob : float
        Sum of ``token_logprobs``; NaN where they are not told.
    stop_logprob : float or None
        Raw log-probability of the token that ended the answer (end of generation, or the one
        that holds the stop text), if there was one. Counted above only where
        ``count_stop_token`` was asked for.
    truncated : bool
        True if the token limit ended the answer.
    n_thought : int
        Tokens of a think block (:mod:`metacog.engines.thinking`) that were taken off; they are in none of
        the above.
    ends : tuple of int
        Characters of ``text`` that each counted token and all before it make, whole characters alone; empty
        where an engine does not tell them, and in replies stored before they were told.
    ran_on : str
        The next question that the reply went on into and that was taken off (:mod:`metacog.engines.thinking`);
        empty in a reply as it is stored, which is whole.
    """

    text: str
    token_ids: tuple[int, ...]
    token_logprobs: tuple[float, ...]
    n_tokens: int
    sum_logprob: float
    stop_logprob: float | None
    truncated: bool
    n_thought: int = 0
    ends: tuple[int, ...] = ()
    ran_on: str = ""

    @property
    def nlp(self) -> float:
        """Normalised log-probability, ``sum_logprob / n_tokens``; NaN for an empty answer, or none told."""
        return self.sum_logprob / self.n_tokens if self.n_tokens else float("nan")

    @property
    def unanswered(self) -> bool:
        """True if the model thought and the reply ended before an answer began."""
        return self.n_thought > 0 and self.n_tokens == 0

    @property
    def n_censored(self) -> int:
        """Counted tokens whose log-probability a server did not tell although it told others (NaN)."""
        return sum(map(math.isnan, self.token_logprobs))


@dataclass(frozen=True)
class ScoredText:
    """Log-probability of a given continuation (forced decoding).

    ``token_logprobs`` has one entry a token of the continuation, natural log, raw.
    """

    token_ids: tuple[int, ...]
    token_logprobs: tuple[float, ...]

    @property
    def n_tokens(self) -> int:
        """Number of tokens of the continuation."""
        return len(self.token_logprobs)

    @property
    def sum_logprob(self) -> float:
        """Sum of the token log-probabilities."""
        return float(sum(self.token_logprobs))

    @property
    def nlp(self) -> float:
        """Normalised log-probability of the continuation."""
        return self.sum_logprob / self.n_tokens if self.n_tokens else float("nan")


@dataclass(frozen=True)
class EngineInfo:
    """What a manifest must say about the engine that made its trials, and what that engine can do."""

    engine: str
    model: str
    model_sha256: str | None
    versions: dict[str, str] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)
    capabilities: Capabilities = field(default_factory=Capabilities)


class Spent(NamedTuple):
    """Tokens that an engine has spent since it was opened.

    Attributes
    ----------
    read : int
        Tokens that went through the model. A local engine reads what prompts share once, and what it wrote
        again; a server's count is that of the prompts as they were sent.
    written : int
        Tokens that were drawn, those of hidden reasoning included.
    hidden : int
        Tokens of hidden reasoning, of a server that counts them.
    sent : int
        Tokens of the prompts as a server would count them, nothing shared: each as often as a text was drawn or
        scored behind it, once for a choice. Only a local engine tells it; a server's is ``read``.
    """

    read: int
    written: int
    hidden: int = 0
    sent: int = 0


class Served(NamedTuple):
    """Who answered, in a server's own words; empty where it does not say.

    Attributes
    ----------
    model : str
        The server's own name of the model, without a path of its machine.
    provider : str
        Who computed it, where a router stands between.
    fingerprint : str
        ``system_fingerprint``, which changes with the server's build or set-up.
    """

    model: str = ""
    provider: str = ""
    fingerprint: str = ""


class Renderer(Protocol):
    """What turns messages into the text that one model sees."""

    def render_chat(self, messages: Sequence[Message]) -> str:
        """Apply the model's own chat template and open the assistant's turn.

        A system turn is put into the first user turn where the template refuses a system role.
        """
        ...
