"""What study 3 asks: nine ways of telling how sure a model is of a binary choice.

Kept in collections by what a trial takes, so that each can have as many questions as its cost allows:
``single`` (few calls, scored), ``repeated`` (consistency, ``n_runs`` calls), ``written`` (the verbalised ways
as numbers that a model writes) and ``position`` (a letter chosen from the options listed).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

import pandera.pandas as pa

from metacog.collect.choices import LABELS, BinaryQuestion
from metacog.collect.collection import PARSED, Collection, Needed
from metacog.collect.confidence import METHODS
from metacog.collect.confidence_ways import (
    STATUSES,
    Elicited,
    Method,
    load_wordings,
    plain_answer,
    replayed,
    together,
)
from metacog.collect.scoring import is_refusal
from metacog.engines.requests import Asking, Chosen, Reply
from metacog.studies.study3_dmc.asking.items import items
from metacog.studies.study3_dmc.settings import Settings

#: Columns of all collections. ``response`` is NaN where there was no answer, ``confidence`` where the
#: trial is not ``ok``.
COLUMNS = {
    "method": pa.Column(str, pa.Check.isin(sorted({one.name for one in METHODS}))),
    "form": pa.Column(str, pa.Check.isin(("written", "scored", "sampled", "letters", "parsed"))),
    "base_id": pa.Column(str),  # the question that pairings and orders repeat; what intervals resample
    "pairing": pa.Column("int64", pa.Check.ge(0)),  # which wrong option
    "option_order": pa.Column(str, pa.Check.isin(("right_first", "wrong_first"))),
    "stimulus": pa.Column("int64", pa.Check.isin((0, 1))),  # 0: A is right, 1: B is right
    "response": pa.Column("float64", pa.Check.isin((0, 1)), nullable=True),
    "stated": pa.Column("float64", pa.Check.in_range(0, 1), nullable=True),  # the option of the scale taken
    "parse_status": pa.Column(str, pa.Check.isin(STATUSES)),
    "percent": pa.Column(bool),  # written with a percent sign
    "n_calls": pa.Column("int64", pa.Check.ge(1)),
    "n_read": pa.Column("int64", pa.Check.ge(0)),
    "wording": pa.Column(str),
}


class _Confidence(Collection):
    """Some ways, all asked about a question in one conversation."""

    key = ("method", "question_id")
    block = pa.DataFrameSchema(COLUMNS)
    without: ClassVar[Mapping[str, str]] = {
        **PARSED,
        "own_logprobs": "ways that read log-probabilities give no confidence",
    }
    methods: ClassVar[tuple[Method, ...]]

    @abstractmethod
    def n_questions(self, settings: Settings) -> int | None:
        """Base questions of a set."""

    def temperature(self, settings: Settings) -> float:
        """At which replies are drawn."""
        return settings.temperature

    def sets(self, settings: Settings) -> Mapping[str, Settings]:
        """The profile's sets."""
        return settings.by_set()

    def later(self, settings: Settings) -> Any:
        """Options and wordings of the ways."""
        ways = [[one.name, one.form, one.calls(settings.options)] for one in self.methods]
        return [ways, asdict(settings.options), asdict(load_wordings())]

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[BinaryQuestion]:
        """The set's binary questions."""
        return items(settings, self.n_questions(settings))

    def together(self, item: BinaryQuestion) -> tuple[str, str]:
        """A base question's pairings and orders stay together."""
        return "", item.base

    def ask(self, item: BinaryQuestion, settings: Settings) -> Asking:
        """All ways, in one conversation."""
        yield from self.elicit(item, settings)

    def elicit(self, item: BinaryQuestion, settings: Settings) -> Generator[Any, Any, list[Elicited]]:
        """The plain answer, where some way goes on from it, then all ways together; the outcome of each."""
        answer: Chosen | None = None
        if any(one.after_answer for one in self.methods):
            answer = yield plain_answer(item, settings.options)
        return (yield from together([one.elicit(item, settings.options, answer) for one in self.methods]))

    def read(
        self, item: BinaryQuestion, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        """One trial per way of asking."""
        for trial in replayed(self.elicit(item, settings), replies):
            response = LABELS.index(trial.answer) if trial.answer else None
            yield {
                "method": trial.method,
                "form": trial.form,
                "base_id": item.base,
                "pairing": item.pairing,
                "option_order": ("right_first", "wrong_first")[item.stimulus],
                "stimulus": item.stimulus,
                "response": math.nan if response is None else float(response),
                "answer": trial.answer,
                "correct": response == item.stimulus,
                "confidence": trial.confidence,
                "stated": trial.stated,
                "parse_status": trial.status,
                "percent": trial.percent,
                "n_calls": trial.n_calls,
                "n_read": trial.n_read,
                "n_tokens": trial.n_tokens,
                "temperature": self.temperature(settings),
                "text": trial.text,
                "refusal": is_refusal(trial.text),
                "match": "given" if trial.text.strip() or trial.form != "written" else "empty",
                "wording": load_wordings().version,
            }


class Single(_Confidence):
    """Six ways of few calls: three verbalised and scored, and three that read log-probabilities."""

    name = "single"
    methods = tuple(one for one in METHODS if one.form == "scored")

    def n_questions(self, settings: Settings) -> int | None:
        return settings.n_questions


class Repeated(_Confidence):
    """Three consistencies of ``n_runs`` calls each."""

    name = "repeated"
    methods = tuple(one for one in METHODS if one.form == "sampled")

    def n_questions(self, settings: Settings) -> int | None:
        return settings.n_repeated

    def temperature(self, settings: Settings) -> float:
        return settings.temperature_runs


class Written(_Confidence):
    """The three verbalised ways as the paper asks them: a number that the model writes."""

    name = "written"
    methods = tuple(one for one in METHODS if one.form == "written")

    def n_questions(self, settings: Settings) -> int | None:
        return settings.n_written


class Position(_Confidence):
    """Both options listed and a letter chosen, one call: how far the place of an option decides."""

    name = "position"
    one_turn = True
    methods = tuple(one for one in METHODS if one.form == "letters")

    def n_questions(self, settings: Settings) -> int | None:
        return settings.n_questions


COLLECTIONS = (Single(), Repeated(), Written(), Position())
