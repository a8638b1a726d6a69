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
    """One draw wanted from a prompt."""

    #: 0 is greedy.
    temperature: float
    #: Of this draw alone; the same seed, schedule and machine give the same tokens.
    seed: int


@dataclass(frozen=True)
class GenerationTask:
    """A fully rendered prompt and the samples wanted of it, for each of which one generation is made."""

    #: The text as the model sees it (chat templates already applied, without the beginning-of-sequence token, which
    #: the engine adds where the model wants one).
    prompt: str
    samples: tuple[Sample, ...]
    #: The same prompt as chat turns, for engines that talk to a chat endpoint.
    messages: tuple[Message, ...] | None = None


@dataclass(frozen=True)
class Generation:
    """One generated answer."""

    #: Up to, and without, the stop sequence.
    text: str
    #: Of the counted tokens (empty for endpoints that do not tell them).
    token_ids: tuple[int, ...]
    #: Raw, natural log, shape ``(n_tokens,)``; empty for endpoints that do not tell them.
    token_logprobs: tuple[float, ...]
    #: Number of counted tokens, L of the paper's equation for NLP. Where an endpoint tells no tokens it is what the
    #: endpoint counts of the reply, or the number of its words.
    n_tokens: int
    #: Of ``token_logprobs``; NaN where they are not told.
    sum_logprob: float
    #: Raw log-probability of the token that ended the answer (end of generation, or the one that holds the stop text),
    #: if there was one. Counted above only where ``count_stop_token`` was asked for.
    stop_logprob: float | None
    #: True if the token limit ended the answer.
    truncated: bool
    #: Tokens of a think block (:mod:`metacog.engines.thinking`) that were taken off; they are in none of the above.
    n_thought: int = 0
    #: Characters of ``text`` that each counted token and all before it make, whole characters alone; empty where an
    #: engine does not tell them, and in replies stored before they were told.
    ends: tuple[int, ...] = ()
    #: The next question that the reply went on into and that was taken off (:mod:`metacog.engines.next_question`);
    #: empty in a reply as it is stored, which is whole.
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
    """Tokens that an engine has spent since it was opened."""

    #: That went through the model. A local engine reads what prompts share once, and what it wrote again; a server's
    #: count is that of the prompts as they were sent.
    read: int
    #: That were drawn, those of hidden reasoning included.
    written: int
    #: Of hidden reasoning, of a server that counts them.
    hidden: int = 0
    #: Of the prompts as a server would count them, nothing shared: each as often as a text was drawn or scored behind
    #: it, once for a choice. Only a local engine tells it; a server's is ``read``.
    sent: int = 0


class Served(NamedTuple):
    """Who answered, in a server's own words; empty where it does not say."""

    #: The server's own name of it, without a path of its machine.
    model: str = ""
    #: Who computed it, where a router stands between.
    provider: str = ""
    #: ``system_fingerprint``, which changes with the server's build or set-up.
    fingerprint: str = ""


class Renderer(Protocol):
    """What turns messages into the text that one model sees."""

    def render_chat(self, messages: Sequence[Message]) -> str:
        """Apply the model's own chat template and open the assistant's turn.

        A system turn is put into the first user turn where the template refuses a system role.
        """
