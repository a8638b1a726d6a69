"""Confidence that needs log-probabilities: of the answer, of its being called right, of what is decoded."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import replace

from metacog.collect.confidence.method import Eliciting, Method, Options, choose, label_of
from metacog.collect.confidence.wordings import filled, load_wordings
from metacog.collect.multiple import BinaryQuestion
from metacog.engines.requests import Choose, Chosen, Generate

YES_NO = ("Yes", "No")


class _AfterAnswer(Method):
    """Goes on from the plain answer, which is asked for once and shared."""

    form = "scored"
    after_answer = True

    def elicit(self, question: BinaryQuestion, options: Options, answer: Chosen | None = None) -> Eliciting:
        """Go on from the answer, if there is one."""
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

    def calls(self, options: Options) -> int:
        """The answer alone."""
        return 1

    def go_on(self, question: BinaryQuestion, options: Options, answer: Chosen) -> Eliciting:
        """Nothing more is asked."""
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
        """One choice between A and B."""
        listed = replace(options, answer="label")
        lines = load_wordings().label
        reply = yield choose(question, lines.turns(question, lines.answer), listed)
        return (yield from super().elicit(question, listed, reply))


class PTrue(_AfterAnswer):
    """Probability of Yes when the model is asked whether the answer, as one proposed to it, is right.

    After Kadavath et al. 2022 (arXiv:2207.05221), with Yes and No for True and False.
    """

    name = "p_true"

    def calls(self, options: Options) -> int:
        """The answer, and whether it is right."""
        return 2

    def go_on(self, question: BinaryQuestion, options: Options, answer: Chosen) -> Eliciting:
        """Propose the answer."""
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
        """The answer, and the samples."""
        return 1 + options.n_samples

    def go_on(self, question: BinaryQuestion, options: Options, answer: Chosen) -> Eliciting:
        """Have the answer written out several times."""
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
