"""The ledger: every published figure beside the recomputed one, with a status none can skip.

A study hands in a :class:`StudyLedger`; the ledger itself knows none. Tolerances are rules, never
numbers chosen for a row:

* a printed figure: half its last printed digit;
* a figure of a full-precision result file: the precision stated for that file;
* a resampled figure: ``z`` times the Monte-Carlo standard error of the difference, where
  z = Phi^-1(1 - 0.05/(2 m)) for the m resampled figures of the study (Bonferroni), added to the
  precision of the print. The errors are in :mod:`metacog.ledger.tolerances`;
* a claim in words (a rank, "identical", "fully inverted"): exactly;
* a claim that is a bound ("at least", "below"): the bound itself, with no slack.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.ledger.tolerances import ALPHA, half_last_digit, z_bound


class Status(StrEnum):
    """What became of a published figure.

    Only ``MATCH`` and ``DIFFERS`` say that a row could have failed; a headline counts those two.
    """

    MATCH = "match"
    DIFFERS = "differs"
    BOUNDED = "bounded"
    """It can be hemmed in, not recomputed: both ends are given."""
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


#: Room that a claim in words leaves for rounding in binary arithmetic.
IN_WORDS = 1e-9

COLUMNS = (
    "study", "table", "item", "quantity", "published", "reproduced", "difference", "tolerance",
    "status", "source", "needs", "rule", "note", "resampled",
)  # fmt: skip


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
    """

    n_resamples: int = 10_000
    seed: int = 42
    files: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Value:
    """A recomputed figure.

    Attributes
    ----------
    value : float
    source : str
        What it was computed from.
    error : float
        Monte-Carlo standard error of reproduced less published; 0 for exact figures.
    note : str
    """

    value: float
    source: str
    error: float = 0.0
    note: str = ""


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
        shows; None: half the last digit of this figure.
    in_words : bool
        A claim in words (a rank, a count, "identical", "fully inverted"): it holds exactly or not.
    resampled : bool
    value : Value or None
    needs : str
        What data a recomputation waits for; used while ``value`` is None or nothing is printed.
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
    """

    name: str
    entries: Callable[[Settings], list[Entry]]
    files: Callable[[], Mapping[str, Path]] = dict


# ---------------------------------------------------------------------------- judging


def judge(entry: Entry, z: float) -> dict[str, object]:
    """One row of the ledger.

    Raises
    ------
    MetacogError
        If a row would have no status: nothing reproduced and nothing named that it waits for.
    """
    exact = entry.relation == "="
    precision = 0.0
    if entry.in_words:
        precision = IN_WORDS
    elif entry.published and exact:
        precision = half_last_digit(entry.published) if entry.precision is None else entry.precision
    row: dict[str, object] = {
        "study": entry.study,
        "table": entry.table,
        "item": entry.item,
        "quantity": entry.quantity,
        "published": entry.published if exact else f"{entry.relation} {entry.published}",
        "rule": _rule(entry),
        "resampled": entry.resampled,
    }
    if entry.value is None or not entry.published:
        if not entry.needs:
            raise MetacogError(f"ledger: {entry.table}, {entry.item}, {entry.quantity} has no status")
        row |= {
            "reproduced": np.nan if entry.value is None else entry.value.value,
            "difference": np.nan,
            "tolerance": np.nan if entry.resampled or not entry.published else precision,
            "status": Status.NEEDS,
            "source": "" if entry.value is None else entry.value.source,
            "needs": entry.needs,
            "note": "" if entry.value is None else entry.value.note,
        }
        return row
    published = _number(entry.published)
    tolerance = precision + z * entry.value.error
    difference = entry.value.value - published
    # a decimal half is not a binary one: 1e-9 of it is rounding of this comparison, not of the figure
    slack = tolerance * (1 + 1e-9) + 1e-15
    agrees = {
        "=": abs(difference) <= slack,
        ">=": difference >= -z * entry.value.error,
        "<=": difference <= z * entry.value.error,
        ">": difference > -z * entry.value.error,
        "<": difference < z * entry.value.error,
    }[entry.relation]
    row |= {
        "reproduced": entry.value.value,
        "difference": difference,
        "tolerance": tolerance,
        "status": Status.MATCH if agrees else Status.DIFFERS,
        "source": entry.value.source,
        "needs": "",
        "note": entry.value.note,
    }
    return row


def _number(text: str) -> float:
    return {"True": 1.0, "False": 0.0}[text] if text in ("True", "False") else float(text)


def _rule(entry: Entry) -> str:
    if not entry.published:
        return ""
    if entry.relation != "=":
        return "the bound as claimed"
    stated = entry.precision is not None and entry.precision < 1e-5
    base = f"{entry.precision:g}, stated for the file" if stated else "half the last printed digit"
    if entry.published in ("True", "False"):
        base = "the same verdict"
    elif entry.in_words:
        base = "exactly, as claimed in words"
    return f"z x Monte-Carlo error + {base}" if entry.resampled else base


def tabulate(entries: Iterable[Entry]) -> pd.DataFrame:
    """Judge entries into a table; z is set by how many of each study's entries are resampled.

    Raises
    ------
    MetacogError
        If two entries are of the same figure.
    """
    listed = list(entries)
    z = {
        study: z_bound(sum(e.resampled for e in listed if e.study == study))
        for study in {e.study for e in listed}
    }
    frame = pd.DataFrame([judge(e, z[e.study]) for e in listed], columns=list(COLUMNS))
    repeated = frame.duplicated(["study", "table", "item", "quantity"])
    if repeated.any():
        first = frame[repeated].iloc[0]
        raise MetacogError(f"ledger: {first['table']}, {first['item']}, {first['quantity']} stands twice")
    return frame


def make_ledger(settings: Settings, studies: Iterable[StudyLedger]) -> pd.DataFrame:
    """The ledger of some studies.

    Parameters
    ----------
    settings : Settings
    studies : iterable of StudyLedger

    Returns
    -------
    DataFrame with the columns of :data:`COLUMNS`, one row a published figure.

    Raises
    ------
    MetacogError
        If a row has no status.
    """
    return tabulate(entry for study in studies for entry in study.entries(settings))


def available_files(studies: Iterable[StudyLedger]) -> dict[str, Path]:
    """Files with other people's data that are here, by the name they are fetched under."""
    return {name: path for study in studies for name, path in study.files().items()}


# ---------------------------------------------------------------------------- summary


@dataclass(frozen=True)
class Summary:
    """Counts of statuses and the sentence that says them; ``resampled`` counts rows that rest on chance."""

    rows: int
    match: int
    differs: int
    waiting: int
    resampled: int
    sentence: str


def summarise(ledger: pd.DataFrame) -> Summary:
    """Count statuses and say them in one sentence, whichever way they fall."""
    tally = ledger["status"].value_counts()
    match, differs, waiting = (int(tally.get(s, 0)) for s in (Status.MATCH, Status.DIFFERS, Status.NEEDS))
    rows = len(ledger)
    done = match + differs
    names = ", ".join(dict.fromkeys(ledger["study"]))
    if done == 0:
        sentence = f"None of the {rows:,} rows of {names} could be recomputed with the data here"
    else:
        verdict = f"all {match:,} match" if differs == 0 else f"{match:,} match and {differs:,} differ"
        sentence = f"Of {rows:,} published figures and claims of {names}, {done:,} were recomputed: {verdict}"
    if waiting:
        sentence += f"; {waiting:,} wait for data that is not here"
    return Summary(rows, match, differs, waiting, int(ledger["resampled"].sum()), sentence + ".")


# ---------------------------------------------------------------------------- file


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
