"""T1, learning: worlds whose nonce words follow a rule that only examples show.

A word names all things of one shape, or of one colour, or of one stuff. Who has seen that several words go by
shape can extend a new word from one example (an overhypothesis: Kemp, Perfors and Tenenbaum, 2007). The wrong
option shares other features with the example.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metacog.studies.study5_battery.asking.items.item import BatteryItem, Draft, generated

#: Features of a thing, in the order in which they are named, with values; neighbours in a list are alike.
FEATURES = {
    "shape": (
        *("round", "egg-shaped", "square", "diamond-shaped"),
        *("star-shaped", "cross-shaped", "long", "rod-like"),
    ),
    "colour": ("red", "orange", "blue", "purple", "white", "grey", "green", "yellow"),
    "stuff": ("wooden", "cork", "stone", "clay", "iron", "copper", "paper", "linen"),
}
_STARTS = ("tol", "mip", "gor", "sen", "fal", "plo", "bri", "quo", "zam", "vel", "dro", "kul", "hes", "wom")
_ENDS = ("vek", "rit", "dap", "nug", "zil", "foth", "mork", "bick", "zand", "pund", "gorf", "lunt")
_FILLERS = (
    "It rained all day.",
    "The market opens at eight.",
    "A cart went by.",
    "Somebody was singing.",
    "The bells rang twice.",
    "Dinner was late.",
)
Thing = dict[str, str]


@dataclass(frozen=True)
class Kind:
    """How items of one kind are made, ``n`` of them.

    The rule of so many ``words`` is shown before the new word, by ``examples`` of each. The wrong option shares so
    many features (``shared``) with the example of the word asked about. ``twist`` is what is peculiar about the kind.
    """

    n: int
    level: str
    words: int
    examples: int
    shared: int
    twist: str = ""

    @property
    def difficulty(self) -> float:
        """Features for the wrong option, and less the more examples there are; twists count one."""
        return round(self.shared + bool(self.twist) + 1 / max(self.words * self.examples, 1), 3)


KINDS = {
    "first_order": Kind(16, "standard", 1, 3, 1),
    "second_order": Kind(16, "standard", 3, 3, 1),
    "second_order_reduced": Kind(8, "reduced_exemplar", 3, 2, 1),
    "second_order_minimal": Kind(8, "minimal_prompt", 3, 3, 1, "terse"),
    "minimal_exemplar": Kind(8, "", 1, 2, 1),
    "same_dimension_foil": Kind(4, "same_dimension", 3, 3, 2, "near"),
    "feature_swap": Kind(6, "feature_swap", 2, 2, 1, "swap"),
    "interference": Kind(6, "interference", 3, 2, 1, "fillers"),
    "scrambled_control": Kind(6, "scrambled", 3, 2, 1, "scrambled"),
    "adversarial_foil": Kind(6, "", 3, 3, 2),
    "competing_overhypothesis": Kind(8, "", 3, 2, 1, "competing"),
    "cross_domain_interference": Kind(6, "", 2, 2, 1, "domains"),
}


def world_items(seed: int) -> list[BatteryItem]:
    """The 98 items of T1: the kinds and their difficulty are fixed, the seed draws words and things."""
    chance = random.Random(f"worlds:{seed}")

    def drafts(name: str) -> Iterator[Draft]:
        kind = KINDS[name]
        for i in range(kind.n):
            rule = list(FEATURES)[i % len(FEATURES)]
            yield kind.level, kind.difficulty, rule, *_World(chance, rule).item(name, kind)

    return generated("T1", seed, chance, {name: kind.n for name, kind in KINDS.items()}, drafts)


def stated(thing: Thing, noun: str = "thing") -> str:
    return " ".join((*(thing[f] for f in FEATURES), noun))


def article(text: str) -> str:
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def listed(things: Sequence[Thing], noun: str = "thing") -> str:
    return "; ".join(article(stated(t, noun)) for t in things)


def block(word: str, things: Sequence[Thing], noun: str) -> str:
    return f"These are {word}s: {listed(things, noun)}."


class _World:
    """One language: nonce words and things, drawn as they are needed."""

    def __init__(self, chance: random.Random, rule: str) -> None:
        self.chance = chance
        self.rule = rule
        starts, ends = chance.sample(_STARTS, 9), chance.sample(_ENDS, 9)
        self.words = [f"{a}{b}" for a, b in zip(starts, ends, strict=True)]
        self.values = {name: self._unlike(values) for name, values in FEATURES.items()}
        self.other = chance.choice([name for name in FEATURES if name != rule])

    def _unlike(self, values: Sequence[str]) -> list[str]:
        """One value of each pair of neighbours, in random order; each is used once, so none is like another."""
        chosen = [self.chance.choice(values[k : k + 2]) for k in range(0, len(values), 2)]
        return self.chance.sample(chosen, len(chosen))

    def item(self, name: str, kind: Kind) -> tuple[str, str, str]:
        noun, foreign = ("cup", "cloth") if kind.twist == "domains" else ("thing", "cloth")
        if name == "first_order":
            word, shown = self.words[0], self.things(self.rule, kind.examples)
            asked = f"In a foreign language these are {word}s: {listed(shown)}. Which is also a {word}?"
            return asked, *self.options(shown[0], kind)
        blocks = self.evidence(kind, noun, foreign)
        probe, word = {**self.thing(), self.rule: self.values[self.rule].pop()}, self.words[-1]
        options = self.options(probe, kind, noun)
        if kind.twist == "terse":
            return f"{'; '.join(blocks)}; {word} = {stated(probe)}. Also {word}:", *options
        text = " ".join(blocks)
        asked = f"This is a {word}: {article(stated(probe, noun))}. Which of these is also a {word}?"
        return f"In a foreign language words follow a rule. {text} {asked}", *options

    def thing(self) -> Thing:
        return {name: self.chance.choice(values) for name, values in FEATURES.items()}

    def things(self, rule: str, n: int) -> list[Thing]:
        """So many things alike in one feature, by a new value of it, and different in the others."""
        value = self.values[rule].pop()
        free = {
            f: self.chance.sample([v for v in FEATURES[f] if f != rule], n) for f in FEATURES if f != rule
        }
        return [{f: value if f == rule else free[f][k] for f in FEATURES} for k in range(n)]

    def evidence(self, kind: Kind, noun: str, foreign: str) -> list[str]:
        subset = [(word, self.things(self.rule, kind.examples)) for word in self.words[: kind.words]]
        if kind.twist == "terse":
            return [f"{word} = " + ", ".join(stated(t) for t in things) for word, things in subset]
        if kind.twist == "scrambled":
            single = [
                f"{article(stated(t)).capitalize()} is a {word}." for word, things in subset for t in things
            ]
            return self.chance.sample(single, len(single))
        shown = [block(word, things, noun) for word, things in subset]
        if kind.twist == "fillers":
            fillers = self.chance.sample(_FILLERS, len(shown))
            return [part for pair in zip(shown, fillers, strict=True) for part in pair]
        more = self.words[kind.words : 2 * kind.words]
        if kind.twist == "competing":
            against = block(more[0], self.things(self.other, kind.examples), noun)
            shown.insert(self.chance.randrange(len(shown)), against)
            return [*shown, "Most words go by the same feature."]
        if kind.twist == "domains":
            rest = [block(word, self.things(self.other, kind.examples), foreign) for word in more]
            return [part for pair in zip(shown, rest, strict=True) for part in pair]
        if kind.twist == "swap":
            rest = [block(word, self.things(self.other, kind.examples), noun) for word in more]
            today = "So it was in the old days. Today another rule holds."
            return [*rest, today, *shown, "Today's rule counts."]
        return shown

    def options(self, example: Thing, kind: Kind, noun: str = "thing") -> tuple[str, str]:
        """A thing that follows the rule, and one that shares so many other features with the example."""
        remaining = [f for f in FEATURES if f != self.rule]
        kept = [self.other] if kind.shared == 1 else remaining
        right = {f: example[f] if f == self.rule else self.another(f, example[f]) for f in FEATURES}
        wrong = {f: example[f] if f in kept else self.another(f, example[f], right[f]) for f in FEATURES}
        if kind.twist == "near":
            values = FEATURES[self.rule]
            wrong[self.rule] = values[values.index(example[self.rule]) ^ 1]
        return f"the {stated(right, noun)}", f"the {stated(wrong, noun)}"

    def another(self, feature: str, *but: str) -> str:
        """A value that is none of these, nor like them."""
        values = FEATURES[feature]
        near = {values[values.index(v) ^ 1] for v in but}
        return self.chance.choice([v for v in values if v not in {*but, *near}])
