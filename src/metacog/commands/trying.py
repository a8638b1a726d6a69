"""A few questions put to a model before it is added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metacog.collect.confidence.signals import elicit
from metacog.collect.models import ModelEntry
from metacog.collect.prompts import load_prompt
from metacog.collect.questions import Question, load_questions
from metacog.collect.token_texts import until_next
from metacog.core.config import Profile
from metacog.engines.base import Sample
from metacog.engines.conversation import Asking, Conversation
from metacog.engines.engine import Engine
from metacog.engines.requests import Generate, user
from metacog.engines.run_on import before_mark
from metacog.studies import first_with

#: Questions a new model is tried on, from the bank: it should know most of these.
N_TRIED = 3


@dataclass(frozen=True)
class Tried:
    """One question of the trial run; ``unanswered`` if the model was still thinking when its tokens were used up."""

    question: str
    text: str
    accepted: str
    correct: bool
    unanswered: bool = False


def try_out(entry: ModelEntry, profile: Profile, engine: Engine) -> tuple[Tried, ...]:
    """Ask three easy questions, as the profile asks open ones."""
    asked = shown_settings(profile)
    prompt, easy = load_prompt(entry.prompt_id(asked["prompt_set"])), _easy(asked)
    options: dict[str, Any] = {"max_tokens": asked["max_tokens"], "stop": prompt.stop}
    cold, marking = (Sample(0.0, 0),), first_with("marking").marking
    assert marking is not None
    answers = engine.generate([prompt.task(q.question, cold, engine) for q in easy], **options)
    cut = [before_mark(made, prompt.mark, q.accepted) for q, (made,) in zip(easy, answers, strict=True)]
    return tuple(
        Tried(
            q.question,
            made.text,
            q.accepted[0],
            marking.mark(made.text, q.accepted).correct,
            made.unanswered,
        )
        for q, made in zip(easy, cut, strict=True)
    )


def try_signal(entry: ModelEntry, profile: Profile, engine: Engine, signal: str) -> tuple[float, ...]:
    """Confidence in an answer to each of the same questions, as the profile asks them; NaN where there is none."""
    asked, marking = shown_settings(profile), first_with("marking").marking
    assert marking is not None
    prompt = load_prompt(entry.prompt_id(asked["prompt_set"]))
    found: list[float] = []

    def ask(question: str) -> Asking:
        request = Generate((user(question),), asked["max_tokens"], (1.0,))
        outcome = yield from elicit(signal, question, request, marking.same)
        found.extend(one.confidence for _, one in outcome)

    def talk(q: Question) -> Conversation:
        taken = until_next(prompt, q.accepted, entry.sha256)
        return Conversation(ask(q.question), prompt, seed=(q.id,), taken=taken)

    engine.serve([talk(q) for q in _easy(asked)])
    return tuple(found)


def _easy(asked: dict[str, Any]) -> list[Question]:
    """The questions that a new model is tried on."""
    bank = load_questions("bank", shuffle_seed=asked["shuffle_seed"])
    return [q for q in bank if q.tier == 1][:N_TRIED]


def shown_settings(profile: Profile) -> dict[str, Any]:
    """Settings of the profile's first study that asks open questions, on which a new model is tried out."""
    usual = {"prompt_set": "fewshot", "shuffle_seed": 42, "max_tokens": 24}
    block: dict[str, Any] = next((b for b in profile.studies.values() if "datasets" in b), {})
    return {**usual, **block}
