"""What study 2 asks: decisions with confidence, and decisions under three risk configurations."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pandera.pandas as pa
from numpy.typing import NDArray

from metacog.collect.collection import PARSED, Collection, Needed
from metacog.collect.scoring import is_refusal
from metacog.collect.strict_json import whole_numbers
from metacog.engines.base import Message
from metacog.engines.requests import Asking, Choose, Chosen, Generate, Generated, Reply, Request, user
from metacog.studies.study2_two_choice.asking.sentences import Sentence, sentences
from metacog.studies.study2_two_choice.asking.wordings import load_wordings
from metacog.studies.study2_two_choice.settings import MOST_LEVELS, RISKS, TASKS, Settings

_DECISION: dict[str, tuple[int, ...]] = {"decision": (0, 1)}

#: Columns of both collections. ``response`` and ``rating`` are NaN where a reply could not be parsed.
COLUMNS = {
    "task": pa.Column(str, pa.Check.isin(TASKS)),
    "risk": pa.Column(str, pa.Check.isin(RISKS)),
    "stimulus": pa.Column("int64", pa.Check.isin((0, 1))),
    "response": pa.Column("float64", pa.Check.isin((0, 1)), nullable=True),
    "p_decision": pa.Column("float64", pa.Check.in_range(0, 1), nullable=True),  # of the decision taken
    "parse_status": pa.Column(str, pa.Check.isin(("ok", "unclear"))),
    "repairs": pa.Column("int64", pa.Check.isin((0, 1))),
    "form": pa.Column(str),  # json, or the form in which the decision was scored
    "wording": pa.Column(str),
}
RATED = {
    "rating": pa.Column("float64", pa.Check.isin(range(1, MOST_LEVELS + 1)), nullable=True),
    "expected_confidence": pa.Column(
        "float64", pa.Check.in_range(1, MOST_LEVELS), nullable=True
    ),  # over the digits
}


@dataclass(frozen=True)
class Batch:
    """Sentences that are asked one after another in a conversation."""

    sentences: tuple[Sentence, ...]

    @property
    def id(self) -> str:
        return "+".join(one.id for one in self.sentences)

    @property
    def domain(self) -> str:
        return self.sentences[0].domain


def parts(item: Sentence | Batch) -> tuple[Sentence, ...]:
    return item.sentences if isinstance(item, Batch) else (item,)


def digits(settings: Settings) -> tuple[str, ...]:
    """The levels of confidence, as they are written."""
    return tuple(str(level) for level in range(1, settings.scale + 1))


class _TwoChoice(Collection):
    """What both share: the sets, the sentences and the ways of asking."""

    rated: ClassVar[bool]
    without = PARSED

    def sets(self, settings: Settings) -> Mapping[str, Settings]:
        return settings.sets()

    def together(self, item: Sentence) -> tuple[str, str]:
        return str(item.stimulus), item.id

    def first(self, item: Sentence, settings: Settings, risk: str = "None") -> Request:
        """The first request about a sentence: a closed decision, or JSON."""
        wordings, task = load_wordings(), settings.task
        deletion = (settings.n_deleted, settings.deleted)
        options = wordings.tasks[task].classes
        if settings.how != "json":
            both = self.rated and settings.how == "choose_both"
            ask = wordings.named(task, wordings.choose["both" if both else "decision"], settings.scale)
            turns = wordings.turns(task, item.text, ask, risk, settings.n_examples, *deletion)
            if both:
                options = tuple(f"{one} {digit}" for one in options for digit in digits(settings))
            return Choose(turns, options, settings.temperature)
        turns = wordings.turns(task, item.text, self.json_line(settings), risk, 0, *deletion)
        return Generate(turns, settings.max_tokens, (settings.temperature,))

    def json_line(self, settings: Settings) -> str:
        wordings = load_wordings()
        line = wordings.json["confidence" if self.rated else "decision"]
        return wordings.named(settings.task, line, settings.scale)

    def wanted(self, settings: Settings) -> dict[str, tuple[int, ...]]:
        """Fields of the JSON asked for and their allowed numbers."""
        return {**_DECISION, "confidence": tuple(range(1, settings.scale + 1))} if self.rated else _DECISION

    def repair(self, reply: Generated, settings: Settings) -> Generate:
        """Ask once more for the JSON, behind the reply that was none."""
        turns = (*reply.turns(), user(f"{load_wordings().json['repair']} {self.json_line(settings)}"))
        return Generate(turns, settings.max_tokens, (settings.temperature,))

    def broken(self, reply: Generated, settings: Settings) -> bool:
        """Whether a written reply is not the JSON asked for, while the model did come to an answer."""
        return not reply.samples[0].unanswered and whole_numbers(reply.text, self.wanted(settings)) is None

    def row(self, item: Sentence, settings: Settings, risk: str, written: Sequence[Reply]) -> dict[str, Any]:
        """A trial from the replies about one sentence under one risk configuration."""
        closed = [reply for reply in written if isinstance(reply, Chosen)]
        read = self._chosen_both if settings.how == "choose_both" and self.rated else self._chosen
        response, rating, about = read(closed) if closed else self._parsed(written, settings)
        whole = response is not None and (rating is not None or not self.rated)
        row = {
            "task": settings.task,
            "risk": risk,
            "stimulus": item.stimulus,
            "wording": load_wordings().version,
            "temperature": settings.temperature,
            "response": math.nan if response is None else float(response),
            "answer": "" if response is None else str(response),
            "correct": response == item.stimulus,
            "p_decision": math.nan,
            "parse_status": "ok" if whole else "unclear",
            "repairs": 0,
        }
        if self.rated:
            row |= {
                "rating": math.nan if rating is None else float(rating),
                "expected_confidence": math.nan,
                "confidence": math.nan
                if rating is None
                else (rating - 1) / (settings.scale - 1),  # the schema's runs from 0 to 1
            }
        return row | about

    def _chosen(self, closed: Sequence[Chosen]) -> tuple[int | None, int | None, dict[str, Any]]:
        """Decision and rating of closed choices, and what else a trial keeps of them."""
        decision, *rest = closed
        response = decision.options.index(decision.chosen) if decision.chosen else None
        about: dict[str, Any] = {
            "answer": decision.chosen,
            "p_decision": math.nan if response is None else decision.probability(decision.chosen),
            "text": "\n".join(reply.text or reply.chosen for reply in closed),
            "form": decision.form,
        }
        if not rest:
            return response, None, about
        about["expected_confidence"] = expected_rating(rest[0])
        return response, int(rest[0].chosen) if rest[0].chosen else None, about

    def _chosen_both(self, closed: Sequence[Chosen]) -> tuple[int | None, int | None, dict[str, Any]]:
        """The same of one choice of both: the decision's probability, and the mean over the digits given it."""
        (reply,) = closed
        word, _, digit = reply.chosen.partition(" ")
        about: dict[str, Any] = {"answer": word, "text": reply.text or reply.chosen, "form": reply.form}
        if not word:
            return None, None, about
        named = list(dict.fromkeys(option.partition(" ")[0] for option in reply.options))
        levels = len(reply.options) // len(named)
        response = named.index(word)
        own = np.array(reply.probabilities[response * levels : (response + 1) * levels])
        about["p_decision"] = min(float(own.sum()), 1.0)
        about["expected_confidence"] = mean_digit(range(1, levels + 1), own / own.sum())
        return response, int(digit), about

    def _parsed(
        self, written: Sequence[Reply], settings: Settings
    ) -> tuple[int | None, int | None, dict[str, Any]]:
        """Decision and rating of written JSON, and what else a trial keeps of it."""
        reply = written[-1]
        assert isinstance(reply, Generated)
        last = reply.samples[0]
        found = whole_numbers(last.text, self.wanted(settings)) or {}
        about = {
            "text": last.text,
            "n_tokens": last.n_tokens,
            "sum_logprob": last.sum_logprob if last.n_tokens else math.nan,
            "nlp": last.nlp,
            "match": "unanswered" if last.unanswered else "given" if last.text.strip() else "empty",
            "refusal": is_refusal(last.text),
            "truncated": last.truncated,
            "repairs": len(written) - 1,
            "form": "json",
        }
        return found.get("decision"), found.get("confidence"), about


