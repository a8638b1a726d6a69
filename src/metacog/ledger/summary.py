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
from metacog.ledger.entry import Settings, Status
from metacog.ledger.tolerances import ALPHA


@dataclass(frozen=True)
class Summary:
    """Counts of statuses and the sentence that says them.

    Attributes
    ----------
    rows : int
    by_status : mapping of Status to int
        Every status, also those no row has.
    tested : int
        Rows that could have failed by chance alone.
    sentence : str
    """

    rows: int
    by_status: Mapping[Status, int]
    tested: int
    sentence: str

    @property
    def judged(self) -> int:
        """Rows that could have failed."""
        return sum(n for status, n in self.by_status.items() if status.judged)


#: What the headline says of rows that could not have failed, after their number.
_OTHERS = {
    Status.BOUNDED: "are hemmed in and lie between both ends",
    Status.CANNOT_TELL: "cannot tell the method from its absence",
    Status.INPUT: "are what others are computed from or follow from those alone",
    Status.REPEAT: "repeat other rows",
    Status.NEEDS: "wait for data that is not here",
}


def summarise(ledger: pd.DataFrame) -> Summary:
    """Count statuses and say them in one sentence, rows that could have failed first."""
    tally = ledger["status"].value_counts()
    counted = {status: int(tally.get(status, 0)) for status in Status}
    match, differs = counted[Status.MATCH], counted[Status.DIFFERS]
    names = ", ".join(dict.fromkeys(ledger["study"]))
    of = f"{len(ledger):,} published figures and claims of {names}"
    if match + differs == 0:
        sentence = f"None of {of} could be put to a test with the data here"
    else:
        verdict = f"all {match:,} match" if differs == 0 else f"{match:,} match and {differs:,} differ"
        sentence = f"Of {of}, {match + differs:,} could have failed: {verdict}"
    others = [f"{counted[status]:,} {words}" for status, words in _OTHERS.items() if counted[status]]
    if others:
        sentence += "; of the others " + ", ".join(others)
    tested = int((ledger["resampled"] & ledger["status"].map(lambda s: Status(s).judged)).sum())
    return Summary(len(ledger), counted, tested, sentence + ".")


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
