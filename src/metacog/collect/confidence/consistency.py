"""Consistency: one question several times; confidence is the share of runs with the commonest answer."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence

from metacog.collect.confidence.method import Eliciting, Method, Options, choose, label_of
from metacog.collect.confidence.wordings import filled, load_wordings
from metacog.collect.multiple import BinaryQuestion
from metacog.core.errors import MetacogError
from metacog.engines.requests import Chosen


class _Consistency(Method):
    """Runs at a temperature, each with a line of its own."""

    form = "sampled"

    @abstractmethod
    def lines(self, question: BinaryQuestion, options: Options) -> Sequence[str]:
        """What each run is asked."""

    def calls(self, options: Options) -> int:
        """One a run."""
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
        form = "parsed" if first.form == "parsed" else self.form
        if not given:
            return self.failed("no_answer", options, form, n_read=0)
        label, n = commonest(given)
        # runs without an answer agree with nothing, so they count below the line
        return self.gave(label, n / len(asked), options, form, n_read=len(given), text=" ".join(given))


def commonest(answers: Sequence[str]) -> tuple[str, int]:
    """The commonest answer and how often it was given; of equals the one given first."""
    return Counter(answers).most_common(1)[0]


class SelfRandom(_Consistency):
    """The same line each time."""

    name = "consistency_self_random"

    def lines(self, question: BinaryQuestion, options: Options) -> Sequence[str]:
        """The plain line, ``n_runs`` times."""
        return [load_wordings().of(options.answer).answer] * options.n_runs


class Perturbing(_Consistency):
    """Another wording of the instruction each time."""

    name = "consistency_perturbing"

    def lines(self, question: BinaryQuestion, options: Options) -> Sequence[str]:
        """The first ``n_runs`` rewordings."""
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
