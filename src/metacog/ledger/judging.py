"""How entries of the ledger are judged, each by itself and all of a study together.

Claims of a paper's text: a file with one line per claim, and what recomputes each, registered by its id.

A file of claims has the columns ``id``, ``claim`` and ``quantity``; what is printed in ``value``, ``lower``
and ``upper`` (nothing: the claim is true or false); ``relation`` (empty: ``=``); and ``kind``: ``words`` for
a claim that holds exactly or not, ``bound`` for one that must hold as it stands, or ``printed`` for a figure
judged by its last digit, also where it is the rounded end of all that is summed up ("at least 0.98").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.ledger.entry import Entry, Role, Settings, Status, StudyLedger, Value, entries_of
from metacog.ledger.published import number
from metacog.ledger.tolerances import half_last_digit, z_bound

#: What recomputing a claim gives: a value, one per printed column, or None while data are missing.
Answer = Value | Mapping[str, Value] | None
Answers = Mapping[str, Answer | Callable[..., Answer]]
#: Columns of figures, and how the quantity of each is named unless a study names it otherwise.
QUANTITIES = {"value": "{quantity}", "lower": "{quantity}, lower end", "upper": "{quantity}, upper end"}


def claim_entries(
    lines: pd.DataFrame,
    answers: Answers,
    *given: Any,
    study: str,
    table: str,
    item: str = "{claim}",
    quantities: Mapping[str, str] | None = None,
    precision: float | None = None,
    needs: Callable[[Any], str] = lambda line: "",
    role: Callable[[str, str, Value | None], Role | None] = lambda claim, column, value: None,
) -> list[Entry]:
    """One entry for every figure that a file of claims prints, in its order, next to what answers the claim.

    ``answers`` has the answer of each claim by its id, or what finds it from ``given``. ``table``, ``item`` and
    ``quantities`` (by column, in place of :data:`QUANTITIES`) may name columns of the file in braces. ``precision``
    is that of every figure; half of its last digit without. ``needs`` and ``role`` are found from a line, and from
    id, column and value.

    Raises
    ------
    MetacogError
        If two claims have one id, a claim has no answer or an answer no claim.
    """
    ids = list(lines["id"])
    if odd := sorted({*{one for one in ids if ids.count(one) > 1}, *(set(ids) ^ set(answers))}):
        raise MetacogError(f"{study}: claims and what answers them do not go together: {', '.join(odd)}")
    named = {**QUANTITIES, **(quantities or {})}
    rows = []
    for line in rows_of(lines):
        texts, answer = line._asdict(), answers[line.id]
        answer = answer(*given) if callable(answer) else answer
        values = answer if isinstance(answer, Mapping) else {"value": answer}
        printed = {column: texts[column] for column in named if texts.get(column)} or {"value": "True"}
        for column, text in printed.items():
            value = values.get(column)
            rows.append(
                {
                    "table": table.format(**texts),
                    "item": item.format(**texts),
                    "quantity": named[column].format(**texts),
                    "published": text,
                    "value": value,
                    "relation": texts.get("relation") or "=",
                    "precision": _precision(line, text, precision),
                    "in_words": line.kind == "words",
                    "resampled": value is not None and value.error > 0,
                    "needs": needs(line),
                    "role": role(line.id, column, value),
                }
            )
    return entries_of(pd.DataFrame(rows), study)


def _precision(line: Any, text: str, stated: float | None) -> float | None:
    """What is stated for the file; of a bound, half its last digit where it is printed rounded, and none else."""
    if (line.relation or "=") == "=":
        return stated
    return half_last_digit(text) if line.kind == "printed" else None


#: Room that a claim in words leaves for rounding in binary arithmetic.
IN_WORDS = 1e-9
#: A decimal half is not a binary one: 1e-9 of it is rounding of a comparison, not of the figure.
ROUNDING = 1 + 1e-9

COLUMNS = (
    "study",
    "table",
    "item",
    "quantity",
    "published",
    "reproduced",
    "low",
    "high",
    "difference",
    "tolerance",
    "status",
    "kind",
    "source",
    "needs",
    "rule",
    "role",
    "note",
    "resampled",
    "family",
)


def judge(entry: Entry, z: float) -> dict[str, object]:
    """One row of the ledger.

    Raises
    ------
    MetacogError
        If a row would have no status: nothing reproduced and nothing named that it waits for.
    """
    exact = entry.relation == "="
    precision = _judging_precision(entry)
    value = entry.value
    row: dict[str, object] = {
        "study": entry.study,
        "table": entry.table,
        "item": entry.item,
        "quantity": entry.quantity,
        "published": entry.published if exact else f"{entry.relation} {entry.published}",
        "rule": _rule(entry),
        "resampled": entry.resampled,
        "reproduced": np.nan if value is None else value.value,
        "low": np.nan,
        "high": np.nan,
        "difference": np.nan,
        "kind": "" if value is None or value.kind is None else value.kind.value,
        "source": "" if value is None else value.source,
        "note": "" if value is None else value.note,
        "role": "",
        "needs": "",
    }
    if value is None or not entry.published:
        if not entry.needs:
            raise MetacogError(f"ledger: {entry.table}, {entry.item}, {entry.quantity} has no status")
        tolerance = np.nan if entry.resampled or not entry.published else precision
        return row | {"tolerance": tolerance, "status": Status.NEEDS, "needs": entry.needs}
    if value.bounds is not None:
        low, high = value.bounds
        status = Status.BOUNDED if inside(entry.published, low, high, precision) else Status.DIFFERS
        return row | {"tolerance": precision, "status": status, "low": low, "high": high}
    status = _status(entry, value, z, precision)
    notes = [value.note]
    if entry.role is not None:
        row["role"] = entry.role.rows
        notes.append(entry.role.reason)
    if value.rival is not None:
        notes.append(f"{value.rival.without} the figure would be {value.rival.value:.6g}")
    return row | {
        "difference": value.value - number(entry.published),
        "tolerance": precision + z * value.error,
        "status": status,
        "note": "; ".join(n for n in notes if n),
    }


def _status(entry: Entry, value: Value, z: float, precision: float) -> Status:
    if not _agrees(entry, value.value, z * value.error, precision):
        return Status.DIFFERS
    if entry.role is not None:
        return entry.role.status
    if value.rival is not None and _agrees(entry, value.rival.value, z * value.error, precision):
        return Status.CANNOT_TELL
    return Status.MATCH


def _agrees(entry: Entry, reproduced: float, chance: float, precision: float) -> bool:
    difference = reproduced - number(entry.published)
    room = (chance + precision) * ROUNDING
    return bool(
        {
            "=": agrees(entry.published, reproduced, precision + chance),
            ">=": difference >= -room,
            "<=": difference <= room,
            ">": difference > -room,
            "<": difference < room,
        }[entry.relation]
    )


def agrees(published: str, values: ArrayLike, precision: float | None = None) -> NDArray[np.bool_]:
    """Which values are the published one, as far as its precision tells: the rule by which rows agree.

    Parameters
    ----------
    published : str
        A figure as printed.
    values : array_like
    precision : float, optional
        How far off a value may be; half the last printed digit without.

    Returns
    -------
    array of bool, of the shape of ``values``
    """
    off = np.abs(np.asarray(values, dtype=np.float64) - number(published))
    return np.asarray(off <= _with_slack(published, precision))


def inside(published: str, low: float, high: float, precision: float | None = None) -> bool:
    """Whether a figure as printed can be one between two ends; see :func:`agrees`."""
    outside = max(low - number(published), number(published) - high)
    return outside <= _with_slack(published, precision)


def _with_slack(published: str, precision: float | None) -> float:
    return (half_last_digit(published) if precision is None else precision) * ROUNDING + 1e-15


def _judging_precision(entry: Entry) -> float:
    """How far rounding of the print, and what the source may lack, let a figure differ."""
    if entry.in_words:
        return IN_WORDS
    if not entry.published:
        return 0.0
    if entry.relation != "=":
        return entry.precision or 0.0
    half = half_last_digit(entry.published) if entry.precision is None else entry.precision
    return half + (entry.value.reach if entry.value is not None else 0.0)


def _rule(entry: Entry) -> str:
    if not entry.published:
        return ""
    if entry.relation != "=":
        return (
            "the bound as printed, rounded: half its last digit"
            if entry.precision
            else "the bound as claimed"
        )
    stated = entry.precision is not None and entry.precision < 1e-5
    base = f"{entry.precision:g}, stated for the file" if stated else "half the last printed digit"
    if entry.value is not None and entry.value.reach:
        base += f" + {entry.value.reach:.2g}, what the source may lack"
    if entry.published in ("True", "False"):
        base = "the same verdict"
    elif entry.in_words:
        base = "exactly, as claimed in words"
    return f"z x Monte-Carlo error + {base}" if entry.resampled else base


def tabulate(entries: Iterable[Entry]) -> pd.DataFrame:
    """Judge entries into a table; z is set by how many of each study's entries chance tests.

    The column ``family`` holds that number for the rows that are of it, and 0 for all others.

    Raises
    ------
    MetacogError
        If two entries are of the same figure.
    """
    listed = list(entries)
    families = {study: family([e for e in listed if e.study == study]) for study in {e.study for e in listed}}
    rows = []
    for e in listed:
        row = judge(e, z_bound(families[e.study]))
        tested = e.resampled and Status(str(row["status"])).judged
        rows.append(row | {"family": families[e.study] if tested else 0})
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    repeated = frame.duplicated(["study", "table", "item", "quantity"])
    if repeated.any():
        first = frame[repeated].iloc[0]
        raise MetacogError(f"ledger: {first['table']}, {first['item']}, {first['quantity']} stands twice")
    return frame


def judged_rows(entries: Iterable[Entry]) -> pd.DataFrame:
    """Rows of some entries by ``table, item, quantity``, for a chapter that shows what the ledger says."""
    return tabulate(entries).set_index(["table", "item", "quantity"])


def agreement(entries: Iterable[Entry]) -> pd.Series:
    """Whether each of some figures agrees, by ``table, item, quantity``: what a chapter counts."""
    return judged_rows(entries)["status"].map(lambda status: Status(status).agrees)


def family(entries: Iterable[Entry]) -> int:
    """How many entries of a study rest on chance and are tested: the m that shares the level.

    Which rows can tell their method from its absence depends on z, and z on their number. The smallest
    m is taken at which no more than m rows are judged, so the level of the family is kept.
    """
    drawn = [e for e in entries if e.resampled and e.testable]

    def judged(m: int) -> int:
        return sum(Status(str(judge(e, z_bound(m))["status"])).judged for e in drawn)

    m = len(drawn)
    while judged(m - 1) < m:
        m -= 1
    return m


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


def files_given(given: Iterable[str], studies: Iterable[StudyLedger]) -> dict[str, Path]:
    """Files named on the command line as ``NAME=PATH``.

    Raises
    ------
    MetacogError
        If one is not written so, no study uses data of that name, or there is no such file.
    """
    known = sorted({name for study in studies for name in study.uses})
    found = {}
    for text in given:
        name, _, path = text.partition("=")
        if name not in known or not path:
            names = " or ".join(known) or "unknown to these ledgers"
            raise MetacogError(f"--file {text}: write NAME=PATH, where NAME is {names}")
        if not Path(path).is_file():
            raise MetacogError(f"--file {text}: there is no file {path}")
        found[name] = Path(path)
    return found
