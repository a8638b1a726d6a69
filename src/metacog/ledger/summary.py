"""What the ledger amounts to: how many rows agree, and the files it is written to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from metacog.core.files import replacing
from metacog.core.provenance import provenance
from metacog.core.words import listed
from metacog.ledger.entry import Kind, Settings, Status
from metacog.ledger.tolerances import ALPHA


@dataclass(frozen=True)
class Judged:
    """Rows that could have failed, of one kind.

    Attributes
    ----------
    match, differs : int
    """

    match: int
    differs: int

    @property
    def rows(self) -> int:
        """How many."""
        return self.match + self.differs


@dataclass(frozen=True)
class Summary:
    """Counts of rows.

    Attributes
    ----------
    studies : tuple of str
    rows : int
    by_status : mapping of Status to int
        Every status, also those no row has.
    by_kind : mapping of Kind to Judged
        Rows that could have failed, by what was done to have the recomputed figure; every kind.
    tested : int
        Rows that could have failed by chance alone.
    """

    studies: tuple[str, ...]
    rows: int
    by_status: Mapping[Status, int]
    by_kind: Mapping[Kind, Judged]
    tested: int

    @property
    def judged(self) -> int:
        """Rows that could have failed."""
        return sum(n for status, n in self.by_status.items() if status.judged)

    @property
    def unsorted(self) -> int:
        """Rows that could have failed and do not state their kind."""
        return self.judged - sum(one.rows for one in self.by_kind.values())


def summarise(ledger: pd.DataFrame) -> Summary:
    """Count rows by status and by kind."""
    tally = ledger["status"].value_counts()
    counted = {status: int(tally.get(status, 0)) for status in Status}
    by_kind = {kind: _judged(ledger[ledger["kind"] == kind]) for kind in Kind}
    tested = int((ledger["resampled"] & ledger["status"].map(lambda s: Status(s).judged)).sum())
    return Summary(tuple(dict.fromkeys(ledger["study"])), len(ledger), counted, by_kind, tested)


def _judged(rows: pd.DataFrame) -> Judged:
    return Judged(*(int((rows["status"] == status).sum()) for status in (Status.MATCH, Status.DIFFERS)))


def write_ledger(ledger: pd.DataFrame, settings: Settings, paths: Iterable[Path]) -> None:
    """Write the rows as CSV, and next to each file a JSON file with what made it.

    Raises
    ------
    MetacogError
        If a file cannot be written.
    """
    made_by = provenance(
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        alpha=ALPHA,
        files={
            name: {"sha256": _sha256(file), "compared_with_a_published_checksum": False}
            for name, file in settings.files.items()
        },
    )
    for path in paths:
        with replacing(path, newline="") as handle:
            ledger.to_csv(handle, index=False)
        with replacing(path.with_suffix(".json")) as handle:
            handle.write(json.dumps(made_by, indent=1))


def _sha256(file: Path) -> str:
    with open(file, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


# The ledger in one sentence.

#: What the headline calls each kind.
_KINDS = {
    Kind.ESTIMATED: "estimated again from counts or trials",
    Kind.RECOUNTED: "recounted from published responses",
    Kind.PRINTED: "printed figures checked against one another",
}

#: What the headline says about rows that could not have failed, after their number.
_OTHERS = {
    Status.BOUNDED: "are bounded and lie between both ends",
    Status.CANNOT_TELL: "cannot distinguish the method from its absence",
    Status.INPUT: "are inputs to the others or follow from inputs alone",
    Status.REPEAT: "repeat other rows",
    Status.NEEDS: "wait for data that is not here",
}


def headline(summary: Summary) -> str:
    """Rows that could have failed first, each kind by itself; then the others by status."""
    of = f"{summary.rows:,} published figures and claims of {listed(summary.studies)}"
    if summary.judged == 0:
        sentence = f"None of {of} could be put to a test with the data here"
    else:
        kinds = summary.by_kind.items()
        parts = [f"{one.rows:,} {_KINDS[kind]} ({_outcome(one)})" for kind, one in kinds if one.rows]
        if summary.unsorted:
            parts.append(f"{summary.unsorted:,} of no stated kind")
        sentence = f"Of {of}, {summary.judged:,} could have failed: {', '.join(parts)}"
    counts = summary.by_status
    others = [f"{counts[status]:,} {words}" for status, words in _OTHERS.items() if counts[status]]
    return sentence + ("; of the others " + ", ".join(others) if others else "") + "."


def _outcome(one: Judged) -> str:
    """``12 match and 3 differ``."""
    if not one.differs:
        return f"all {one.match:,} match"
    return f"{one.match:,} match and {one.differs:,} differ"
