"""What the ledger comes to: its headline, and the file it is written to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
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

    @property
    def sentence(self) -> str:
        """``12 match and 3 differ``."""
        return (
            f"all {self.match:,} match"
            if not self.differs
            else f"{self.match:,} match and {self.differs:,} differ"
        )


@dataclass(frozen=True)
class Summary:
    """Counts of statuses and the sentence that says them.

    Attributes
    ----------
    rows : int
    by_status : mapping of Status to int
        Every status, also those no row has.
    by_kind : mapping of Kind to Judged
        Rows that could have failed, by what was done to have the recomputed figure; every kind.
    unsorted : int
        Rows that could have failed and do not state their kind.
    tested : int
        Rows that could have failed by chance alone.
    sentence : str
    """

    rows: int
    by_status: Mapping[Status, int]
    by_kind: Mapping[Kind, Judged]
    unsorted: int
    tested: int
    sentence: str

    @property
    def judged(self) -> int:
        """Rows that could have failed."""
        return sum(n for status, n in self.by_status.items() if status.judged)


#: What the headline calls each kind.
_KINDS = {
    Kind.ESTIMATED: "estimated again from counts or trials",
    Kind.RECOUNTED: "recounted from published responses",
    Kind.PRINTED: "print held against print",
}

#: What the headline says of rows that could not have failed, after their number.
_OTHERS = {
    Status.BOUNDED: "are hemmed in and lie between both ends",
    Status.CANNOT_TELL: "cannot tell the method from its absence",
    Status.INPUT: "are what others are computed from or follow from those alone",
    Status.REPEAT: "repeat other rows",
    Status.NEEDS: "wait for data that is not here",
}


def summarise(ledger: pd.DataFrame) -> Summary:
    """Count statuses and say them in one sentence, rows that could have failed first, each kind apart."""
    tally = ledger["status"].value_counts()
    counted = {status: int(tally.get(status, 0)) for status in Status}
    judged = counted[Status.MATCH] + counted[Status.DIFFERS]
    by_kind = {kind: _judged(ledger[ledger["kind"] == kind]) for kind in Kind}
    unsorted = judged - sum(one.rows for one in by_kind.values())
    names = ", ".join(dict.fromkeys(ledger["study"]))
    of = f"{len(ledger):,} published figures and claims of {names}"
    if judged == 0:
        sentence = f"None of {of} could be put to a test with the data here"
    else:
        parts = [f"{one.rows:,} {_KINDS[kind]} ({one.sentence})" for kind, one in by_kind.items() if one.rows]
        if unsorted:
            parts.append(f"{unsorted:,} of no stated kind")
        sentence = f"Of {of}, {judged:,} could have failed: {', '.join(parts)}"
    others = [f"{counted[status]:,} {words}" for status, words in _OTHERS.items() if counted[status]]
    if others:
        sentence += "; of the others " + ", ".join(others)
    tested = int((ledger["resampled"] & ledger["status"].map(lambda s: Status(s).judged)).sum())
    return Summary(len(ledger), counted, by_kind, unsorted, tested, sentence + ".")


def _judged(rows: pd.DataFrame) -> Judged:
    return Judged(*(int((rows["status"] == status).sum()) for status in (Status.MATCH, Status.DIFFERS)))


def write_ledger(ledger: pd.DataFrame, settings: Settings, out: Path | None = None) -> Path:
    """Write ``results/ledger.csv`` (or ``out``) and, beside it, a JSON file with what made it.

    Raises
    ------
    MetacogError
        If the file cannot be written.
    """
    path = Path(out) if out is not None else project_root() / "results" / "ledger.csv"
    made_by = provenance(
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        alpha=ALPHA,
        files={
            name: {"sha256": _sha256(file), "compared_with_a_published_checksum": False}
            for name, file in settings.files.items()
        },
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        ledger.to_csv(path, index=False)
        path.with_suffix(".json").write_text(json.dumps(made_by, indent=1), encoding="utf-8")
    except OSError as error:
        raise MetacogError(
            f"could not write {path}: {error.strerror or error}; name another with --out"
        ) from None
    return path


def _sha256(file: Path) -> str:
    with open(file, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
