"""Sentences of the three tasks: drawn by a seed, and for task C with "the" deleted or not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from metacog.collect.questions import Labelled, classes_of, load_labelled
from metacog.core.errors import MetacogError
from metacog.studies.study2_two_choice.asking.deletion import deletable, tidied, without
from metacog.studies.study2_two_choice.asking.wordings import Wordings, load_wordings
from metacog.studies.study2_two_choice.settings import Settings

#: Probability that a sentence of task C loses a "the".
P_DELETED = 0.5


@dataclass(frozen=True)
class Sentence:
    """One sentence as it is put to a model.

    Attributes
    ----------
    id : str
    text : str
    stimulus : int
        0 (S1) or 1 (S2).
    index : int
        Place in the drawn order.
    domain : str
        Name of the task.
    """

    id: str
    text: str
    stimulus: int
    index: int
    domain: str


def sentences(settings: Settings, wordings: Wordings | None = None) -> list[Sentence]:
    """The sentences of one task; the same settings give the same ones.

    Parameters
    ----------
    settings : Settings
        Of one task (``settings.task`` and ``settings.source``).
    wordings : Wordings, optional

    Raises
    ------
    MetacogError
        If the set's classes are not the task's, or it has too few sentences.
    """
    task = (wordings or load_wordings()).tasks[settings.task]
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
    drawn = draw(pool, settings.n_sentences, settings.seed, balanced=settings.balanced)
    return [Sentence(one.id, one.text, one.label, i, task.name) for i, one in enumerate(drawn)]


def draw(pool: Sequence[Labelled], n: int | None, seed: int, *, balanced: bool) -> list[Labelled]:
    """``n`` sentences in random order, all of them if None; with ``balanced`` half of each class.

    All are all, whatever the classes.

    Raises
    ------
    MetacogError
        If there are too few.
    """
    order = random.Random(seed)
    if n is None:
        return order.sample(pool, len(pool))
    parts: list[tuple[str, list[Labelled], int]] = [("", list(pool), n)]
    if balanced:
        sizes = (n // 2, n - n // 2)
        parts = [
            (f" of label {label}", [one for one in pool if one.label == label], sizes[label])
            for label in (0, 1)
        ]
    taken: list[Labelled] = []
    for what, part, size in parts:
        if len(part) < size:
            raise MetacogError(
                f"{size} sentences{what} are wanted and there are {len(part)}: lower n_sentences"
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
