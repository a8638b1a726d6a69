"""One item of the battery, and what a set of items must be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from metacog.core.errors import MetacogError
from metacog.studies.study5_battery.paper import TRACKS

LETTERS = "ABCD"
#: Options that an item of each track has.
N_OPTIONS = {"T1": 2, "T2": 4, "T3": 2, "T4": 2, "T5": 2, "T6": 4}


@dataclass(frozen=True)
class BatteryItem:
    """An item as it is asked of a model.

    ``level`` is empty where a kind has none. A greater ``difficulty`` is harder, among items of one track. T6 alone
    has a ``hint``.
    """

    id: str
    track: str
    item_type: str
    level: str
    difficulty: float
    domain: str
    question: str
    options: tuple[str, ...]
    key: str
    hint: str = ""
    index: int = -1

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(LETTERS[: len(self.options)])


def checked(items: Sequence[BatteryItem], source: str, *, own: bool = True) -> list[BatteryItem]:
    """See that items are whole and different; the error names the first that is not.

    Those of the project (``own``) have as many options as their track takes, others two to four.
    """
    if not items:
        raise MetacogError(f"{source}: there are no items")
    if unknown := sorted({i.track for i in items} - set(TRACKS)):
        raise MetacogError(f"{source}: unknown track {', '.join(unknown)}; there are: {', '.join(TRACKS)}")
    for item in items:
        if problem := _problem(item, own):
            raise MetacogError(f"{source}: item {item.id} {problem}")
    texts = [f"{i.question} [{' / '.join(sorted(i.options))}]" for i in items]
    for what, names in (("id", [i.id for i in items]), ("text", texts)):
        if twice := [name for name, n in Counter(names).items() if n > 1]:
            raise MetacogError(f"{source}: {len(twice)} items have the {what} of another, first: {twice[0]}")
    return list(items)


def _problem(item: BatteryItem, own: bool) -> str:
    """The first thing that is wrong with an item; empty if nothing is."""
    n, takes = len(item.options), N_OPTIONS[item.track]
    wanted = {takes} if own else range(2, len(LETTERS) + 1)
    whole = item.item_type and item.question.strip() and all(o.strip() for o in item.options)
    problems = {
        "has an empty field": not whole,
        f"has {n} options, and {item.track} takes {takes if own else '2 to 4'}": n not in wanted,
        "has two options alike": len({o.casefold() for o in item.options}) < n,
        f"has the key {item.key!r}, which is none of its options": item.key not in item.letters,
        "has no hint": item.track == "T6" and not item.hint.strip(),
    }
    return next((problem for problem, there in problems.items() if there), "")


#: An item of two options that is being made: level, difficulty, domain, question, right and wrong option.
Draft = tuple[str, float, str, str, str, str]


def generated(
    track: str,
    seed: int,
    chance: random.Random,
    kinds: Mapping[str, int],
    drafts: Callable[[str], Iterable[Draft]],
) -> list[BatteryItem]:
    """Items of a track that a seed makes, from ``drafts`` of each kind: right options in balanced places."""
    items: list[BatteryItem] = []
    for name, places in zip(kinds, balanced_keys(list(kinds.values()), 2, chance), strict=True):
        for place, draft in zip(places, drafts(name), strict=True):
            level, difficulty, domain, question, right, wrong = draft
            options = (right, wrong) if place == 0 else (wrong, right)
            own = f"{track}-{seed}-{len(items):03d}"
            about = (level, difficulty, domain, question, options, LETTERS[place])
            items.append(BatteryItem(own, track, name, *about))
    return items


def balanced_keys(counts: Sequence[int], n_options: int, chance: random.Random) -> list[list[int]]:
    """Places of the right option for kinds of so many items: balanced in each kind and over all."""
    drawn_places, start = [], 0
    for n in counts:
        places = [(start + k) % n_options for k in range(n)]
        chance.shuffle(places)
        drawn_places.append(places)
        start += n
    return drawn_places
