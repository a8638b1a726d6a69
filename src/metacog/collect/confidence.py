"""Ways of asking a model how sure it is, for any binary choice; nothing here knows of a study.

A way (:class:`Method`) is a generator: it yields requests, is sent their replies and returns what came
out (:class:`Elicited`), so asking and reading are one function. :func:`together` asks several ways about one
question in one conversation, :func:`replayed` reads stored replies again. What confidence in an open answer
is taken from is chosen among the signals of :mod:`metacog.collect.confidence_signals`.

Verbalised confidence: the model says how sure it is, in words it writes or as options that are scored.

Small models often write no number that can be read. So each way has two forms: ``written``, one reply
that must hold letter and number, and ``scored``, the answer and then a digit of a scale as closed choices,
whose confidence is the mean of the scale under the digits' probabilities. A trial says which it was.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from metacog.collect.choices import LABELS, BinaryQuestion
from metacog.collect.confidence_ways import (
    DIGITS,
    Eliciting,
    Method,
    Options,
    Parsed,
    choose,
    filled,
    label_of,
    load_wordings,
    on_scale,
    read_answer_and_probability,
    read_guesses,
    read_reasoned,
    shown,
)
from metacog.core.errors import MetacogError
from metacog.engines.base import Message
from metacog.engines.requests import Choose, Chosen, Generate, user


def scale_request(turns: Sequence[Message], options: Options) -> Choose:
    return Choose(tuple(turns), DIGITS, options.temperature)


def scale_line(question: BinaryQuestion, label: str, options: Options) -> str:
    return filled(load_wordings().of(options.answer).scale, answer=shown(question, label, options))


class _Written(Method):
    """One written reply, read by a strict parser."""

    form = "written"
    line: ClassVar[str]

    def parse(self, text: str, question: BinaryQuestion) -> Parsed:
        return read_answer_and_probability(text, LABELS, question.options)

    def room(self, options: Options) -> int:
        return options.max_tokens

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
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
        return options.max_reasoning + options.max_tokens

    def parse(self, text: str, question: BinaryQuestion) -> Parsed:
        return read_reasoned(text, LABELS, question.options)


class TopKWritten(_Written):
    """k guesses, each with a probability; the most probable is the answer."""

    name = "verbal_topk"
    line = "topk"

    def parse(self, text: str, question: BinaryQuestion) -> Parsed:
        return read_guesses(text, LABELS)


class VanillaScored(Method):
    """The plain answer, then a digit for how likely it is right."""

    name = "verbal_vanilla"
    form = "scored"
    after_answer = True
    n_calls = 2  # answer and digit

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        assert answer is not None
        return (yield from rated(self, question, answer, options))


class CotScored(Method):
    """A sentence of reasoning is written; the answer and a digit are chosen behind it."""

    name = "verbal_cot"
    form = "scored"
    n_calls = 3  # reasoning, answer and digit

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
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
    n_calls = len(LABELS)  # a digit for each option

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
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


# Consistency: one question several times; confidence is the share of runs with the commonest answer.


class _Consistency(Method):
    """Runs at a temperature, each with a line of its own."""

    form = "sampled"

    @abstractmethod
    def lines(self, question: BinaryQuestion, options: Options) -> Sequence[str]:
        """What each run is asked."""

    def calls(self, options: Options) -> int:
        return options.n_runs

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        """The first run alone, so that the question has been read, then the others at once."""
        wordings = load_wordings().of(options.answer)
        asked = [
            choose(question, wordings.turns(question, line), options, options.temperature_runs)
            for line in self.lines(question, options)
        ]
        first = yield asked[0]
        others = yield asked[1:]
        given = [label_of(question, reply.chosen) for reply in (first, *others) if reply.chosen]
        form = form_of(first, self.form)
        if not given:
            return self.failed("no_answer", options, form, n_read=0)
        label, n = Counter(given).most_common(1)[0]  # of equals the one given first
        # runs without an answer agree with nothing, so they count below the line
        return self.gave(label, n / len(asked), options, form, n_read=len(given), text=" ".join(given))


class SelfRandom(_Consistency):
    """The same line each time."""

    name = "consistency_self_random"

    def lines(self, question: BinaryQuestion, options: Options) -> Sequence[str]:
        return [load_wordings().of(options.answer).answer] * options.n_runs


class Perturbing(_Consistency):
    """Another wording of the instruction each time."""

    name = "consistency_perturbing"

    def lines(self, question: BinaryQuestion, options: Options) -> Sequence[str]:
        return _first(load_wordings().of(options.answer).perturbing, options.n_runs, "rewordings")


class Misleading(_Consistency):
    """One neutral template, and others that frame the reply as a claim or hint at the wrong option."""

    name = "consistency_misleading"

    def lines(self, question: BinaryQuestion, options: Options) -> Sequence[str]:
        """The first ``n_runs`` templates of the kind wanted; hints name the wrong option."""
        kind = load_wordings().of(options.answer).misleading[options.misleading]
        wrong = question.text(question.wrong)
        if options.answer == "label":
            wrong = f"{question.wrong} ({wrong})"
        return [filled(line, wrong=wrong) for line in _first(kind, options.n_runs, "templates")]


def _first(lines: Sequence[str], n: int, what: str) -> Sequence[str]:
    if n > len(lines):
        raise MetacogError(f"{n} runs are wanted and config/confidence.yaml has {len(lines)} {what}")
    return lines[:n]


# Confidence that needs log-probabilities: of the answer, of its being called right, of what is decoded.

YES_NO = ("Yes", "No")


class _AfterAnswer(Method):
    """Goes on from the plain answer, which is asked for once and shared."""

    form = "scored"
    after_answer = True

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        assert answer is not None
        if not answer.chosen:
            return self.failed("no_answer", options, text=answer.text)
        return (yield from self.go_on(question, options, answer))

    @abstractmethod
    def go_on(self, question: BinaryQuestion, options: Options, answer: Chosen) -> Eliciting:
        """What is asked behind the answer."""


class TokenProbability(_AfterAnswer):
    """Probability of the answer that was chosen, among both."""

    name = "token_probability"

    def go_on(self, question: BinaryQuestion, options: Options, answer: Chosen) -> Eliciting:
        yield from ()
        p, label = answer.probability(answer.chosen), label_of(question, answer.chosen)
        if math.isnan(p):
            return self.failed("no_probability", options, "parsed", answer=label)
        return self.gave(label, p, options)


class Letters(TokenProbability):
    """The same with both options listed and a letter chosen, whatever the form of other answers.

    It shows how far a model goes by the place of an option.
    """

    form = "letters"
    after_answer = False

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        listed = replace(options, answer="label")
        lines = load_wordings().label
        reply = yield choose(question, lines.turns(question, lines.answer), listed)
        return (yield from super().elicit(question, listed, reply))


class PTrue(_AfterAnswer):
    """Probability of Yes when the model is asked whether the answer, as one proposed to it, is right.

    After Kadavath et al. 2022 (arXiv:2207.05221), with Yes and No for True and False.
    """

    name = "p_true"
    n_calls = 2  # the answer, and whether it is right

    def go_on(self, question: BinaryQuestion, options: Options, answer: Chosen) -> Eliciting:
        wordings, label = load_wordings().of(options.answer), label_of(question, answer.chosen)
        line = filled(wordings.p_true, answer=question.text(label))
        reply = yield Choose(wordings.turns(question, line), YES_NO, options.temperature)
        p = reply.probability(YES_NO[0])
        if math.isnan(p):
            return self.failed("no_probability", options, "parsed", answer=label, text=reply.text)
        return self.gave(label, p, options)


class DecodingEntropy(_AfterAnswer):
    """How little the model is torn between texts when it writes the answer out: exp(-entropy a token).

    The entropy is the Monte-Carlo estimate over ``n_samples`` answers at temperature 1, the mean of minus
    the log-probability a token (length-normalised predictive entropy, Malinin & Gales 2021).
    """

    name = "decoding_entropy"

    def calls(self, options: Options) -> int:
        return 1 + options.n_samples

    def go_on(self, question: BinaryQuestion, options: Options, answer: Chosen) -> Eliciting:
        wordings, label = load_wordings().of(options.answer), label_of(question, answer.chosen)
        turns = wordings.turns(question, wordings.written_out)
        reply = yield Generate(turns, options.max_written, (1.0,), options.n_samples, stop=("\n",))
        nlp = [made.nlp for made in reply.samples if made.n_tokens and math.isfinite(made.nlp)]
        more = {
            "text": " | ".join(made.text.strip() for made in reply.samples),
            "n_tokens": sum(made.n_tokens for made in reply.samples),
            "n_read": len(nlp),
        }
        if not nlp:
            return self.failed("no_probability", options, answer=label, **more)
        return self.gave(label, math.exp(sum(nlp) / len(nlp)), options, **more)


# All ways.

#: Every way, by name and form. The names of the first six are the paper's on decoupling metacognition.
METHODS: tuple[Method, ...] = (
    VanillaScored(),
    VanillaWritten(),
    CotScored(),
    CotWritten(),
    TopKScored(),
    TopKWritten(),
    SelfRandom(),
    Perturbing(),
    Misleading(),
    TokenProbability(),
    Letters(),
    PTrue(),
    DecodingEntropy(),
)
