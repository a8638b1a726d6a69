"""Sentences of the three tasks: drawn by a seed, and for task C with "the" deleted or not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from metacog.collect.questions import Labelled, classes_of, load_labelled
from metacog.core.errors import MetacogError
from metacog.studies.study2_two_choice.asking.deletion import deletable, tidied, without
from metacog.studies.study2_two_choice.asking.wordings import load_wordings
from metacog.studies.study2_two_choice.settings import Settings

#: Probability that a sentence of task C loses a "the".
P_DELETED = 0.5


@dataclass(frozen=True)
class Sentence:
    """One sentence as it is put to a model: stimulus 0 (S1) or 1 (S2), place in the drawn order, name of the task."""

    id: str
    text: str
    stimulus: int
    index: int
    domain: str


def sentences(settings: Settings) -> list[Sentence]:
    """The sentences of one task, of its settings; the same settings give the same ones."""
    task = load_wordings().tasks[settings.task]
    classes = classes_of(settings.source)
    if settings.task != "C" and classes != task.classes:
        raise MetacogError(
            f"task {settings.task} tells {' from '.join(task.classes)}, but the classes of "
            f"{settings.source!r} are {' and '.join(classes) or 'not named'}"
        )
    pool = load_labelled(settings.source)
    if settings.task == "C":
        made = (with_deletion(one, settings.seed, settings.n_deleted, settings.deleted) for one in pool)
        pool = [one for one in made if one is not None]
    drawn = draw(pool, settings.size, settings.seed, balanced=settings.balanced)
    return [Sentence(one.id, one.text, one.label, i, task.name) for i, one in enumerate(drawn)]


def draw(pool: Sequence[Labelled], n: int | None, seed: int, *, balanced: bool) -> list[Labelled]:
    """``n`` sentences in random order; all of them if None, whatever the classes; with ``balanced`` half of each."""
    order = random.Random(seed)
    if n is None:
        return order.sample(pool, len(pool))
    sizes = {0: n // 2, 1: n - n // 2} if balanced else {None: n}
    taken: list[Labelled] = []
    for label, size in sizes.items():
        part = [one for one in pool if label in (None, one.label)]
        what = f" of label {label}" if balanced else ""
        if len(part) < size:
            raise MetacogError(
                f"{size} sentences{what} are wanted and there are {len(part)}: lower n_sentences in the profile"
            )
        taken += order.sample(part, size)
    order.shuffle(taken)
    return taken


def with_deletion(one: Labelled, seed: int, n: int = 1, what: str = "the") -> Labelled | None:
    """Task C's form of a sentence: ``n`` words deleted with probability 0.5, spaces tidied.

    What becomes of a sentence hangs on the seed and its id alone, not on what else is drawn; whether it loses
    any does not hang on ``n`` either. None if the sentence has fewer that may be deleted.
    """
    if len(deletable(one.text, what)) < n:
        return None
    chance = random.Random(f"{seed}:{one.id}")
    deleted = chance.random() < P_DELETED
    text = without(one.text, n, chance, what) if deleted else tidied(one.text)
    return Labelled(f"{one.id}-the", text, int(deleted), one.topic)
