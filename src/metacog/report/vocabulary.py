"""What the columns of results are called: one dictionary for the whole book, ``vocabulary.yaml`` beside this file."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import yaml

from metacog.core.config import SafeLoader

#: The dictionary.
FILE = Path(__file__).with_suffix(".yaml")
#: The column that tells two runs of one page apart.
RUN = "run"
#: Decimals of a column for which none are named.
DIGITS = 3


@dataclass(frozen=True)
class Term:
    """What readers are told of a column, whose numbers have so many ``digits``.

    Attributes
    ----------
    meaning : str
        What is meant, where the title does not say it.
    values : mapping
        What its values are called, where results hold short names.
    fixed : bool
        Whether these have the same colours in every figure, by their order here.
    neutral : str
        The value that stands for none of the others, drawn in grey.
    """

    title: str
    digits: int = DIGITS
    unit: str = ""
    meaning: str = ""
    values: Mapping[str | bool, str] = field(default_factory=dict)
    fixed: bool = False
    neutral: str = ""


@functools.cache
def vocabulary() -> dict[str, Term]:
    """Every column that has an entry."""
    text = FILE.read_text(encoding="utf-8")
    return {name: Term(**entry) for name, entry in yaml.load(text, Loader=SafeLoader).items()}


def term(name: str) -> Term:
    """What a column is called; one without an entry goes by its own name."""
    return vocabulary().get(name) or Term(name.replace("_", " "))


def title_of(name: str, titles: Mapping[str, str] | None = None) -> str:
    """The title of a column, or the one that is given for it."""
    return (titles or {}).get(name) or term(name).title


def named(frame: pd.DataFrame, name: str) -> pd.Series:
    """A column with its values as readers call them."""
    values = term(name).values
    if not values:
        return frame[name]
    return frame[name].map(lambda value: values.get(value, value) if isinstance(value, str | bool) else value)


def ends_of(frame: pd.DataFrame, name: str) -> tuple[str, str] | None:
    """The columns with the ends of a column's interval: ``NAME_lower`` and ``NAME_upper``; None without them."""
    ends = f"{name}_lower", f"{name}_upper"
    return ends if ends[0] in frame and ends[1] in frame else None
