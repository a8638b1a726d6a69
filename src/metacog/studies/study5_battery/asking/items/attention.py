"""T4, attention: ambiguous words, with a cue or against one.

Biased competition: Desimone and Duncan, 1995.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from metacog.studies.study5_battery.asking.items.item import BatteryItem, balanced_keys, placed
from metacog.studies.study5_battery.asking.items.written import Sense, ambiguous_words


@dataclass(frozen=True)
class Kind:
    """How many items of a kind there are, and how many cues speak for the other meaning."""

    n: int
    against: int
    made_by: str = ""


KINDS = {
    "baseline": Kind(10, 0),
    "dorsal_primed": Kind(20, 0),  # half of it with three cues against the goal
    "attentional_capture": Kind(10, 3),
    "ventral_resistance": Kind(10, 4),
    "hard_capture": Kind(5, 5),
    "inhibition_of_return": Kind(5, 5),
}


def attention_items(seed: int) -> list[BatteryItem]:
    """The 60 items of T4: the kinds are fixed, the seed draws words.

    Which meaning of a word is meant changes from form to form, so that forms of which one number is even and
    the other odd have no item in common.
    """
    chance = random.Random(f"attention:{seed}")
    words = ambiguous_words()
    keys = balanced_keys([kind.n for kind in KINDS.values()], 2, chance)
    items: list[BatteryItem] = []
    for (name, kind), places in zip(KINDS.items(), keys, strict=True):
        drawn = chance.sample(words, kind.n)
        for i, (pair, place) in enumerate(zip(drawn, places, strict=True)):
            turned = (words.index(pair) + seed) % 2
            meant, other = pair[turned], pair[1 - turned]
            against = 3 * (i % 2) if name == "dorsal_primed" else kind.against
            options, key = placed(meant.meaning, other.meaning, place)
            items.append(
                BatteryItem(
                    f"T4-{seed}-{len(items):03d}",
                    "T4",
                    name,
                    "",
                    float(against),
                    "lexical",
                    _question(name, meant, other, against),
                    options,
                    key,
                )
            )
    return items


def _question(name: str, meant: Sense, other: Sense, against: int) -> str:
    word = f'"{meant.word}"'
    cues, loud = " ".join(other.cues), " ".join(cue.upper() + "!" for cue in other.cues)
    match name:
        case "baseline":
            return f"{meant.sentence} What does {word} mean here?"
        case "dorsal_primed":
            before = cues if against else " ".join(meant.cues)
            return (
                f"Your task: take every word as it is meant when one speaks of {meant.topic}, whatever "
                f"stands beside it. {before} {meant.word}. What does {word} mean by this task?"
            )
        case "attentional_capture":
            return f"{loud} {meant.sentence} What does {word} mean in this sentence?"
        case "ventral_resistance":
            return (
                f"Pay no heed to words in capitals. {other.topic.upper()}! {loud} {meant.sentence} {loud} "
                f"What does {word} mean in the sentence?"
            )
        case "hard_capture":
            return (
                f"{other.sentence} {loud} {other.topic.upper()}! Next page: {meant.sentence} What does "
                f"{word} mean on the next page?"
            )
        case _:
            return (
                f"First: {meant.sentence} Second: {other.sentence} {loud} Now go back. What does {word} "
                "mean in the first sentence?"
            )
