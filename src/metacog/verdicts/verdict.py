"""A verdict is data: the rule it was judged by, whether it passed, and what its sentence reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What sort of rule a verdict was judged by."""

    PREREGISTERED = "pre-registered"
    SOUND = "sound counterpart"
    EXPLORATORY = "exploratory"
    PUBLISHED = "published values and ours"
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
    topic : str
        What sets verdicts of one hypothesis and kind apart, where a page shows them in different places.
    name : str
        Under which its sentence is declared (:class:`metacog.report.views.Views`).
    values : mapping
        What the sentence reports: plain values, lists, tables.
    undecided : tuple of (str, str)
        Units that could not be judged, and why.
    units : tuple of (str, bool or None)
        Models, pairs or cells that the rule was applied to, and whether it holds for each.
    """

    hypothesis: str
    kind: Kind
    rule: str
    passed: bool | None
    topic: str = ""
    _: KW_ONLY
    name: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    undecided: tuple[tuple[str, str], ...] = ()
    units: tuple[tuple[str, bool | None], ...] = ()

    def under(self, topic: str) -> Verdict:
        """The same verdict under a topic."""
        return replace(self, topic=topic)


def drawn(*verdicts: Verdict | None) -> tuple[Verdict, ...]:
    """Those that were drawn: a run that is too small draws none."""
    return tuple(v for v in verdicts if v is not None)
