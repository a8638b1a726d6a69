"""Binary questions of a set: base questions drawn by seed, with their pairings and orders."""

from __future__ import annotations

import random
from functools import lru_cache

from metacog.collect.choices import BinaryQuestion, MultipleChoice, binary_questions
from metacog.collect.published_choices import load_choices, sound
from metacog.studies.study3_dmc.settings import Settings

#: Questions that a generator makes at least, so that a larger sample holds a smaller one.
POOL = 250


@lru_cache(maxsize=32)
def drawn(
    source: str, seed: int, n: int | None, orders: str = "both"
) -> tuple[tuple[MultipleChoice, ...], dict[str, int]]:
    """The first ``n`` base questions of a set in the seed's order, or all, and how many cannot be asked, by reason.

    With both orders twice as many are kept of a set that is used as it is, whose questions have one.
    """
    pool, faults = sound(load_choices(source, n=max(POOL, 2 * (n or 0)), seed=seed), source)
    order = sorted(pool, key=lambda one: one.id)
    random.Random(f"{seed}:{source}").shuffle(order)
    if n is not None:
        twice = orders == "both" and all(one.as_is for one in order)
        order = order[: 2 * n if twice else n]
    return tuple(order), faults


def items(settings: Settings, n: int | None) -> list[BinaryQuestion]:
    """Binary questions of ``n`` base questions of a set; fewer if it has fewer."""
    questions, _ = drawn(settings.source, settings.seed, n, settings.orders)
    return binary_questions(
        questions, n_pairings=settings.n_pairings, orders=settings.orders, seed=settings.seed
    )
