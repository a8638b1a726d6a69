"""A few questions put to a model before it is added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metacog.collect.models import ModelEntry
from metacog.collect.prompts import load_prompt
from metacog.collect.questions import load_questions
from metacog.core.config import Profile
from metacog.engines.base import Sample
from metacog.engines.engine import Engine
from metacog.studies import first_with

#: Questions a new model is tried on, from the bank: it should know most of these.
N_TRIED = 3


@dataclass(frozen=True)
class Tried:
    """One question of the trial run."""

    question: str
    text: str
    accepted: str
    correct: bool


def try_out(entry: ModelEntry, profile: Profile, engine: Engine) -> tuple[Tried, ...]:
    """Ask three easy questions, as the profile asks open ones."""
    asked = shown_settings(profile)
    prompt = load_prompt(entry.prompt_id(asked["prompt_set"]))
    bank = load_questions("bank", shuffle_seed=asked["shuffle_seed"])
    easy = [q for q in bank if q.tier == 1][:N_TRIED]
    options: dict[str, Any] = {"max_tokens": asked["max_tokens"], "stop": prompt.stop}
    cold, marking = (Sample(0.0, 0),), first_with("marking").marking
    assert marking is not None
    answers = engine.generate([prompt.task(q.question, cold, engine) for q in easy], **options)
    return tuple(
        Tried(q.question, made[0].text, q.accepted[0], marking.mark(made[0].text, q.accepted).correct)
        for q, made in zip(easy, answers, strict=True)
    )


def shown_settings(profile: Profile) -> dict[str, Any]:
    """Settings of the profile's first study that asks open questions, on which a new model is tried out."""
    usual = {"prompt_set": "fewshot", "shuffle_seed": 42, "max_tokens": 24}
    block: dict[str, Any] = next((b for b in profile.studies.values() if "datasets" in b), {})
    return {**usual, **block}
