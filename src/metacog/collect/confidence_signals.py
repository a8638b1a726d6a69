"""What confidence in an open answer is taken from: a choice that works for every engine.

- ``nlp``: the mean log-probability of the answer's own tokens, from an engine that tells it.
- ``verbal``: a percentage that the model writes when it is asked how likely its answer is right.
- ``p-true``: the probability of True against False when the answer is proposed to the model (Kadavath et al.
  2022, arXiv:2207.05221), from an engine that scores options.
- ``agreement``: the share of further answers to the question, at the same temperature, that are the same
  answer.

Wordings and numbers of samples are data (``config/signals.yaml``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from metacog.collect.confidence_ways import filled, read_percentage
from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.engines.base import Generation
from metacog.engines.capabilities import Capabilities
from metacog.engines.requests import Choose, Generate, Request, assistant, user
from metacog.trials import AGREEMENT, NLP, P_TRUE, SIGNALS, VERBAL

#: What an engine must be able to do for a signal; every engine can do for the others what they need.
REQUIRES = {NLP: ("own_logprobs",), P_TRUE: ("score_options",)}


@dataclass(frozen=True)
class Signalled:
    """Confidence in one answer (NaN where there is none), and what became of a written number."""

    confidence: float
    status: str = "ok"


def check_signal(name: str) -> str:
    if name not in SIGNALS:
        raise MetacogError(f"confidence must be one of {', '.join(SIGNALS)}, not {name!r}")
    return name


@cache
def load_signals() -> dict[str, Any]:
    return load_yaml(project_root() / "config" / "signals.yaml", "signals")


def depends_on(signal: str) -> Any:
    """What a signal's requests depend on apart from the question: part of a run's key; None for NLP."""
    if signal == NLP:
        return None
    found = load_signals()
    return [signal, found["version"], found[signal]]


def best_of(can: Capabilities) -> str:
    """The signal to propose for an engine: NLP where it can be had, else agreement.

    Agreement asks nothing of a model but answers, small models and fine-tunes included, and takes eleven
    values; it costs ten further answers a question. A model that is asked for a percentage is asked only
    once more, and often gives a few round numbers or none.
    """
    return NLP if can.own_logprobs else AGREEMENT


def refusal_of(signal: str, can: Capabilities) -> str:
    """Why an engine cannot give a signal, and what to do; empty if it can."""
    reasons = can.lacking(REQUIRES.get(signal, ()))
    if not reasons:
        return ""
    others = " or ".join(name for name in SIGNALS if not can.lacking(REQUIRES.get(name, ())))
    return (
        f"confidence is to be {signal}, but {'; '.join(reasons.values())}. Choose another signal, {others}: "
        f"`confidence: {best_of(can)}` in the model's entry, or `--confidence {best_of(can)}`"
    )


def asked_once(signal: str) -> bool:
    """Whether nothing is asked behind the answer."""
    return signal in (NLP, AGREEMENT)


def elicit(
    signal: str, question: str, answer: Generate, same: Callable[[str, str], bool]
) -> Generator[Any, Any, list[tuple[Generation, Signalled]]]:
    """Ask an open question, and what its confidence is taken from.

    ``same``: whether two texts are the same answer. Every sample of ``answer`` comes back, in order.
    """
    if signal == AGREEMENT:
        k = int(load_signals()[AGREEMENT]["samples"])
        made, more = yield [answer, replace(answer, n=k, seeds=None)]
        groups = [more.samples[i * k : (i + 1) * k] for i in range(len(answer.temperatures))]
        return [
            (one, Signalled(agreement(one.text, [other.text for other in groups[i // answer.n]], same)))
            for i, one in enumerate(made.samples)
        ]
    made = yield answer
    if signal == NLP:
        return [(one, Signalled(math.exp(one.nlp) if one.n_tokens else math.nan)) for one in made.samples]
    texts = list(dict.fromkeys(one.text.strip() for one in made.samples if one.text.strip()))
    replies = (yield [_behind(signal, question, text, answer) for text in texts]) if texts else []
    found = {text: _read(signal, reply) for text, reply in zip(texts, replies, strict=True)}
    return [(one, found.get(one.text.strip(), Signalled(math.nan))) for one in made.samples]


def _behind(signal: str, question: str, text: str, answer: Generate) -> Request:
    """What is asked about an answer; the same answer at two temperatures is asked about once."""
    if signal == VERBAL:
        turns = (*answer.turns, assistant(text), user(load_signals()[VERBAL]["ask"]))
        return Generate(turns, answer.max_tokens, (0.0,))
    return is_it_right(question, text)


def is_it_right(question: str, answer: str) -> Choose:
    """Whether an answer that is proposed to the model is right; the first option says that it is."""
    wordings = load_signals()[P_TRUE]
    ask = filled(wordings["ask"], question=question, answer=answer)
    return Choose((user(ask),), tuple(wordings["options"]), fallback="fail")


def _read(signal: str, reply: Any) -> Signalled:
    if signal == P_TRUE:
        return Signalled(reply.probabilities[0])
    stated = read_percentage(reply.text)
    return Signalled(stated.probability, stated.status)


def agreement(answer: str, others: Sequence[str], same: Callable[[str, str], bool]) -> float:
    """Share of further answers in the cluster of an answer.

    A cluster holds all texts that a chain of pairs links, each pair the same answer (single linkage), so that it
    does not depend on the order of the samples.

    In [0, 1]; NaN for an empty answer, or without others.
    """
    if not answer.strip() or not others:
        return math.nan
    left = list(dict.fromkeys(others))
    cluster, new = {answer}, [answer]
    while new:
        linked = [text for text in left if text in cluster or any(same(text, one) for one in new)]
        left = [text for text in left if text not in linked]
        new = [text for text in linked if text not in cluster]
        cluster.update(linked)
    return sum(text in cluster for text in others) / len(others)
