"""What an import keeps in its folder: tables as NAME.csv, and results that a file may not allow."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.studies.codec import RECORD, read_record, write_record

#: Columns of words, some of which may be numbers or say NA.
_WORDS = (
    "model",
    "domain",
    "signal",
    "first",
    "second",
    "condition",
    "part",
    "group",
    "method",
    "reason",
    "counted",
)
_EMPTY = {"flag": "", "why": ""}
_TEXTS = dict.fromkeys((*_WORDS, *_EMPTY), str)
BEFORE = "it was imported before this page had this part; run `metacog import-trials` again"


def write_tables(folder: Path, tables: Mapping[str, pd.DataFrame], names: Iterable[str]) -> None:
    """Write the tables of these names; where there is none, that of an earlier import goes."""
    for name in names:
        if name in tables:
            tables[name].to_csv(folder / f"{name}.csv", index=False)
        else:
            (folder / f"{name}.csv").unlink(missing_ok=True)


def read_tables(folder: Path, names: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Those of the tables that were written; what is flagged, and why, is empty text where nothing stands."""
    there = {name: folder / f"{name}.csv" for name in names if (folder / f"{name}.csv").is_file()}
    return {
        name: pd.read_csv(path, dtype=_TEXTS, keep_default_na=False, na_values=[""]).fillna(_EMPTY)
        for name, path in there.items()
    }


@dataclass(frozen=True)
class Kept:
    """A result, or why a file allows none (what the page shows is then empty), and what was left out for it."""

    result: Any
    why_not: str = ""
    notes: tuple[str, ...] = ()

    #: Its folder below the import's, and its place in ``import.json``.
    place: ClassVar[str]

    @property
    def facts(self) -> dict[str, Any]:
        return {"why_not": self.why_not, "notes": list(self.notes)}

    def write(self, folder: Path) -> None:
        """Store the result below an import's folder, in the place of an earlier one."""
        shutil.rmtree(folder / self.place, ignore_errors=True)
        if self.result is not None:
            (folder / self.place).mkdir(parents=True)
            write_record(self.result, folder / self.place, {})

    @classmethod
    def read(cls, folder: Path, facts: Mapping[str, Any]) -> Self:
        told = facts.get(cls.place, {"why_not": BEFORE})
        stored = folder / cls.place
        try:
            result = read_record(stored) if (stored / RECORD).is_file() else None
        except MetacogError:  # damaged, or stored by a release whose results had other fields
            return cls(None, BEFORE)
        return cls(result, told["why_not"] if result is None else "", tuple(told.get("notes", ())))
