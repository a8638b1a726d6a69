"""Multiple-choice questions, and the binary questions made of them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from metacog.core.errors import MetacogError

#: What the two options of a binary choice are called.
LABELS = ("A", "B")

#: In which orders a pairing is asked; ``every``: both, also of what is else asked as it is given.
ORDERS = ("both", "one", "every")


@dataclass(frozen=True)
class MultipleChoice:
    """A question with given options; ``key`` is the place of the right one.

    ``as_is``: two options that are asked once, in the order given (True or False), unless every order is asked.
    """

    id: str
    question: str
    options: tuple[str, ...]
    key: int
    domain: str = ""
    as_is: bool = False


@dataclass(frozen=True)
class BinaryQuestion:
    """A question with its right option and one wrong one."""

    #: Of the base question, the pairing and the order.
    id: str
    #: The base question, which its pairings and orders repeat; what intervals resample.
    base: str
    question: str
    options: tuple[str, str]
    #: Place of the right option: 0 for A, 1 for B.
    stimulus: int
    #: Which wrong option, counted from 0 among the base question's wrong ones.
    pairing: int
    domain: str = ""
    index: int = 0

    @property
    def key(self) -> str:
        return LABELS[self.stimulus]

    @property
    def wrong(self) -> str:
        return LABELS[1 - self.stimulus]

    def text(self, label: str) -> str:
        return self.options[LABELS.index(label)]


def binary_questions(
    questions: Iterable[MultipleChoice],
    *,
    n_pairings: int | None = None,
    orders: str = "both",
    seed: int = 42,
) -> list[BinaryQuestion]:
    """The right option with each wrong one, in both orders.

    ``n_pairings``: so many wrong options a question, drawn by the seed and the question's id alone; all of them if
    None; ``orders``: ``both``, ``every``, or ``one``: the right option first in every other pairing, so that over an
    even number of them it stands as often first as last.

    A pairing comes twice, or once; a question that is used as it is comes once, unless ``orders`` is ``every``.
    """
    if orders not in ORDERS:
        raise MetacogError(f"orders must be {', '.join(ORDERS[:-1])} or {ORDERS[-1]}, not {orders!r}")
    found: list[BinaryQuestion] = []
    n_paired = 0
    for one in questions:
        if one.as_is and orders != "every":
            options = (one.options[0], one.options[1])
            found.append(
                BinaryQuestion(one.id, one.id, one.question, options, one.key, 0, one.domain, len(found))
            )
            continue
        wrong = [place for place in range(len(one.options)) if place != one.key]
        drawn = list(range(len(wrong)))
        if n_pairings is not None and n_pairings < len(wrong):
            drawn = sorted(random.Random(f"{seed}:{one.id}").sample(drawn, n_pairings))
        for pairing in drawn:
            right, other = one.options[one.key], one.options[wrong[pairing]]
            ordered = ((0, (right, other)), (1, (other, right)))
            n_paired += 1
            for stimulus, options in ordered if orders != "one" else ordered[1 - n_paired % 2 :][:1]:
                name = f"{one.id}.{pairing}{'ab'[stimulus]}"
                found.append(
                    BinaryQuestion(
                        name, one.id, one.question, options, stimulus, pairing, one.domain, len(found)
                    )
                )
    return found
