"""Items that somebody else wrote, from a file or a folder of files: JSON lines as ours, or a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import reading
from metacog.core.words import listed
from metacog.studies.study5_battery.asking.items.item import LETTERS, BatteryItem, checked
from metacog.studies.study5_battery.asking.items.written import in_lines

#: Columns that a table of items needs, those it may have, and those of its options.
NEEDED = ("id", "track", "item_type", "question", "key")
OPTIONAL = ("level", "domain", "difficulty", "hint")
OPTIONS = tuple(f"option_{letter.lower()}" for letter in LETTERS)
#: A column by which the author's files of responses are known.
ANSWERED = "keep_withdraw"
#: Why these cannot be asked.
NO_ITEMS = (
    "holds responses, not items: questions are missing, or cut after 60 letters on T6, and options and hints are. "
    "The author publishes the items on Kaggle and OSF: put them into a table with the columns "
    f"{listed(NEEDED)}, {listed(OPTIONS[:2])} (to {OPTIONS[-1]}), and hint on T6"
)


def imported(path: Path) -> list[BatteryItem]:
    """Items of a file (``.jsonl`` or ``.csv``), or of all of them below a folder, in the order of their names."""
    files = sorted(one for one in path.rglob("*") if one.suffix in _READERS) if path.is_dir() else [path]
    if not files:
        raise MetacogError(f"{path} holds no items: no file there ends in {listed(_READERS)}")
    if odd := [one.name for one in files if one.suffix not in _READERS]:
        raise MetacogError(
            f"{odd[0]} is no set of items: name a form of the profile, a folder, or a file that ends in "
            f"{' or '.join(_READERS)}"
        )
    found = [item for one in files for item in _READERS[one.suffix](one)]
    return [replace(item, index=i) for i, item in enumerate(checked(found, path.name, own=False))]


def _of_table(path: Path) -> list[BatteryItem]:
    """Items of a table, a row each: the columns :data:`NEEDED` and :data:`OPTIONS`, and others that it may have."""
    with reading(path, "table of items"):
        rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    if ANSWERED in rows.columns:
        raise MetacogError(f"{path.name} {NO_ITEMS}")
    if missing := [name for name in (*NEEDED, *OPTIONS[:2]) if name not in rows.columns]:
        raise MetacogError(f"{path.name} lacks the column {listed(missing)}")
    given = rows.reindex(columns=[*NEEDED, *OPTIONAL, *OPTIONS], fill_value="").to_dict("records")
    return [_item(row, f"{path.name}, line {n}") for n, row in enumerate(given, start=2)]


def _item(row: Mapping[Any, str], where: str) -> BatteryItem:
    try:
        difficulty = float(row["difficulty"] or 0)
    except ValueError:
        raise MetacogError(f"{where}: difficulty must be a number, not {row['difficulty']!r}") from None
    options = [row[name] for name in OPTIONS]
    while options and not options[-1]:
        options.pop()
    texts: dict[str, Any] = {name: row[name] for name in (*NEEDED, "level", "domain", "hint")}
    return BatteryItem(**texts, difficulty=difficulty, options=tuple(options))


_READERS = {".jsonl": in_lines, ".csv": _of_table}
