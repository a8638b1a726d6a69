"""The ledger: every published figure next to the recomputed one, with a status none can skip.

A study hands in a :class:`StudyLedger`; the ledger itself knows none. Tolerances are rules, never
numbers chosen for a row:

* a printed figure: half its last printed digit;
* a figure of a full-precision result file: the precision stated for that file;
* a resampled figure: ``z`` times the Monte-Carlo standard error of the difference, where
  z = Phi^-1(1 - 0.05/(2 m)) for the m resampled figures of the study that are tested (Bonferroni),
  added to the precision of the print. The errors are in :mod:`metacog.ledger.tolerances`;
* a claim in words (a rank, "identical", "fully inverted"): exactly;
* a claim that is a bound ("at least", "below"): the bound itself, with no slack; a bound that prints an
  extreme rounded ("all R^2 at least 0.98"): half its last printed digit;
* a figure from counts that may lack or double one trial: what that trial can do, added.

A row that agrees is not yet evidence. It counts as a match only if it could have failed: not where the
printed figure is what others are computed from (:class:`Role`), and not where its tolerance also holds
its rival, the figure of the same computation without the step that is looked at. A row that disagrees
differs whatever its role, for then printed figures contradict one another.

Matches are not all of one worth: each recomputed figure states its :class:`Kind`, and a headline
tallies the three apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError


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


#: The statuses of rows that could have failed, and of figures that were not recomputed to within their tolerance.
JUDGED = (Status.MATCH, Status.DIFFERS)
NOT_MET = (Status.DIFFERS, Status.NEEDS)


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
    """How a ledger is made: resamples of our own resampled figures, and what not every reader has.

    ``files`` are other people's data, by the name `metacog data fetch` knows them by. ``results`` are stored results
    that rows rest on (:attr:`StudyLedger.results`), as ``study.analysis``; rows whose result is not here wait for it.
    """

    n_resamples: int = 10_000
    seed: int = 42
    files: Mapping[str, Path] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Value:
    """A recomputed figure and what it was computed from, or the ends between which it must lie.

    ``error`` is the Monte-Carlo standard error of reproduced minus published, 0 for exact figures. ``rival`` is the
    figure that would result ``without`` the step that a row is about (what is left out, after "with" or "without"): a
    row whose tolerance holds it too cannot tell the two apart. ``bounds`` are ends that the figure cannot leave; its
    value is NaN where only they are known. ``reach`` is how far the source itself may lie from what was published,
    computed by a stated rule. ``kind`` is None only where it has yet to be stated.
    """

    value: float
    source: str
    error: float = 0.0
    note: str = ""
    rival: float | None = None
    without: str = ""
    bounds: tuple[float, float] | None = None
    reach: float = 0.0
    kind: Kind | None = None


@dataclass(frozen=True)
class Role:
    """Why rows that agree say nothing: ``Status.INPUT`` or ``Status.REPEAT``, which rows in words, and the reason."""

    status: Status
    rows: str
    reason: str


#: What a reproduced figure can have to be to the printed one.
RELATIONS = ("=", ">=", "<=", ">", "<")
#: Columns of a table of entries, with what stands where nothing is said of a figure.
DEFAULTS: dict[str, Any] = {
    "table": "",
    "item": "",
    "quantity": "",
    "published": "",
    "relation": "=",
    "precision": np.nan,
    "in_words": False,
    "resampled": False,
    "needs": "",
}
#: The same of what is known of a recomputed figure, as in :class:`Value`.
OF_VALUE: dict[str, Any] = {
    "value": np.nan,
    "low": np.nan,
    "high": np.nan,
    "error": 0.0,
    "reach": 0.0,
    "source": "",
    "note": "",
    "kind": "",
    "rival": np.nan,
    "without": "",
}


def entries_of(rows: pd.DataFrame, study: str) -> pd.DataFrame:
    """Entries of a study's ledger from printed figures next to recomputed ones, one row each; what is missing has its
    default.

    Of the printed figure: ``table, item, quantity`` (together unlike those of any other); ``published`` as printed,
    empty where no printed figure is at hand; ``relation``, what the reproduced figure must be to it (``=``, ``<``,
    ``<=``, ``>``, ``>=``); ``precision``, that of a full-precision file or half the last digit that a printed column
    shows (missing: half the last digit of this figure, and no slack at all of a bound); ``in_words``, a claim that
    holds exactly or not; ``resampled``; ``needs``, what data a recomputation waits for; and its ``role`` or None. Of
    the recomputed one: the fields of :class:`Value`. One that is ``undefined`` is recomputed, and has no value.

    Returns
    -------
    DataFrame
        ``study``, :data:`DEFAULTS`, :data:`OF_VALUE` with ``bounds`` as ``low`` and ``high``, and ``recomputed``.
    """
    rows = rows.reset_index(drop=True)
    if odd := set(map(str, rows)) - {*DEFAULTS, *OF_VALUE, "role", "bounds", "undefined"}:
        raise MetacogError(f"{study}: entries of a ledger have no {', '.join(sorted(odd))}")
    if "relation" in rows and (wrong := sorted(set(rows["relation"].dropna()) - set(RELATIONS))):
        raise MetacogError(
            f"{study}: a figure has the relation {', '.join(map(repr, wrong))}; known: {RELATIONS}"
        )
    bounded = rows["bounds"].map(lambda one: isinstance(one, tuple)) if "bounds" in rows else False
    if "bounds" in rows:
        ends = [one if isinstance(one, tuple) else (np.nan, np.nan) for one in rows["bounds"]]
        rows[["low", "high"]] = pd.DataFrame(ends, columns=["low", "high"])
    role = rows["role"].astype(object) if "role" in rows else None
    made = pd.DataFrame({"study": study, "role": role}, index=rows.index)
    for name, default in (DEFAULTS | OF_VALUE).items():
        given = rows[name] if name in rows else pd.Series(default, rows.index)
        made[name] = given.astype(object).where(given.notna(), default).astype(type(default))
    undefined = rows["undefined"].eq(True) if "undefined" in rows else False
    made["recomputed"] = made["value"].notna() | made["low"].notna() | bounded | undefined
    for name, default in OF_VALUE.items():  # what is said of a recomputation alone
        made[name] = made[name].where(made["recomputed"], default)
    return made


@dataclass(frozen=True)
class StudyLedger:
    """What a study hands to the ledger, under its name in the column ``study``.

    ``entries`` gives one of :func:`entries_of` for every printed figure. ``files`` are data that not every reader has
    and that are here, by the name they are fetched under, and ``uses`` every such name. ``roles`` are the rules by
    which rows get a role, as the page shows them. ``results`` are analyses of the study whose stored results rows rest
    on: what takes too long to compute for every ledger.
    """

    name: str
    entries: Callable[[Settings], pd.DataFrame]
    files: Callable[[], Mapping[str, Path]] = dict
    roles: tuple[Role, ...] = ()
    uses: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
