"""Sentences of the three tasks: drawn by a seed, and for task C with one "the" deleted or not."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from metacog.collect.labelled import Labelled, classes_of, load_labelled
from metacog.core.errors import MetacogError
from metacog.studies.study2_two_choice.asking.wordings import Wordings, load_wordings
from metacog.studies.study2_two_choice.settings import Settings

#: Probability that one "the" is deleted in task C.
P_DELETED = 0.5

_THE = re.compile(r"(?<![\w'’-])the(?![\w'’-])", re.IGNORECASE)
_BEFORE_MARK = re.compile(r"\s+([,.;:!?])")


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
        pool = [made for one in pool if (made := with_deletion(one, settings.seed)) is not None]
    drawn = draw(pool, settings.n_sentences, settings.seed, balanced=settings.balanced)
    return [Sentence(one.id, one.text, one.label, i, task.name) for i, one in enumerate(drawn)]


def draw(pool: Sequence[Labelled], n: int, seed: int, *, balanced: bool) -> list[Labelled]:
    """``n`` sentences in random order; with ``balanced`` half of each class.

    Raises
    ------
    MetacogError
        If there are too few.
    """
    order = random.Random(seed)
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


def with_deletion(one: Labelled, seed: int) -> Labelled | None:
    """Task C's form of a sentence: one stand-alone "the" deleted with probability 0.5, spaces tidied.

    What becomes of a sentence hangs on the seed and its id alone, not on what else is drawn. A deletion
    at the beginning leaves the next word as it is written. None if the sentence has no "the".
    """
    found = list(_THE.finditer(one.text))
    if not found:
        return None
    chance = random.Random(f"{seed}:{one.id}")
    deleted = chance.random() < P_DELETED
    text = one.text
    if deleted:
        the = chance.choice(found)
        text = text[: the.start()] + text[the.end() :]
    return Labelled(f"{one.id}-the", tidied(text), int(deleted), one.topic)


def tidied(text: str) -> str:
    """Single spaces, and none before a mark."""
    return _BEFORE_MARK.sub(r"\1", " ".join(text.split()))
