"""Written items (T2, T3 and T6), and the ambiguous words that T4 is made of."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.files import json_lines, reading
from metacog.core.paths import project_root
from metacog.studies.study5_battery.asking.items.item import BatteryItem, checked

FOLDER = "data/items/battery"
#: Files that the items come from.
FILES = (f"{FOLDER}/written-v1.jsonl", f"{FOLDER}/ambiguous-v1.csv")
_TEXTS = ("id", "track", "item_type", "level", "domain", "question", "key")


@cache
def written_items() -> tuple[BatteryItem, ...]:
    """The written items of the repository."""
    return tuple(read_items(project_root() / FILES[0]))


def read_items(path: Path) -> list[BatteryItem]:
    """Items of a file, a JSON object a line.

    Raises
    ------
    MetacogError
        Names the line that is no item, or the item that breaks :func:`.item.checked`.
    """
    with reading(path, "file of items"):
        found = [_item(one, f"{path.name}, line {n}") for n, one in json_lines(path)]
    return checked(found, path.name)


def _item(fields: dict[str, Any], where: str) -> BatteryItem:
    texts: dict[str, Any] = {name: fields.get(name) for name in _TEXTS} | {"hint": fields.get("hint", "")}
    for name, value in texts.items():
        if not isinstance(value, str):
            raise MetacogError(f"{where}: field {name!r} is missing or not a text")
    options, difficulty = fields.get("options"), fields.get("difficulty")
    if not isinstance(options, list) or not all(isinstance(o, str) for o in options):
        raise MetacogError(f"{where}: 'options' must be a list of texts")
    if not isinstance(difficulty, int | float) or isinstance(difficulty, bool):
        raise MetacogError(f"{where}: 'difficulty' must be a number")
    return BatteryItem(**texts, options=tuple(options), difficulty=float(difficulty))


@dataclass(frozen=True)
class Sense:
    """One meaning of an ambiguous word: its topic, a sentence that settles it, and words that call it up."""

    word: str
    meaning: str
    topic: str
    sentence: str
    cues: tuple[str, ...]


@cache
def ambiguous_words() -> tuple[tuple[Sense, Sense], ...]:
    """Words with two meanings each.

    Raises
    ------
    MetacogError
        If the file is missing, or a word does not have two meanings.
    """
    path = project_root() / FILES[1]
    try:
        with open(path, encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
        words: dict[str, list[Sense]] = {}
        for row in rows:
            sense = Sense(
                row["word"], row["meaning"], row["topic"], row["sentence"], tuple(row["cues"].split(";"))
            )
            words.setdefault(sense.word, []).append(sense)
    except FileNotFoundError:
        raise MetacogError(f"there are no words at {path}: restore the file from the repository") from None
    except (KeyError, AttributeError):
        raise MetacogError(
            f"{path.name}: expected the columns word, sense, meaning, topic, sentence, cues"
        ) from None
    if odd := [word for word, senses in words.items() if len(senses) != 2]:
        raise MetacogError(f"{path.name}: {odd[0]!r} must have two meanings")
    return tuple((first, second) for first, second in words.values())
