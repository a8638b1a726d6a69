"""A verdict is computed: the rule it was judged by, whether it passed, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import pandas as pd

#: How a sentence says an outcome.
IN_WORDS = {True: "supported", False: "not supported", None: "undecided"}


class Kind(StrEnum):
    """What sort of rule a verdict was judged by."""

    PREREGISTERED = "pre-registered"
    SOUND = "sound counterpart"
    EXPLORATORY = "exploratory"
    BESIDE = "published beside ours"
    FINDING = "finding"


@dataclass(frozen=True)
class Verdict:
    """One judgement.

    Attributes
    ----------
    hypothesis : str
        For instance ``H2`` or ``R5``.
    kind : Kind
    rule : str
        The rule in words.
    passed : bool or None
        None where the data cannot decide.
    sentence : str
        What the data say.
    topic : str
        What sets verdicts of one hypothesis and kind apart, where a page shows them in different places.
    """

    hypothesis: str
    kind: Kind
    rule: str
    passed: bool | None
    sentence: str
    topic: str = ""

    def under(self, topic: str) -> Verdict:
        """The same verdict under a topic."""
        return replace(self, topic=topic)


def drawn(*verdicts: Verdict | None) -> tuple[Verdict, ...]:
    """Those that were drawn: a run that is too small draws none."""
    return tuple(v for v in verdicts if v is not None)


def listed(names: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``; ``none`` for nothing."""
    items = [str(n) for n in names]
    if not items:
        return "none"
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def rows_of(frame: pd.DataFrame) -> list[Any]:
    """Rows as named tuples whose fields a type checker leaves alone."""
    return list(frame.itertuples(index=False))


def plural(n: int, one: str, many: str | None = None) -> str:
    """``1 model``, ``2 models``."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def where(model: str, dataset: str, n_datasets: int) -> str:
    """Name of a model, with its question set where there are several."""
    return model if n_datasets == 1 else f"{model} on {dataset}"
