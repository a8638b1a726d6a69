"""The ledger: every published figure next to the recomputed one, with a status none can skip.

A study hands in a :class:`StudyLedger`; the ledger itself knows none. Tolerances are rules, never
numbers chosen for a row:

* a printed figure: half its last printed digit;
* a figure of a full-precision result file: the precision stated for that file;
* a resampled figure: ``z`` times the Monte-Carlo standard error of the difference, where
  z = Phi^-1(1 - 0.05/(2 m)) for the m resampled figures of the study that are tested (Bonferroni),
  added to the precision of the print. The errors are in :mod:`metacog.ledger.published`;
* a claim in words (a rank, "identical", "fully inverted"): exactly;
* a claim that is a bound ("at least", "below"): the bound itself, with no slack; a bound that prints an
  extreme rounded ("all R^2 at least 0.98"): half its last printed digit;
* a figure from counts that may lack or double one trial: what that trial can do, added.

A row that agrees is not yet evidence. It counts as a match only if it could have failed: not where the
printed figure is what others are computed from (:class:`Role`), and not where its tolerance also holds
the figure of a :class:`Rival`, the same computation without the step that is looked at. A row that
disagrees differs whatever its role, for then printed figures contradict one another.

Matches are not all of one worth: each recomputed figure states its :class:`Kind`, and a headline
tallies the three apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

import pandas as pd


class Status(StrEnum):
    """What became of a published figure.

    Only ``MATCH`` and ``DIFFERS`` say that a row could have failed; a headline counts those two.
    """

    MATCH = "match"
    DIFFERS = "differs"
    BOUNDED = "bounded"
    """It can be bounded, not recomputed: both bounds are given."""
    CANNOT_TELL = "cannot tell"
    """The tolerance could not tell the method from its absence."""
    INPUT = "input"
    """The printed figure went into what other rows are computed from."""
    REPEAT = "repeat"
    """Another row, rounded."""
    NEEDS = "needs data"

    @property
    def judged(self) -> bool:
        """Whether the row could have failed."""
        return self in (Status.MATCH, Status.DIFFERS)

    @property
    def agrees(self) -> bool:
        """Whether the figure was recomputed and lies within its tolerance."""
        return self not in (Status.DIFFERS, Status.NEEDS)


class Kind(StrEnum):
    """What was done to have a recomputed figure; a headline never adds these up."""

    ESTIMATED = "estimated again"
    RECOUNTED = "recounted"
    PRINTED = "print against itself"


#: What each kind says, for readers.
KINDS = {
    Kind.ESTIMATED: "An estimator was run again on published or reconstructed counts, responses or trials.",
    Kind.RECOUNTED: "A share, a count or a mean was taken again of counts (published or reconstructed), responses "
    "or trials.",
    Kind.PRINTED: "Printed figures were held against other printed figures: arithmetic, or their order.",
}


@dataclass(frozen=True)
class Settings:
    """How a ledger is made.

    Attributes
    ----------
    n_resamples : int
        Of our own resampled figures.
    seed : int
    files : mapping of str to Path
        Data that not every reader has, by the name `metacog data fetch` knows it by.
    results : mapping of str to Any
        Stored results that rows rest on (:attr:`StudyLedger.results`), as ``study.analysis``; rows whose
        result is not here wait for it.
    """

    n_resamples: int = 10_000
    seed: int = 42
    files: Mapping[str, Path] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rival:
    """The figure that would result without the step that a row is about.

    Attributes
    ----------
    value : float
    without : str
        What is left out, after "with" or "without".
    """

    value: float
    without: str


@dataclass(frozen=True)
class Value:
    """A recomputed figure, or the ends between which it must lie.

    Attributes
    ----------
    value : float
        NaN where only ``bounds`` are known.
    source : str
        What it was computed from.
    error : float
        Monte-Carlo standard error of reproduced minus published; 0 for exact figures.
    note : str
    rival : Rival or None
        A row whose tolerance holds this figure too cannot tell the two apart.
    bounds : tuple of two floats or None
        Ends that it cannot leave. A printed figure outside them (and outside its rounding) differs.
    reach : float
        How far the source itself may lie from what was published, computed by a stated rule.
    kind : Kind or None
        What was done to have it. None only where it has yet to be stated; no row of a registered study may
        leave it so.
    """

    value: float
    source: str
    error: float = 0.0
    note: str = ""
    rival: Rival | None = None
    bounds: tuple[float, float] | None = None
    reach: float = 0.0
    kind: Kind | None = None


@dataclass(frozen=True)
class Role:
    """Why a row that agrees says nothing: what the rows are, and the reason.

    Attributes
    ----------
    status : Status
        ``Status.INPUT`` or ``Status.REPEAT``.
    rows : str
        Which rows, in words.
    reason : str
    """

    status: Status
    rows: str
    reason: str


@dataclass(frozen=True)
class Entry:
    """One published figure and, where it could be had, the recomputed one.

    Attributes
    ----------
    study, table, item, quantity : str
        Together unlike those of any other entry.
    published : str
        As printed; empty where no printed figure is at hand.
    relation : {'=', '<', '<=', '>', '>='}
        What the reproduced figure must be to the published one.
    precision : float or None
        Stated precision of a full-precision file, or half the last digit that a printed column
        shows; None: half the last digit of this figure, and no slack at all of a bound.
    in_words : bool
        A claim in words (a rank, a count, "identical", "fully inverted"): it holds exactly or not.
    resampled : bool
    value : Value or None
    needs : str
        What data a recomputation waits for; used while ``value`` is None or nothing is printed.
    role : Role or None
        Why the row could not have failed.
    """

    study: str
    table: str
    item: str
    quantity: str
    published: str
    value: Value | None = None
    relation: str = "="
    precision: float | None = None
    in_words: bool = False
    resampled: bool = False
    needs: str = ""
    role: Role | None = None

    @property
    def testable(self) -> bool:
        """Whether it is recomputed, and no role says that it had to agree."""
        return bool(self.published) and self.value is not None and self.role is None


def entries_of(rows: pd.DataFrame, study: str) -> list[Entry]:
    """Entries from a table, one row a printed figure: its columns are the attributes of an entry and of its value.

    ``rival`` is the value of one, ``without`` what it leaves out; ``value`` may be a whole :class:`Value`, too. What
    is missing has its default. A figure that is ``undefined`` has NaN as its value.
    """
    of_value = {one.name for one in fields(Value)}
    found = []
    for row in rows.to_dict("records"):
        known = {str(name): one for name, one in row.items() if one is not None and one == one}
        without = known.pop("without", "")
        if "rival" in known:
            known["rival"] = Rival(known["rival"], without)
        value, given = None, {name: known.pop(name) for name in of_value & set(known)}
        given |= {"value": float("nan")} if known.pop("undefined", False) else {}
        if isinstance(given.get("value"), Value):
            value = given["value"]
        elif "value" in given or "bounds" in given:
            given |= {"kind": Kind(given["kind"])} if "kind" in given else {}
            value = Value(**{"value": float("nan"), **given})
        found.append(Entry(study, value=value, **known))
    return found


@dataclass(frozen=True)
class StudyLedger:
    """What a study hands to the ledger.

    Attributes
    ----------
    name : str
        As in the column ``study``.
    entries : callable
        From settings to one entry for every printed figure.
    files : callable
        Data that not every reader has and that are here, by the name they are fetched under.
    roles : tuple of Role
        The rules by which rows get a role, as the page shows them.
    uses : tuple of str
        Every name under which data that it can use are fetched.
    results : tuple of str
        Analyses of the study whose stored results rows rest on: what takes too long to compute for every
        ledger.
    """

    name: str
    entries: Callable[[Settings], list[Entry]]
    files: Callable[[], Mapping[str, Path]] = dict
    roles: tuple[Role, ...] = ()
    uses: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
