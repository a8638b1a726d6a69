"""T4, attention: ambiguous words, with a cue or against one.

Biased competition: Desimone and Duncan, 1995.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from metacog.studies.study5_battery.asking.items.item import BatteryItem, Draft, generated
from metacog.studies.study5_battery.asking.items.written import ambiguous_words

#: How many items of each kind there are.
N = {
    "baseline": 10,
    "dorsal_primed": 20,
    "attentional_capture": 10,
    "ventral_resistance": 10,
    "hard_capture": 5,
    "inhibition_of_return": 5,
}
#: How many cues speak for the other meaning; of the primed items every other one has three.
AGAINST = {"attentional_capture": 3, "ventral_resistance": 4, "hard_capture": 5, "inhibition_of_return": 5}


def attention_items(seed: int) -> list[BatteryItem]:
    """The 60 items of T4: the kinds are fixed, the seed draws words.

    Which meaning of a word is meant changes from form to form, so that forms of which one number is even and
    the other odd have no item in common.
    """
    chance = random.Random(f"attention:{seed}")
    words = ambiguous_words()

    def drafts(name: str) -> Iterator[Draft]:
        for i, pair in enumerate(chance.sample(words, N[name])):
            turned = (words.index(pair) + seed) % 2
            meant, other = pair[turned], pair[1 - turned]
            against = 3 * (i % 2) if name == "dorsal_primed" else AGAINST.get(name, 0)
            question = _question(name, meant, other, against)
            yield "", float(against), "lexical", question, meant.meaning, other.meaning

    return generated("T4", seed, chance, N, drafts)


def _question(name: str, meant: Any, other: Any, against: int) -> str:
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