class DecisionConfidence(_TwoChoice):
    """A decision and how sure the model is of it, from 1 (a guess) to the highest digit (virtually certain)."""

    name = "confidence"
    key = ("task", "question_id")
    block = pa.DataFrameSchema({**COLUMNS, **RATED})
    rated = True

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> Sequence[Sentence | Batch]:
        one_by_one, size = sentences(settings), settings.batch
        if size == 1:
            return one_by_one
        return [Batch(tuple(one_by_one[at : at + size])) for at in range(0, len(one_by_one), size)]

    def together(self, item: Sentence | Batch) -> tuple[str, str]:
        return super().together(parts(item)[0])

    def block_items(self, settings: Settings) -> int:
        return max(1, settings.block_items // settings.batch)

    def later(self, settings: Settings) -> Any:
        """What the first request does not tell where the form is not the usual one."""
        return None if (settings.scale, settings.batch) == (5, 1) else [settings.scale, settings.batch]

    def ask(self, item: Sentence | Batch, settings: Settings) -> Asking:
        """Each sentence: JSON with at most one repair; or the decision, then the rating; or both as one choice."""
        before: tuple[Message, ...] = ()
        for one in parts(item):
            request = self.first(one, settings)
            reply = yield replace(request, turns=(*before, *request.turns[-1 if before else 0 :]))
            if (more := self.follow(reply, settings)) is not None:
                reply = yield more
            before = reply.turns()

    def follow(self, reply: Reply, settings: Settings) -> Request | None:
        """What is asked behind the first reply about a sentence, if anything."""
        if isinstance(reply, Chosen):
            if not reply.chosen or settings.how == "choose_both":
                return None
            line = load_wordings().named(settings.task, load_wordings().choose["confidence"], settings.scale)
            return Choose((*reply.turns(), user(line)), digits(settings), settings.temperature)
        assert isinstance(reply, Generated)
        return self.repair(reply, settings) if settings.repair and self.broken(reply, settings) else None

    def read(
        self, item: Sentence | Batch, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        written = iter(replies)
        for one in parts(item):
            own = [next(written)]
            if self.follow(own[0], settings) is not None:
                own.append(next(written))
            about = {"question_id": one.id, "question_index": one.index}
            yield self.row(one, settings, "None", own) | about


class RiskDecision(_TwoChoice):
    """A decision alone under each risk configuration, every one in a conversation of its own."""

    name = "warned"
    key = ("task", "risk", "question_id")
    block = pa.DataFrameSchema(COLUMNS)
    rated = False

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[Sentence]:
        """As many of the task's sentences as are asked under risk."""
        return sentences(replace(settings, n_sentences=settings.n_warned or settings.size))

    def ask(self, item: Sentence, settings: Settings) -> Generator[Sequence[Request], Any, None]:
        """All risk configurations at once; then the repairs, where written replies need them."""
        replies = yield [self.first(item, settings, risk) for risk in settings.risks]
        again = [r for r in replies if not isinstance(r, Chosen) and self.broken(r, settings)]
        if settings.repair and again:
            yield [self.repair(reply, settings) for reply in again]

    def read(
        self, item: Sentence, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        n = len(settings.risks)
        repaired = iter(replies[n:])
        for risk, reply in zip(settings.risks, replies[:n], strict=True):
            written: list[Reply] = [reply]
            if len(replies) > n and isinstance(reply, Generated) and self.broken(reply, settings):
                written.append(next(repaired))
            yield self.row(item, settings, risk, written)


def expected_rating(reply: Chosen) -> float:
    """Mean of the ratings under their probabilities; NaN where they were not scored."""
    return mean_digit([int(option) for option in reply.options], np.array(reply.probabilities))


def mean_digit(levels: Sequence[int], weights: NDArray[np.float64]) -> float:
    """Mean of the levels under these weights, within them; NaN where they are unknown."""
    mean = float(np.dot(levels, weights))
    return mean if math.isnan(mean) else min(max(mean, float(levels[0])), float(levels[-1]))


COLLECTIONS = (DecisionConfidence(), RiskDecision())
