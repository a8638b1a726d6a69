"""What study 2 asks: decisions with confidence, and decisions under three risk configurations."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pandera.pandas as pa

from metacog.collect.collection import PARSED, Collection, Needed
from metacog.collect.scoring import is_refusal
from metacog.collect.strict_json import whole_numbers
from metacog.engines.base import Message
from metacog.engines.requests import Asking, Choose, Chosen, Generate, Generated, Reply, Request, user
from metacog.studies.study2_two_choice.asking.sentences import Sentence, sentences
from metacog.studies.study2_two_choice.asking.wordings import load_wordings
from metacog.studies.study2_two_choice.settings import RISKS, TASKS, Settings

RATINGS = ("1", "2", "3", "4", "5")
_DECISION: dict[str, tuple[int, ...]] = {"decision": (0, 1)}
_BOTH = {**_DECISION, "confidence": (1, 2, 3, 4, 5)}

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
    "rating": pa.Column("float64", pa.Check.isin((1, 2, 3, 4, 5)), nullable=True),
    "expected_confidence": pa.Column("float64", pa.Check.in_range(1, 5), nullable=True),  # over the digits
}


class _TwoChoice(Collection):
    """What both share: the sets, the sentences and the two ways of asking."""

    rated: ClassVar[bool]
    without = PARSED

    def sets(self, settings: Settings) -> Mapping[str, Settings]:
        return settings.sets()

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[Sentence]:
        return sentences(settings)

    def together(self, item: Sentence) -> tuple[str, str]:
        return str(item.stimulus), item.id

    def first(self, item: Sentence, settings: Settings, risk: str = "None") -> Request:
        """The first request about a sentence: a closed decision, or JSON."""
        wordings, task = load_wordings(), settings.task
        deletion = (settings.n_deleted, settings.deleted)
        if settings.how == "choose":
            ask = wordings.named(task, wordings.choose["decision"])
            turns = wordings.turns(task, item.text, ask, risk, settings.examples, *deletion)
            return Choose(turns, wordings.tasks[task].classes, settings.temperature)
        turns = wordings.turns(task, item.text, self.json_line(settings), risk, 0, *deletion)
        return Generate(turns, settings.max_tokens, (settings.temperature,))

    def json_line(self, settings: Settings) -> str:
        wordings = load_wordings()
        return wordings.named(settings.task, wordings.json["confidence" if self.rated else "decision"])

    def wanted(self) -> dict[str, tuple[int, ...]]:
        """Fields of the JSON asked for and their allowed numbers."""
        return _BOTH if self.rated else _DECISION

    def repair(self, reply: Generated, settings: Settings) -> Generate:
        """Ask once more for the JSON, behind the reply that was none."""
        turns = (*reply.turns(), user(f"{load_wordings().json['repair']} {self.json_line(settings)}"))
        return Generate(turns, settings.max_tokens, (settings.temperature,))

    def broken(self, reply: Generated) -> bool:
        """Whether a written reply is not the JSON asked for, while the model did come to an answer."""
        return not reply.samples[0].unanswered and whole_numbers(reply.text, self.wanted()) is None

    def row(self, item: Sentence, settings: Settings, risk: str, written: Sequence[Reply]) -> dict[str, Any]:
        """A trial from the replies about one sentence under one risk configuration."""
        closed = [reply for reply in written if isinstance(reply, Chosen)]
        response, rating, about = self._chosen(closed) if closed else self._parsed(written)
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
                else (rating - 1) / 4,  # the schema's runs from 0 to 1
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

    def _parsed(self, written: Sequence[Reply]) -> tuple[int | None, int | None, dict[str, Any]]:
        """Decision and rating of written JSON, and what else a trial keeps of it."""
        reply = written[-1]
        assert isinstance(reply, Generated)
        last = reply.samples[0]
        found = whole_numbers(last.text, self.wanted()) or {}
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
    """A decision and how sure the model is of it, from 1 (a guess) to 5 (virtually certain)."""

    name = "confidence"
    key = ("task", "question_id")
    block = pa.DataFrameSchema({**COLUMNS, **RATED})
    rated = True

    def ask(self, item: Sentence, settings: Settings) -> Asking:
        """JSON with at most one repair; or the decision, then the rating, as closed choices."""
        reply = yield self.first(item, settings)
        if isinstance(reply, Chosen):
            if reply.chosen:
                turns: tuple[Message, ...] = (*reply.turns(), user(load_wordings().choose["confidence"]))
                yield Choose(turns, RATINGS, settings.temperature)
        elif settings.repair and self.broken(reply):
            yield self.repair(reply, settings)

    def read(
        self, item: Sentence, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        yield self.row(item, settings, "None", replies)


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
        again = [r for r in replies if not isinstance(r, Chosen) and self.broken(r)]
        if settings.repair and again:
            yield [self.repair(reply, settings) for reply in again]

    def read(
        self, item: Sentence, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        n = len(settings.risks)
        repaired = iter(replies[n:])
        for risk, reply in zip(settings.risks, replies[:n], strict=True):
            written: list[Reply] = [reply]
            if len(replies) > n and isinstance(reply, Generated) and self.broken(reply):
                written.append(next(repaired))
            yield self.row(item, settings, risk, written)


def expected_rating(reply: Chosen) -> float:
    """Mean of the ratings under their probabilities, from 1 to 5; NaN where they were not scored."""
    mean = float(np.dot([int(option) for option in reply.options], reply.probabilities))
    return mean if math.isnan(mean) else min(max(mean, 1.0), 5.0)


COLLECTIONS = (DecisionConfidence(), RiskDecision())
