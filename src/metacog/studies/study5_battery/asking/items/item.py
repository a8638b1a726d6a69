"""One item of the battery, and what a set of items must be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from metacog.core.errors import MetacogError
from metacog.studies.study5_battery.paper import TRACKS

LETTERS = "ABCD"
#: Options that an item of each track has.
N_OPTIONS = {"T1": 2, "T2": 4, "T3": 2, "T4": 2, "T5": 2, "T6": 4}


@dataclass(frozen=True)
class BatteryItem:
    """An item as it is asked of a model.

    Attributes
    ----------
    id : str
    track, item_type, level : str
        As in the study's files; ``level`` is empty where a kind has none.
    difficulty : float
        Greater is harder; compares items of one track alone.
    domain, question : str
    options : tuple of str
    key : str
        Letter of the right option.
    hint : str
        T6 alone.
    index : int
        Place in the battery.
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
        """Letters of the options."""
        return tuple(LETTERS[: len(self.options)])

    @property
    def text(self) -> str:
        """Question and lettered options, an option a line."""
        lines = (f"{letter}) {option}" for letter, option in zip(self.letters, self.options, strict=True))
        return "\n".join((self.question, *lines))

    @property
    def plain(self) -> str:
        """Question and options without letters, an option a line."""
        return "\n".join((self.question, *(f"- {option}" for option in self.options)))


def checked(items: Sequence[BatteryItem], source: str = "the items") -> list[BatteryItem]:
    """See that items are whole and different.

    Raises
    ------
    MetacogError
        An unknown track; an empty field; a wrong number of options or two alike; a key that is no option; a
        hint missing on T6; two items of one id, or of one question with the same options. Names the item.
    """
    if not items:
        raise MetacogError(f"{source}: there are no items")
    if unknown := sorted({i.track for i in items} - set(TRACKS)):
        raise MetacogError(f"{source}: unknown track {', '.join(unknown)}; there are: {', '.join(TRACKS)}")
    for item in items:
        if problem := _problem(item):
            raise MetacogError(f"{source}: item {item.id} {problem}")
    for what, names in (
        ("id", [i.id for i in items]),
        ("text", [f"{i.question} [{' / '.join(sorted(i.options))}]" for i in items]),
    ):
        twice = [name for name, n in Counter(names).items() if n > 1]
        if twice:
            raise MetacogError(f"{source}: {len(twice)} items have the {what} of another, first: {twice[0]}")
    return list(items)


def _problem(item: BatteryItem) -> str:
    if not (item.item_type and item.question.strip() and all(o.strip() for o in item.options)):
        return "has an empty field"
    if len(item.options) != N_OPTIONS[item.track]:
        return f"has {len(item.options)} options, and {item.track} takes {N_OPTIONS[item.track]}"
    if len({o.casefold() for o in item.options}) < len(item.options):
        return "has two options alike"
    if item.key not in item.letters:
        return f"has the key {item.key!r}, which is none of its options"
    if item.track == "T6" and not item.hint.strip():
        return "has no hint"
    return ""


def balanced_keys(counts: Sequence[int], n_options: int, chance: random.Random) -> list[list[int]]:
    """Places of the right option for kinds of so many items: balanced in each kind and over all.

    Examples
    --------
    >>> sorted(sum(balanced_keys([3, 5], 2, random.Random(1)), []))
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    drawn_places, start = [], 0
    for n in counts:
        places = [(start + k) % n_options for k in range(n)]
        chance.shuffle(places)
        drawn_places.append(places)
        start += n
    return drawn_places


def placed(right: str, wrong: str, place: int) -> tuple[tuple[str, str], str]:
    """Two options with the right one at a place, and its letter."""
    return ((right, wrong) if place == 0 else (wrong, right)), LETTERS[place]
