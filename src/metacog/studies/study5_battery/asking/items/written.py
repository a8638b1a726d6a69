"""Written items (T2, T3 and T6), and the ambiguous words that T4 is made of."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import json_lines, reading
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.studies.study5_battery.asking.items.item import BatteryItem, checked

FOLDER = "data/items/battery"
#: Files that the items come from.
FILES = (f"{FOLDER}/written-v1.jsonl", f"{FOLDER}/ambiguous-v1.csv")
_TEXTS = ("id", "track", "item_type", "level", "domain", "question", "key")


@cache
def written_items() -> tuple[BatteryItem, ...]:
    return tuple(read_items(project_root() / FILES[0]))


def read_items(path: Path) -> list[BatteryItem]:
    """Items of a file, a JSON object a line; the error names the line, or the item, that is none."""
    return checked(in_lines(path), path.name)


def in_lines(path: Path) -> list[BatteryItem]:
    with reading(path, "file of items"):
        return [_item(one, f"{path.name}, line {n}") for n, one in json_lines(path)]


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


@cache
def ambiguous_words() -> tuple[tuple[Any, Any], ...]:
    """Words with two meanings each: ``word, meaning, topic``, a ``sentence`` that settles it, and ``cues`` to it."""
    path = project_root() / FILES[1]
    with reading(path, "table of words"):
        rows = pd.read_csv(path, dtype=str, keep_default_na=False)
        rows = rows.assign(cues=rows["cues"].str.split(";").map(tuple))
        words = {word: rows_of(senses) for word, senses in rows.groupby("word", sort=False)}
    if odd := [word for word, senses in words.items() if len(senses) != 2]:
        raise MetacogError(f"{path.name}: {odd[0]!r} must have two meanings")
    return tuple((first, second) for first, second in words.values())
