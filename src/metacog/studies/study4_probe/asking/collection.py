"""What study 4 asks: its items once, and some of them again to see how steady the answers are.

How torn a model is between texts is the Monte-Carlo estimate of length-normalised predictive entropy (Malinin &
Gales 2021): over draws of the answer line at temperature 1, the mean of minus the log-probability per token. The line
ends before CONFIDENCE, so that doubt about which number to state is not mixed in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pandera.pandas as pa

from metacog.collect.collection import Collection, Needed
from metacog.collect.scoring import is_refusal
from metacog.engines.base import Generation
from metacog.engines.requests import Asking, Generate, Generated, Reply
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS, VERSION, ProbeItem, load_items
from metacog.studies.study4_probe.asking.marking import SCALES, mark_reply
from metacog.studies.study4_probe.asking.wordings import WITHOUT_EXAMPLES, load_wordings
from metacog.studies.study4_probe.paper import ITEMS, TASKS
from metacog.studies.study4_probe.range_score import drawn
from metacog.studies.study4_probe.settings import Settings

#: Share of the draws that must hold an answer with log-probabilities.
LEAST_USED = 0.5


def decoding_entropy(item: ProbeItem, draws: Sequence[Generation]) -> dict[str, Any]:
    """``entropy`` of an item's answer line, in nats per token, and what it rests on.

    A draw without an answer (no such line, or no number where one is asked for) is left out and counted, as is one
    without log-probabilities: of ``entropy_asked`` draws ``entropy_read`` have an answer and ``entropy_used``
    log-probabilities. The entropy is NaN where less than half of the draws could be used.
    """
    read = [d for d in draws if "ANSWER" not in mark_reply(item, d.text).unread]
    nlp = [d.nlp for d in read if d.n_tokens and math.isfinite(d.nlp)]
    enough = bool(nlp) and len(nlp) >= LEAST_USED * len(draws)
    return {
        "entropy": max(0.0, -math.fsum(nlp) / len(nlp)) if enough else math.nan,
        "entropy_asked": len(draws),
        "entropy_read": len(read),
        "entropy_used": len(nlp),
    }


#: Columns in addition to the core ones.
COLUMNS = {
    "task": pa.Column(str, pa.Check.isin(tuple(TASKS))),
    "sample": pa.Column("int64", pa.Check.ge(0)),  # 0 is the reply that is scored, others are resamples
    "difficulty": pa.Column("int64", pa.Check.in_range(1, 5)),
    "flag": pa.Column("float64", pa.Check.isin((0, 1)), nullable=True),  # ERROR_FOUND or CAN_ANSWER
    "step": pa.Column("float64", nullable=True),  # ERROR_STEP
    "stated": pa.Column("float64", pa.Check.in_range(0, 100), nullable=True),  # on the task's own scale
    "credit": pa.Column("float64", pa.Check.in_range(0, 1)),
    "credit_strict": pa.Column("float64", pa.Check.in_range(0, 1)),
    "knows": pa.Column("float64", pa.Check.isin((0, 1)), nullable=True),
    # decoding entropy, with the scored reply alone: nats a token, and draws asked for, readable and used
    "entropy": pa.Column("float64", pa.Check.ge(0), nullable=True),
    "entropy_asked": pa.Column("int64", pa.Check.ge(0)),
    "entropy_read": pa.Column("int64", pa.Check.ge(0)),
    "entropy_used": pa.Column("int64", pa.Check.ge(0)),
    "unread": pa.Column(str),  # fields that are missing or cannot be read, with spaces between
    "parse_status": pa.Column(str, pa.Check.isin(("ok", "unclear"))),
    "wording": pa.Column(str),
    "sigma_t": pa.Column("float64", pa.Check.gt(0)),
    "range_t": pa.Column("float64", pa.Check.gt(0)),
}


class ProbeReplies(Collection):
    """Every item once at temperature 0, and the items of some tasks again at a higher one."""

    name = "probe"
    key = ("question_id", "sample")
    block = pa.DataFrameSchema(COLUMNS)
    one_turn = True
    without: ClassVar[Mapping[str, str]] = {"own_logprobs": "answers have no decoding entropy"}

    def sets(self, settings: Settings) -> Mapping[str, Settings]:
        """One set, named by the items' version; its settings hold the thresholds, drawn before any reply."""
        return {VERSION: self._with_thresholds(settings)}

    def declared(self, settings: Settings) -> Mapping[str, Any]:
        """The thresholds of T4-CR."""
        return {"sigma_t": settings.sigma_t, "range_t": settings.range_t}

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[ProbeItem]:
        """The items, or the first of each task."""
        most = settings.items_per_task or max(ITEMS.values())
        return [item for task in TASKS for item in _of_task(task)[:most]]

    def together(self, item: ProbeItem) -> tuple[str, str]:
        return item.task, item.id

    def ask(self, item: ProbeItem, settings: Settings) -> Asking:
        """The item in its task's format; resamples share the reading of the prompt.

        With it, where a reply begins with an answer, that line alone is drawn several times at temperature 1.
        """
        wordings = load_wordings()
        again = settings.k if item.task in settings.resampled else 0
        turns, most = (
            wordings.turns(item.task, item.prompt, settings.examples),
            wordings.max_tokens(item.task),
        )
        asked = [Generate(turns, most, (0.0, *(settings.temperature,) * again), stop=(wordings.marker,))]
        if settings.draws and item.task in TASKS_WITH_ANSWERS:
            asked.append(Generate(turns, most, (1.0,), settings.draws, stop=("\n",)))
        yield asked

    def read(
        self, item: ProbeItem, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        """One trial a reply; draws of the answer line are no trials, but give the first its entropy."""
        reply, drawn_lines = replies[0], replies[1:]
        assert isinstance(reply, Generated)
        torn = decoding_entropy(item, [d for one in drawn_lines for d in one.samples])  # type: ignore[union-attr]
        for sample, made in enumerate(reply.samples):
            yield {
                "temperature": settings.temperature if sample else 0.0,
                "sample": sample,
                "wording": load_wordings().version + ("" if settings.examples else WITHOUT_EXAMPLES),
                "sigma_t": settings.sigma_t,
                "range_t": settings.range_t,
                **_trial(item, made),
                **(torn if not sample else decoding_entropy(item, [])),
            }

    @staticmethod
    def _with_thresholds(settings: Settings) -> Settings:
        pair = drawn(VERSION, settings.panel)
        return replace(settings, sigma_t=pair.sigma_t, range_t=pair.range_t)


def _of_task(task: str) -> list[ProbeItem]:
    return [item for item in load_items() if item.task == task]


def _trial(item: ProbeItem, made: Generation) -> dict[str, Any]:
    marked = mark_reply(item, made.text)
    low, high = SCALES.get(item.task, (0, 1))
    empty = "unanswered" if made.unanswered else "given" if made.text.strip() else "empty"
    return {
        "task": item.task,
        "difficulty": item.difficulty,
        "text": made.text,
        "answer": marked.answer,
        "n_tokens": made.n_tokens,
        "sum_logprob": made.sum_logprob if made.n_tokens else math.nan,
        "nlp": made.nlp,
        "confidence": (marked.stated - low) / (high - low),
        "correct": marked.credit == 1,
        "match": "refusal" if is_refusal(made.text) else empty,
        "refusal": is_refusal(made.text),
        "truncated": made.truncated,
        "flag": math.nan if marked.flag is None else float(marked.flag),
        "step": marked.step,
        "stated": marked.stated,
        "credit": marked.credit,
        "credit_strict": marked.strict,
        "knows": marked.knows,
        "unread": " ".join(marked.unread),
        "parse_status": "unclear" if marked.unread else "ok",
    }


COLLECTIONS = (ProbeReplies(),)
