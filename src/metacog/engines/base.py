"""Input and output of an engine: messages, tasks, generations, scores and choices.

Log-probabilities are natural logarithms of the **raw** next-token distribution (softmax at temperature 1),
whatever the sampling temperature was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypedDict

from metacog.core.errors import MetacogError
from metacog.engines.capabilities import Capabilities


class GaveUp(MetacogError):
    """No further request can be answered now, in whatever way it is asked.

    Every try of one failed, or a rate limit asks for too long a wait (``status`` is the last HTTP status, or 0).
    """

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


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
        The next question that the reply went on into and that was taken off (:mod:`metacog.engines.next_question`);
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
        return len(self.token_logprobs)

    @property
    def sum_logprob(self) -> float:
        return float(sum(self.token_logprobs))

    @property
    def nlp(self) -> float:
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
