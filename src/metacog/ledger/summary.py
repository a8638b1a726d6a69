"""What the ledger amounts to: how many rows agree, in a table and in one sentence, and the files it is written to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from metacog.core.files import replacing
from metacog.core.provenance import provenance
from metacog.core.words import listed
from metacog.ledger.entry import KINDS, Kind, Settings, Status
from metacog.ledger.tolerances import ALPHA

#: The rows of :func:`kinds` that are over all studies.
ALL_STUDIES = "all studies"
#: What the headline calls rows of each kind, and of none.
TESTED = {
    Kind.ESTIMATED: "estimated again from counts or trials",
    Kind.RECOUNTED: "recounted from published responses",
    Kind.PRINTED: "printed figures checked against one another",
    "": "of no stated kind",
}
#: What the headline says about rows that could not have failed, after their number.
OTHERS = {
    Status.BOUNDED: "are bounded and lie between both ends",
    Status.CANNOT_TELL: "cannot distinguish the method from its absence",
    Status.INPUT: "are inputs to the others or follow from inputs alone",
    Status.REPEAT: "repeat other rows",
    Status.NEEDS: "wait for data that is not here",
}


def by_kind(ledger: pd.DataFrame) -> pd.DataFrame:
    """Rows that could have failed, by kind: how many, how many match and how many differ."""
    judged = ledger[ledger["status"].isin([Status.MATCH, Status.DIFFERS])]
    found = pd.DataFrame(
        {status.value: judged.loc[judged["status"] == status, "kind"].value_counts() for status in Status},
        index=[*(kind.value for kind in Kind), ""],
        columns=[Status.MATCH.value, Status.DIFFERS.value],
    )
    found = found.fillna(0).astype(int)
    found.insert(0, "rows", found.sum(axis=1))
    return found[found["rows"] > 0]


def kinds(ledger: pd.DataFrame) -> pd.DataFrame:
    """The same by study and last over all, with the ``meaning`` of each kind; rows of no kind are left out."""
    parts = {**dict(iter(ledger.groupby("study", sort=False))), ALL_STUDIES: ledger}
    found = pd.concat({study: by_kind(part) for study, part in parts.items()}, names=["study", "kind"])
    found = found.reset_index()
    found.insert(2, "meaning", found["kind"].map(KINDS))
    return found[found["kind"] != ""].reset_index(drop=True)


def headline(ledger: pd.DataFrame) -> str:
    """Rows that could have failed first, each kind by itself; then the others by status."""
    tested = by_kind(ledger)
    of = f"{len(ledger):,} published figures and claims of {listed(dict.fromkeys(ledger['study']))}"
    if tested.empty:
        sentence = f"None of {of} could be put to a test with the data here"
    else:
        parts = [
            f"{row.rows:,} {TESTED[str(kind)]}{_outcome(row) if kind else ''}"
            for kind, row in tested.iterrows()
        ]
        sentence = f"Of {of}, {tested['rows'].sum():,} could have failed: {', '.join(parts)}"
    counts = ledger["status"].value_counts()
    others = [f"{counts[status]:,} {words}" for status, words in OTHERS.items() if status in counts]
    return sentence + ("; of the others " + ", ".join(others) if others else "") + "."


def _outcome(row: pd.Series) -> str:
    return (
        f" ({row['match']:,} match and {row['differs']:,} differ)"
        if row["differs"]
        else f" (all {row['match']:,} match)"
    )


def write_ledger(ledger: pd.DataFrame, settings: Settings, paths: Iterable[Path]) -> None:
    """Write the rows as CSV, and next to each file a JSON file with what made it."""
    made_by = provenance(
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        alpha=ALPHA,
        files={
            name: {
                "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
                "compared_with_a_published_checksum": False,
            }
            for name, file in settings.files.items()
        },
    )
    for path in paths:
        with replacing(path, newline="") as handle:
            ledger.to_csv(handle, index=False)
        with replacing(path.with_suffix(".json")) as handle:
            handle.write(json.dumps(made_by, indent=1))
