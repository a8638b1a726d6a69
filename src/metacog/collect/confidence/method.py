"""What a way of asking for confidence is, and its result."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, ClassVar

from metacog.collect.confidence.wordings import load_wordings
from metacog.collect.multiple import LABELS, BinaryQuestion
from metacog.core.errors import MetacogError
from metacog.engines.base import Message
from metacog.engines.requests import Choose, Chosen

#: What may have become of a reply. All but ``ok`` are counted and give no confidence.
STATUSES = ("ok", "no_answer", "no_probability", "several", "out_of_range")
#: Digits that confidence is chosen from, 0 for impossible and 9 for certain.
DIGITS = tuple("0123456789")
MISLEADING = ("frame", "hint")
#: Forms of a closed answer.
ANSWERS = ("label", "text")


@dataclass(frozen=True)
class Options:
    """What may be set of the ways.

    Attributes
    ----------
    answer : str
        ``label``: both options are listed and A or B is chosen; ``text``: no list is shown, and the options
        are scored as they would be written, end of the turn included. A model that says A whatever is
        asked can still be asked so; a shorter text is the likelier one, other things equal.
    temperature : float
        Of single replies.
    temperature_runs : float
        Of the runs of a consistency.
    n_runs : int
        Runs or templates of a consistency.
    k : int
        Guesses of top-k.
    n_samples : int
        Answers written out for decoding entropy, at temperature 1.
    misleading : str
        ``frame``: templates dress the reply as a weak claim, a strong claim or an external source and name
        no answer; ``hint``: they name the wrong option.
    max_tokens, max_reasoning, max_written : int
        Of a written reply, a sentence of reasoning, and an answer written out.
    """

    answer: str = "label"
    temperature: float = 0.1
    temperature_runs: float = 0.7
    n_runs: int = 10
    k: int = 2
    n_samples: int = 5
    misleading: str = "frame"
    max_tokens: int = 20
    max_reasoning: int = 32
    max_written: int = 10

    def __post_init__(self) -> None:
        if self.answer not in ANSWERS:
            raise MetacogError(f"answer must be {' or '.join(ANSWERS)}, not {self.answer!r}")
        if self.misleading not in MISLEADING:
            raise MetacogError(f"misleading must be {' or '.join(MISLEADING)}, not {self.misleading!r}")
        if not 1 <= self.k <= len(LABELS):
            raise MetacogError(f"k must be 1 or {len(LABELS)}: a binary choice has no more guesses")
        if min(self.temperature, self.temperature_runs) < 0:
            raise MetacogError("temperatures must be at least 0")
        counts = (self.n_samples, self.max_tokens, self.max_reasoning, self.max_written)
        if self.n_runs < 2 or min(counts) < 1:
            raise MetacogError(
                "n_runs must be at least 2 (one run has nothing to agree with), samples and limits at least 1"
            )


@dataclass(frozen=True)
class Elicited:
    """An answer and how sure the model is of it.

    Attributes
    ----------
    method, form : str
        ``written``: a number the model wrote; ``scored``: read from log-probabilities of given options
        or of what was decoded; ``sampled``: counted over runs; ``parsed``: options looked for in text,
        where an engine cannot score.
    answer : str
        A or B; empty where there is none.
    confidence : float
        In [0, 1]; NaN unless ``status`` is ok.
    stated : float
        The single option of confidence that was taken, where confidence is a mean over options; else NaN.
    status : str
        One of :data:`STATUSES`.
    n_calls : int
        Calls that this way takes on its own: requests, each as often as it is sampled.
    n_read : int
        Runs that gave an answer, samples that hold a token, or 0 where no reasoning was written.
    percent : bool
        The number was written as a percentage.
    text : str
        What was written.
    n_tokens : int
    """

    method: str
    form: str
    answer: str
    confidence: float
    status: str
    n_calls: int
    stated: float = math.nan
    n_read: int = 1
    percent: bool = False
    text: str = ""
    n_tokens: int = 0


Eliciting = Generator[Any, Any, Elicited]


class Method(ABC):
    """One way of asking for confidence.

    Attributes
    ----------
    name, form : str
        Together they name the way.
    after_answer : bool
        It goes on from the plain answer, which is asked for once and shared.
    """

    name: ClassVar[str]
    form: ClassVar[str]
    after_answer: ClassVar[bool] = False

    @abstractmethod
    def calls(self, options: Options) -> int:
        """Calls it takes, its answer included."""

    @abstractmethod
    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        """Yield requests, be sent their replies, return what came out."""

    def failed(self, status: str, options: Options, form: str = "", **more: Any) -> Elicited:
        """The result of a reply that cannot be used."""
        known = {"answer": "", "confidence": math.nan, **more}
        return Elicited(self.name, form or self.form, status=status, n_calls=self.calls(options), **known)

    def gave(self, answer: str, confidence: float, options: Options, form: str = "", **more: Any) -> Elicited:
        """The result of a reply that can."""
        kept = min(max(confidence, 0.0), 1.0)
        return Elicited(self.name, form or self.form, answer, kept, "ok", self.calls(options), **more)


def plain_answer(question: BinaryQuestion, options: Options) -> Choose:
    """The plain request for an answer."""
    wordings = load_wordings().of(options.answer)
    return choose(question, wordings.turns(question, wordings.answer), options)


def choose(
    question: BinaryQuestion, turns: tuple[Message, ...], options: Options, temperature: float | None = None
) -> Choose:
    """A choice between the two options, as labels or as texts."""
    at = options.temperature if temperature is None else temperature
    if options.answer == "text":
        return Choose(turns, question.options, at, form="text", max_tokens=options.max_written)
    return Choose(turns, LABELS, at)


def label_of(question: BinaryQuestion, chosen: str) -> str:
    """A or B for what was chosen, as label or as text; empty for nothing."""
    return LABELS[question.options.index(chosen)] if chosen in question.options else chosen


def shown(question: BinaryQuestion, label: str, options: Options) -> str:
    """How an answer is named in what is asked about it."""
    return question.text(label) if options.answer == "text" else label


def of_digit(digit: str) -> float:
    """Probability that a digit of the scale stands for."""
    return int(digit) / (len(DIGITS) - 1)


def on_scale(reply: Chosen) -> tuple[float, float]:
    """Confidence chosen on the scale of digits: mean under the digits' probabilities, and the one taken.

    Where the digits were not scored both are the digit that was written; NaN if it was none.
    """
    taken = of_digit(reply.chosen) if reply.chosen else math.nan
    if any(math.isnan(p) for p in reply.probabilities):
        return taken, taken
    mean = sum(of_digit(o) * p for o, p in zip(reply.options, reply.probabilities, strict=True))
    return mean, taken
