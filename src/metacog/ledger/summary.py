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
