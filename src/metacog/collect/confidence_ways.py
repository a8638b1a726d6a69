"""What a way of asking for confidence is: its wordings, options and result, several ways at once, and what was written.

Answers and probabilities that a model wrote are read strictly, and every failure has a name. A number with a
percent sign (or the word) is a percentage and divided by 100; without one it is taken as written, so a bare 85
lies outside [0, 1] and the reply is dropped. A fraction such as 3/4 is no number here. Several different
numbers where one is wanted make a reply unusable. A comma may stand for the decimal point between digits.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, TypeVar

from metacog.collect.choices import LABELS, BinaryQuestion
from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.engines.base import Message
from metacog.engines.requests import Choose, Chosen, Reply, Request, user

# Wordings of the ways of asking for confidence: ``config/confidence.yaml`` as turns.


@dataclass(frozen=True)
class Lines:
    """Lines of one form of answer; of ``misleading`` by kind, ``frame`` and ``hint``, the first neutral."""

    question: str
    answer: str
    cot: str
    cot_answer: str
    scale: str
    p_true: str
    written_out: str
    perturbing: tuple[str, ...]
    misleading: dict[str, tuple[str, ...]]

    def turns(self, question: BinaryQuestion, ask: str) -> tuple[Message, ...]:
        stem = filled(self.question, question=question.question, a=question.options[0], b=question.options[1])
        return (user(f"{stem}\n{ask}" if ask else stem),)


@dataclass(frozen=True)
class Wordings:
    """All wordings."""

    #: Recorded with every trial.
    version: str
    #: Lines that ask for a written number.
    verbal: dict[str, str]
    label: Lines
    text: Lines

    def of(self, form: str) -> Lines:
        return self.text if form == "text" else self.label


def filled(text: str, /, **values: object) -> str:
    """A wording with its places filled, each once; braces in what is put in stay as they are."""
    return re.sub(r"\{(\w+)\}", lambda place: str(values.get(place[1], place[0])), text)


@cache
def load_wordings() -> Wordings:
    raw = load_yaml(project_root() / "config" / "confidence.yaml", "confidence")
    return Wordings(**{**raw, "label": _lines(raw["label"]), "text": _lines(raw["text"])})


def _lines(raw: dict[str, Any]) -> Lines:
    misleading = {kind: tuple(lines) for kind, lines in raw["misleading"].items()}
    return Lines(**{**raw, "perturbing": tuple(raw["perturbing"]), "misleading": misleading})


# What a way of asking for confidence is, and its result.

#: What may have become of a reply. All but ``ok`` are counted and give no confidence.
STATUSES = ("ok", "no_answer", "no_probability", "several", "out_of_range")
#: Digits that confidence is chosen from, 0 for impossible and 9 for certain.
DIGITS = tuple("0123456789")
MISLEADING = ("frame", "hint")
#: Forms of a closed answer.
ANSWERS = ("label", "text")


@dataclass(frozen=True)
class Options:
    """What may be set of the ways."""

    #: ``label``: both options are listed and A or B is chosen; ``text``: no list is shown, and the options are
    #: scored as they would be written, end of the turn included. A model that says A whatever is asked can still
    #: be asked so; a shorter text is the likelier one, other things equal.
    answer: str = "label"
    temperature: float = 0.1
    temperature_runs: float = 0.7
    n_runs: int = 10
    k: int = 2
    #: Answers written out for decoding entropy, at temperature 1.
    n_samples: int = 5
    #: ``frame``: templates dress the reply as a weak claim, a strong claim or an external source and name no
    #: answer; ``hint``: they name the wrong option.
    misleading: str = "frame"
    max_tokens: int = 20
    max_reasoning: int = 32
    max_written: int = 10

    def __post_init__(self) -> None:
        counts = (self.n_samples, self.max_tokens, self.max_reasoning, self.max_written)
        wrong = {
            f"answer must be {' or '.join(ANSWERS)}, not {self.answer!r}": self.answer not in ANSWERS,
            f"misleading must be {' or '.join(MISLEADING)}, not {self.misleading!r}": (
                self.misleading not in MISLEADING
            ),
            f"k must be 1 or {len(LABELS)}: a binary choice has no more guesses": (
                not 1 <= self.k <= len(LABELS)
            ),
            "temperatures must be at least 0": min(self.temperature, self.temperature_runs) < 0,
            "n_runs must be at least 2 (one run has nothing to agree with), samples and limits at least 1": (
                self.n_runs < 2 or min(counts) < 1
            ),
        }
        for words, holds in wrong.items():
            if holds:
                raise MetacogError(words)


@dataclass(frozen=True)
class Elicited:
    """An answer and how sure the model is of it."""

    #: ``written``: a number the model wrote; ``scored``: read from log-probabilities of given options or of what was
    #: decoded; ``sampled``: counted over runs; ``parsed``: options looked for in text, where an engine cannot score.
    method: str
    form: str
    #: A or B; empty where there is none.
    answer: str
    #: In [0, 1]; NaN unless ``status`` is ok.
    confidence: float
    status: str
    #: Calls that this way takes on its own: requests, each as often as it is sampled.
    n_calls: int
    #: The single option of confidence that was taken, where confidence is a mean over options; else NaN.
    stated: float = math.nan
    #: Runs that gave an answer, samples that hold a token, or 0 where no reasoning was written.
    n_read: int = 1
    percent: bool = False
    text: str = ""
    n_tokens: int = 0


Eliciting = Generator[Any, Any, Elicited]


class Method(ABC):
    """One way of asking for confidence."""

    #: Together they name the way.
    name: ClassVar[str]
    form: ClassVar[str]
    #: It goes on from the plain answer, which is asked for once and shared.
    after_answer: ClassVar[bool] = False
    #: Calls it takes, where that depends on no option.
    n_calls: ClassVar[int] = 1

    def calls(self, options: Options) -> int:
        """Calls it takes, its answer included."""
        return self.n_calls

    @abstractmethod
    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        """Yield requests, be sent their replies, return what came out."""

    def failed(self, status: str, options: Options, form: str = "", **more: Any) -> Elicited:
        known = {"answer": "", "confidence": math.nan, **more}
        return Elicited(self.name, form or self.form, status=status, n_calls=self.calls(options), **known)

    def gave(self, answer: str, confidence: float, options: Options, form: str = "", **more: Any) -> Elicited:
        kept = min(max(confidence, 0.0), 1.0)
        return Elicited(self.name, form or self.form, answer, kept, "ok", self.calls(options), **more)


def plain_answer(question: BinaryQuestion, options: Options) -> Choose:
    wordings = load_wordings().of(options.answer)
    return choose(question, wordings.turns(question, wordings.answer), options)


def choose(
    question: BinaryQuestion, turns: tuple[Message, ...], options: Options, temperature: float | None = None
) -> Choose:
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


# Several ways asked in one conversation, and stored replies read again.

T = TypeVar("T")


def together(askings: Sequence[Generator[Any, Any, T]]) -> Generator[list[Request], list[Reply], list[T]]:
    """Ask all at once, step by step, after the first one's first step; what each returned, in order.

    What the requests begin with alike has then been read when the others come, and an engine that keeps caches
    reads it once.
    """
    results: dict[int, T] = {}
    asked: dict[int, Any] = {}

    def go_on(i: int, answer: Any) -> None:
        try:
            asked[i] = askings[i].send(answer)
        except StopIteration as end:
            results[i] = end.value

    for i in range(len(askings)):
        go_on(i, None)
        if asked:
            break
    started = len(results) + len(asked)
    while asked:
        now, asked = asked, {}
        replies = iter((yield [request for one in now.values() for request in _several(one)]))
        for i, one in now.items():
            given = [next(replies) for _ in _several(one)]
            go_on(i, given[0] if isinstance(one, Request) else given)
        for i in range(started, len(askings)):
            go_on(i, None)
        started = len(askings)
    return [results[i] for i in range(len(askings))]


def replayed(asking: Generator[Any, Any, T], replies: Iterable[Reply]) -> T:
    """What a generator returns when it is sent these replies in order; a ValueError if their number is wrong."""
    left = iter(replies)
    answer: Any = None
    try:
        while True:
            one = asking.send(answer)
            given = [reply for _, reply in zip(_several(one), left, strict=False)]
            if len(given) < len(_several(one)):
                asking.close()
                raise ValueError("there are fewer replies than the conversation asks for")
            answer = given[0] if isinstance(one, Request) else given
    except StopIteration as end:
        if next(left, None) is not None:
            raise ValueError("there are more replies than the conversation asks for") from None
        return end.value


def _several(asked: Any) -> list[Request]:
    return [asked] if isinstance(asked, Request) else list(asked)


_NUMBER = re.compile(
    r"(?<![\w.,/])(?P<sign>[-−]?)(?P<value>\d+(?:[.,]\d+)?|[.]\d+)\s*(?P<percent>%|percent\b|per cent\b)?"
    r"(?![\w/]|[.,]\d)",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"\d\s*/\s*\d")
_OPENING = re.compile(r"^[\s(\[*\"'`]*(?:(?:the\s+)?answer(?:\s+is)?\s*:?\s*)?[(\[*\"'`]*", re.IGNORECASE)
_FINAL = re.compile(r"final\s*:", re.IGNORECASE)


@dataclass(frozen=True)
class Parsed:
    """What was read from a reply; ``status`` is one of :data:`metacog.collect.confidence_ways.STATUSES`."""

    answer: str = ""
    probability: float = math.nan
    status: str = "ok"
    percent: bool = False


def read_probability(text: str) -> Parsed:
    """The one probability that a text holds.

    >>> read_probability("about 80 %").probability
    0.8
    >>> [read_probability(t).status for t in ("80", "-0.2", "likely", "0.2 or 0.4")]
    ['out_of_range', 'out_of_range', 'no_probability', 'several']
    """
    found = [] if _FRACTION.search(text) else list(_NUMBER.finditer(text))
    values = {_value(one) for one in found}
    if len(values) != 1:
        return Parsed(status="several" if values else "no_probability")
    (value,) = values
    percent = any(one["percent"] for one in found)
    if not 0 <= value <= 1:
        return Parsed(status="out_of_range", percent=percent)
    return Parsed(probability=value, percent=percent)


def read_percentage(text: str) -> Parsed:
    """The one percentage that a reply to a question for a percentage holds.

    As :func:`read_probability`, but a whole number without a sign is a percentage too: 85 is 85 %, and 1 is 1 %. A
    decimal fraction of at most one, such as 0.85, is taken for the probability that it can only be.

    >>> [read_percentage(t).probability for t in ("85%", "about 85", "0.85", "1", "100")]
    [0.85, 0.85, 0.85, 0.01, 1.0]
    >>> [read_percentage(t).status for t in ("120", "sure", "80 or 90")]
    ['out_of_range', 'no_probability', 'several']
    """
    stated = read_probability(text)
    if stated.percent or stated.status in ("no_probability", "several"):
        return stated
    found = next(_NUMBER.finditer(text))
    if stated.status == "ok" and not found["value"].isdigit():
        return stated
    value = _value(found) / 100
    return Parsed(probability=value) if 0 <= value <= 1 else Parsed(status="out_of_range")


def read_answer_and_probability(text: str, labels: Sequence[str], options: Sequence[str]) -> Parsed:
    """A reply of one line: the label, perhaps its option, and a probability.

    ``labels``, ``options``: what the options are called, and what they say; an option written out behind its label,
    or in its place, is taken for it, and numbers in it are not read.

    >>> read_answer_and_probability("B: 1945, 0.7", ("A", "B"), ("1944", "1945")).probability
    0.7
    """
    line = next((one for one in text.splitlines() if one.strip()), "")
    line = _OPENING.sub("", line, count=1)
    for label, option in zip(labels, options, strict=True):
        found = re.match(rf"{re.escape(label)}[)\]*\"'`]*(?=\s*$|\s*[,;:.=\-–—]|\s+[\d.(])", line)
        rest = line[found.end() :] if found else ""
        if found and option:
            behind = re.match(rf"[\s,;:.=\-–—]*{re.escape(option)}(?!\w)", rest)
            stated = read_probability(rest[behind.end() :]) if behind else None
            if stated is not None and stated.status != "no_probability":
                rest = rest[behind.end() :] if behind else rest
        if not found and option:
            found = re.match(rf"{re.escape(option)}(?!\w)", line, re.IGNORECASE)
            rest = line[found.end() :] if found else ""
        if found:
            given = read_probability(rest)
            return Parsed(label, given.probability, given.status, given.percent)
    return Parsed(status="no_answer")


def read_reasoned(text: str, labels: Sequence[str], options: Sequence[str]) -> Parsed:
    """The same behind the last ``Final:`` of a reply that reasons first; ``no_answer`` without one."""
    found = list(_FINAL.finditer(text))
    if not found:
        return Parsed(status="no_answer")
    return read_answer_and_probability(text[found[-1].end() :], labels, options)


def read_guesses(text: str, labels: Sequence[str]) -> Parsed:
    """The most probable of several guesses, the first of equals.

    Each label must stand once at most, each with a probability in [0, 1].

    >>> read_guesses("A 0.3, B 0.6", ("A", "B"))
    Parsed(answer='B', probability=0.6, status='ok', percent=False)
    """
    line = next((one for one in text.splitlines() if one.strip()), "")
    names = "|".join(re.escape(label) for label in labels)
    places = list(re.finditer(rf"(?<!\w)(?:{names})(?!\w)", line))
    if not places:
        return Parsed(status="no_answer")
    if len({one.group() for one in places}) < len(places):
        return Parsed(status="several")
    ends = [*(one.start() for one in places[1:]), len(line)]
    read = [read_probability(line[one.end() : end]) for one, end in zip(places, ends, strict=True)]
    failed = next((one.status for one in read if one.status != "ok"), "")
    if failed:
        return Parsed(status=failed)
    best = max(range(len(read)), key=lambda i: read[i].probability)  # the first of equals
    return Parsed(places[best].group(), read[best].probability, "ok", read[best].percent)


def _value(found: re.Match[str]) -> float:
    value = float(found["value"].replace(",", "."))
    value = value / 100 if found["percent"] else value
    return -value if found["sign"] else value
