"""Verbalised confidence: the model says how sure it is, in words it writes or as options that are scored.

Small models often write no number that can be read. So each way has two forms: ``written``, one reply
that must hold letter and number, and ``scored``, the answer and then a digit of a scale as closed choices,
whose confidence is the mean of the scale under the digits' probabilities. A trial says which it was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from metacog.collect.confidence.method import (
    DIGITS,
    Eliciting,
    Method,
    Options,
    choose,
    label_of,
    on_scale,
    shown,
)
from metacog.collect.confidence.parsing import (
    Parsed,
    read_answer_and_probability,
    read_guesses,
    read_reasoned,
)
from metacog.collect.confidence.wordings import filled, load_wordings
from metacog.collect.multiple import LABELS, BinaryQuestion
from metacog.engines.base import Message
from metacog.engines.requests import Choose, Chosen, Generate, user


def scale_request(turns: Sequence[Message], options: Options) -> Choose:
    """Ask for a digit of the scale behind some turns."""
    return Choose(tuple(turns), DIGITS, options.temperature)


def scale_line(question: BinaryQuestion, label: str, options: Options) -> str:
    """The line that asks how likely an option is right."""
    return filled(load_wordings().of(options.answer).scale, answer=shown(question, label, options))


class _Written(Method):
    """One written reply, read by a strict parser."""

    form = "written"
    line: ClassVar[str]

    def calls(self, options: Options) -> int:
        """One."""
        return 1

    def parse(self, text: str, question: BinaryQuestion) -> Parsed:
        """What a reply says."""
        return read_answer_and_probability(text, LABELS, question.options)

    def room(self, options: Options) -> int:
        """Tokens the reply may have."""
        return options.max_tokens

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        """Ask once and parse."""
        wordings = load_wordings()
        turns = wordings.label.turns(question, filled(wordings.verbal[self.line], k=options.k))
        reply = yield Generate(turns, self.room(options), (options.temperature,))
        made = reply.samples[0]
        found = self.parse(made.text, question)
        more = {"text": made.text, "n_tokens": made.n_tokens, "percent": found.percent}
        if found.status != "ok":
            return self.failed(found.status, options, answer=found.answer, **more)
        return self.gave(found.answer, found.probability, options, **more)


class VanillaWritten(_Written):
    """The answer and a probability."""

    name = "verbal_vanilla"
    line = "vanilla"


class CotWritten(_Written):
    """One sentence of reasoning, the answer and a probability."""

    name = "verbal_cot"
    line = "cot"

    def room(self, options: Options) -> int:
        """Room for the sentence too."""
        return options.max_reasoning + options.max_tokens

    def parse(self, text: str, question: BinaryQuestion) -> Parsed:
        """Behind ``Final:``."""
        return read_reasoned(text, LABELS, question.options)


class TopKWritten(_Written):
    """k guesses, each with a probability; the most probable is the answer."""

    name = "verbal_topk"
    line = "topk"

    def parse(self, text: str, question: BinaryQuestion) -> Parsed:
        """The most probable guess."""
        return read_guesses(text, LABELS)


class VanillaScored(Method):
    """The plain answer, then a digit for how likely it is right."""

    name = "verbal_vanilla"
    form = "scored"
    after_answer = True

    def calls(self, options: Options) -> int:
        """Answer and digit."""
        return 2

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        """The digit, behind the answer."""
        assert answer is not None
        return (yield from rated(self, question, answer, options))


class CotScored(Method):
    """A sentence of reasoning is written; the answer and a digit are chosen behind it."""

    name = "verbal_cot"
    form = "scored"

    def calls(self, options: Options) -> int:
        """Reasoning, answer and digit."""
        return 3

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        """One written sentence and two closed choices."""
        wordings = load_wordings().of(options.answer)
        asked = Generate(
            wordings.turns(question, wordings.cot),
            options.max_reasoning,
            (options.temperature,),
            stop=("\n",),
        )
        reasoning = yield asked
        made = reasoning.samples[0]
        turns = (*reasoning.turns(), user(wordings.cot_answer))
        reply = yield choose(question, turns, options)
        more = {"text": made.text, "n_tokens": made.n_tokens, "n_read": int(bool(made.text.strip()))}
        return (yield from rated(self, question, reply, options, **more))


class TopKScored(Method):
    """A digit for each of the k guesses, asked alike; the most probable is the answer.

    A binary choice has two guesses to make, so both options are rated, each by itself. With k = 1 the plain
    answer would be the guess, and this would be the vanilla way.
    """

    name = "verbal_topk"
    form = "scored"

    def calls(self, options: Options) -> int:
        """A digit for each option."""
        return len(LABELS)

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        """Both ratings at once."""
        wordings = load_wordings().of(options.answer)
        lines = [scale_line(question, label, options) for label in LABELS]
        replies = yield [scale_request(wordings.turns(question, line), options) for line in lines]
        read = [(*on_scale(reply), label) for reply, label in zip(replies, LABELS, strict=True)]
        form = form_of(replies[0], self.form)
        text = " ".join(reply.text for reply in replies).strip()
        if any(math.isnan(mean) for mean, _, _ in read):
            return self.failed("no_probability", options, form, text=text)
        mean, taken, label = max(read, key=lambda one: one[0])  # the first of equals
        return self.gave(label, mean, options, form, stated=taken, text=text)


def rated(
    method: Method, question: BinaryQuestion, reply: Chosen, options: Options, **more: object
) -> Eliciting:
    """Ask for a digit behind an answer, and put both together."""
    form = form_of(reply, method.form)
    if not reply.chosen:
        return method.failed("no_answer", options, form, **{"text": reply.text, **more})
    label = label_of(question, reply.chosen)
    line = scale_line(question, label, options)
    digit = yield scale_request((*reply.turns(), user(line)), options)
    mean, taken = on_scale(digit)
    if math.isnan(mean):
        return method.failed("no_probability", options, form, answer=label, **{"text": digit.text, **more})
    return method.gave(label, mean, options, form, stated=taken, **more)


def form_of(reply: Chosen, form: str) -> str:
    """``parsed`` where an engine could not score the options."""
    return "parsed" if reply.form == "parsed" else form
