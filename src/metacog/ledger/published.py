"""Published files: every figure as the text it was printed as, because its last digit matters.

The files are ``data/published/PREFIXname.csv``. They drop trailing zeros (0.6 for a printed 0.600), so the
last printed digit is that of a column's finest entry. Columns that hold the ends of intervals are called
``lower`` and ``upper`` here, whatever the file calls them.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import published_file
from metacog.ledger.tolerances import half_last_digit

_TRUTH = {"True": 1.0, "False": 0.0}


def number(text: str) -> float:
    """A printed figure as a number; ``True`` is 1 and ``False`` 0."""
    return _TRUTH[text] if text in _TRUTH else float(text)


@dataclass(frozen=True)
class Published:
    """The published files of one study, whose names below ``data/published`` begin with a prefix."""

    prefix: str

    def file(self, name: str) -> str:
        """Name of a file below ``data/published``."""
        return f"{self.prefix}{name}.csv"

    def as_text(self, name: str) -> pd.DataFrame:
        """A file with every entry as the text that stands there."""
        return _texts(self.file(name)).copy()

    def as_numbers(self, name: str) -> pd.DataFrame:
        """The same with numbers in every column of figures, and booleans in every column of verdicts."""
        frame, figures = self.as_text(name), _figures(self.file(name))
        for column in frame.columns:
            if frame[column].isin(list(_TRUTH)).all():
                frame[column] = frame[column] == "True"
            elif column in figures:
                frame[column] = pd.to_numeric(frame[column])
        return frame

    def precision(self, name: str, *columns: str) -> float:
        """Half the last digit of the finest entry of some columns; of all columns of figures without one."""
        return _finest(self.file(name), columns)

    def row(self, name: str, **keys: str) -> Any:
        """The one row of a file, as text, whose columns hold these entries."""
        frame = self.as_text(name)
        for column, entry in keys.items():
            frame = frame[frame[column] == entry]
        if len(frame) != 1:
            named = ", ".join(f"{column} {entry!r}" for column, entry in keys.items())
            raise MetacogError(f"{self.file(name)}: {len(frame)} rows with {named} instead of one")
        return rows_of(frame)[0]

    def figures(self, name: str, identifying: Container[str]) -> pd.DataFrame:
        """Every figure of a file as it stands there, row by row: ``table, keys, quantity, published``.

        ``keys`` are a row's entries of the ``identifying`` columns; every other column is a quantity.
        """
        frame = _read(self.file(name))
        keys = [column for column in frame if column in identifying]
        texts: Any = frame.set_index(keys).rename_axis(columns="quantity").stack()
        rows = [(name, index[:-1], index[-1], text) for index, text in texts.items()]
        return pd.DataFrame(rows, columns=["table", "keys", "quantity", "published"])


@cache
def _read(file: str) -> pd.DataFrame:
    return pd.read_csv(published_file(file), dtype=str, keep_default_na=False)


@cache
def _texts(file: str) -> pd.DataFrame:
    return _read(file).rename(columns=end_name)


@cache
def _figures(file: str) -> list[str]:
    """Columns that hold numbers, with or without gaps."""
    frame = _texts(file)
    known = {str(column): texts[texts != ""] for column, texts in frame.items()}
    return [
        column
        for column, texts in known.items()
        if len(texts) and pd.to_numeric(texts, errors="coerce").notna().all()
    ]


@cache
def _finest(file: str, columns: tuple[str, ...]) -> float:
    texts = _texts(file)[list(columns or _figures(file))].to_numpy().ravel()
    return min(half_last_digit(text) for text in set(texts) - {""})


def end_name(column: str) -> str:
    """``lower`` for ``ci_lo`` and ``lo``, ``mi_lower`` for ``mi_lo``; likewise with ``hi``."""
    match = re.fullmatch(r"(?:ci_)?((?:\w+_)?)(lo|hi)", column)
    return column if match is None else match[1] + {"lo": "lower", "hi": "upper"}[match[2]]
