"""A few questions put to a model before it is added."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metacog.collect.confidence_signals import elicit
from metacog.collect.models import ModelEntry
from metacog.collect.prompts import Prompt, load_prompt
from metacog.collect.questions import Question, load_questions
from metacog.core.config import Profile
from metacog.engines.base import Sample
from metacog.engines.engine import Engine
from metacog.engines.next_question import until_next
from metacog.engines.requests import Asking, Conversation, Generate, user
from metacog.engines.thinking import before_mark
from metacog.studies import first_with

#: Seconds that a server which limits the rate of requests is waited for while its model is tried.
LIMIT_WAIT = 60.0

#: Questions a new model is tried on, from the bank: it should know most of these.
N_TRIED = 3


@dataclass(frozen=True)
class Tried:
    """One question of the trial run.

    ``unanswered`` if the model was still thinking when its tokens were used up, ``repeated`` if it wrote one of the
    prompt's examples where that is not the answer.
    """

    question: str
    text: str
    accepted: str
    correct: bool
    unanswered: bool = False
    repeated: bool = False


def try_out(entry: ModelEntry, profile: Profile, engine: Engine, prompt_id: str = "") -> tuple[Tried, ...]:
    """Ask three easy questions as the profile asks open ones, or by another prompt."""
    asked = shown_settings(profile)
    prompt, easy = load_prompt(prompt_id or entry.prompt_id(asked["prompt_set"])), _easy(asked)
    cold, marking = (Sample(0.0, 0),), first_with("marking").marking
    assert marking is not None
    answers = engine.generate(
        [prompt.task(q.question, cold, engine) for q in easy],
        max_tokens=asked["max_tokens"],
        stop=prompt.stop,
    )
    tried = []
    for q, (reply,) in zip(easy, answers, strict=True):
        made = before_mark(reply, prompt.mark, q.accepted)
        right = marking.mark(made.text, q.accepted).correct
        again = not right and repeats(made.text + made.ran_on, prompt)
        tried.append(Tried(q.question, made.text, q.accepted[0], right, made.unanswered, again))
    return tuple(tried)


def repeats(text: str, prompt: Prompt) -> bool:
    """Whether a reply is one of its prompt's examples: the answer alone, also behind ``A:``, or with the question."""
    first = re.sub(r"^\w+:\s*", "", text.strip()).partition("\n")[0].strip(" .").casefold()
    return any(first == answer.casefold() or question in text for question, answer in prompt.examples)


def not_its_own(tried: Sequence[Tried]) -> str:
    """Why trial answers are not the model's own, in words that go on from its name; empty if they may be."""
    n = sum(one.repeated for one in tried)
    if 2 * n > len(tried):
        return f"repeated an example of its prompt in {n} of {len(tried)} answers"
    said = {one.text.strip().casefold() for one in tried}
    if len(said) == 1 and len(tried) > 1 and said != {""}:
        return f"gave one and the same answer to {len(tried)} questions"
    return ""


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
    bank = load_questions("bank", shuffle_seed=asked["shuffle_seed"])
    return [q for q in bank if q.tier == 1][:N_TRIED]


def shown_settings(profile: Profile) -> dict[str, Any]:
    """Settings of the profile's first study that asks open questions, on which a new model is tried out."""
    usual = {"prompt_set": "fewshot", "shuffle_seed": 42, "max_tokens": 24}
    block: dict[str, Any] = next((b for b in profile.studies.values() if "datasets" in b), {})
    return {**usual, **block}
